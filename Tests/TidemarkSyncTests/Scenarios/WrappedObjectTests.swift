import HTTPTypes
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Objects within the elements of a list are pulled, read, compared and sent alone.
struct WrappedObjectTests {
    private static let model = Model(entities: [
        EntityDescription(
            "Note",
            attributes: [
                Attribute("id", .integer64), Attribute("title", .string),
                Attribute("text", .string),
            ]
        )
    ])

    /// A service whose lists wrap their objects, and select several by `id__in`.
    private func mirror(
        _ push: PushStyle = .rest,
        _ change: (inout RemoteResource) -> Void = { _ in }
    ) throws -> PlainMirror {
        let objects: [FakeJSON] = (1...4).map { number in
            ["id": .number("\(number)"), "title": .string("note \(number)"), "extra": [1, 2]]
        }
        let service = PlainService(["notes": objects]) { request, lists in
            guard request.method == "GET", request.steps == ["notes"] else { return nil }
            let keys = request.query["id__in"]?.split(separator: ",").map(String.init)
            let rows = (lists["notes"] ?? [])
                .filter { keys?.contains($0["id"]?.description ?? "") ?? true }
                .map { object -> FakeJSON in ["score": 1, "value": ["doc": object], "id": 99] }
            let total = FakeJSON.number("\(rows.count)")
            return PlainService.Response(body: [["rows": .array(rows), "total": total]])
        }
        return try PlainMirror(Self.model, [("Note", "notes")], with: service, push) { resource in
            resource.style.envelope = .keyPath(["0", "rows"])
            resource.style.item = ["value", "doc"]
            change(&resource)
        }
    }

    private func titles(_ mirror: PlainMirror) throws -> [Value] {
        try mirror.store.read { try $0.fetch(RecordRequest("Note")).map { $0["title"] } }
    }

    @Test func `the objects of a list are stored, and those that it lacks are deleted`()
        async throws
    {
        let mirror = try mirror()
        try await mirror.pull()
        #expect(try titles(mirror) == ["note 1", "note 2", "note 3", "note 4"].map(Value.string))
        mirror.service.remove("notes", 3)
        try await mirror.pull()
        #expect(try titles(mirror) == ["note 1", "note 2", "note 4"].map(Value.string))
        #expect(try await mirror.engine().verify().matches)
    }

    @Test func `the objects of a page that is spooled are those of one in memory`() async throws {
        let mirror = try mirror()
        _ = try await mirror.engine { $0.http.bodyInMemory = 16 }.pull()
        #expect(try titles(mirror) == ["note 1", "note 2", "note 3", "note 4"].map(Value.string))
    }

    @Test func `objects that are read together are those within the elements`() async throws {
        var push = PushStyle.rest
        push.check = .read(parameter: "id__in")
        push.update = PushStyle.Operation(.put, content: .whole)
        let mirror = try mirror(push)
        try await mirror.pull()
        for key in 1...2 { try await mirror.update("Note:\(key)", ["title": .string("new")]) }
        _ = try await mirror.push()
        #expect(mirror.service.reads == ["notes"])
        #expect(
            mirror.service.takeWrites() == [
                #"PUT notes/1 {"id":1,"extra":[1,2],"title":"new"}"#,
                #"PUT notes/2 {"id":2,"extra":[1,2],"title":"new"}"#,
            ]
        )
    }

    @Test func `a query that selects one object returns it within a list, or no object`()
        async throws
    {
        var push = PushStyle.rest
        push.reading.operation = PushStyle.Operation(.get, path: "{path}?id__in={key}")
        push.reading.envelope = .keyPath(["0", "rows"])
        push.update = PushStyle.Operation(.put, content: .whole)
        let mirror = try mirror(push)
        try await mirror.pull()
        try await mirror.update("Note:1", ["title": .string("new")])
        try await mirror.update("Note:2", ["title": .string("new")])
        mirror.service.remove("notes", 2)
        _ = try await mirror.push()
        #expect(
            mirror.service.takeWrites() == [#"PUT notes/1 {"id":1,"extra":[1,2],"title":"new"}"#]
        )
        #expect(try mirror.changes() == ["Note#2 update, rejected: the object does not exist"])
    }

    @Test func `an element that lacks the object deletes no row`() async throws {
        let mirror = try mirror()
        try await mirror.pull()
        var changed = mirror
        changed.resources[0].style.item = ["value", "document"]
        _ = try await changed.engine().report()
        #expect(try titles(mirror) == ["note 1", "note 2", "note 3", "note 4"].map(Value.string))
    }

    @Test func `a resource of one object may be a list of one`() async throws {
        let service = PlainService(["notes": [["id": 7, "title": "only"]]])
        let mirror = try PlainMirror(Self.model, [("Note", "notes")], with: service) { resource in
            resource.style.makeSingleObject()
        }
        try await mirror.pull()
        #expect(try titles(mirror) == [.string("only")])
    }
}
