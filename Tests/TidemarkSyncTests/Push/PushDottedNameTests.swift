import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTesting

@testable import TidemarkSync

/// Lists and changes of objects whose members have names with dots.
struct PushDottedNameTests {
    private static let model = Model(entities: [
        EntityDescription(
            "Task",
            attributes: [
                Attribute("id", .integer64),
                Attribute("title", .string, remoteKey: #""com.title""#),
                Attribute("rank", .string, remoteKey: #""com.rank""#),
                Attribute("city", .string, remoteKey: #""com.place".city"#),
                Attribute("due", .date, remoteKey: #""com.due""#),
            ],
            relationships: [
                Relationship("owner", to: "Person", inverse: "tasks", remoteKey: #""com.owner""#)
            ]
        ),
        EntityDescription(
            "Person",
            attributes: [Attribute("id", .integer64)],
            relationships: [
                Relationship("tasks", to: "Task", isToMany: true, inverse: "owner")
            ]
        ),
    ])

    private static func mirror(
        _ rule: @escaping PlainService.Rule = { _, _ in nil },
        change: (inout RemoteResource) -> Void = { _ in }
    ) async throws -> PlainMirror {
        let lists: PlainService.Lists = [
            "tasks": [
                [
                    "id": 1, "com.title": "a", "com.rank": "7", "com.due": "2026-01-01",
                    "com.place": ["city": "Bern", "zip": "3000"], "com.owner": 2,
                ]
            ],
            "people": [["id": 2], ["id": 3]],
        ]
        let mirror = try PlainMirror(
            model,
            [("Person", "people"), ("Task", "tasks")],
            with: PlainService(lists, rule)
        ) { change(&$0) }
        try await mirror.pull()
        return mirror
    }

    @Test func `an update has the names of the service, and its siblings`() async throws {
        let mirror = try await Self.mirror()
        try await mirror.update(
            "Task:1",
            ["title": .string("b"), "rank": .string("8"), "city": .string("Rome")],
            links: ["owner": [RecordLocator("Person:3")]]
        )
        _ = try await mirror.push()
        #expect(
            mirror.service["tasks", 1] == [
                "id": 1, "com.title": "b", "com.rank": "8", "com.due": "2026-01-01",
                "com.place": ["zip": "3000", "city": "Rome"], "com.owner": 3,
            ]
        )
        #expect(try mirror.changes() == [])
        let verification = try await mirror.engine().verify()
        #expect(verification.matches, "\(verification.lines)")
    }

    @Test func `a creation has the names, and an object in its response confirms it`() async throws
    {
        let mirror = try await Self.mirror()
        try await mirror.store.write { writer in
            _ = try writer.insert(
                "Task",
                values: ["title": .string("n"), "city": .string("Oslo")],
                links: ["owner": [RecordLocator("Person:2")]]
            )
        }
        _ = try await mirror.push()
        #expect(
            mirror.service["tasks", 1_000] == [
                "id": 1_000, "com.title": "n", "com.place": ["city": "Oslo"], "com.owner": 2,
            ]
        )
        #expect(try mirror.changes() == [])
        #expect(try mirror.unconfirmed() == [:])
    }

    @Test(arguments: ["com.title", #""com.title""#])
    func `an error about such a member names the property`(name: String) async throws {
        let mirror = try await Self.mirror { request, _ in
            guard request.method == "PATCH" else { return nil }
            var errors: FakeJSON = [:]
            errors[name] = ["bad"]
            return .init(status: 422, body: ["errors": errors])
        }
        try await mirror.update("Task:1", ["title": .string("b")])
        _ = try await mirror.push()
        let errors = try await mirror.store.read { reader in
            try Outbox(mirror.store).changes(reader.db).map(\.attempts.fieldErrors)
        }
        #expect(errors == [["title": ["bad"]]])
    }

    @Test func `tombstones are recognized by such a member`() async throws {
        let mirror = try await Self.mirror(change: { $0.style.deletes = .marked(["com.gone"]) })
        mirror.service["tasks", 1]?["com.gone"] = true
        let report = try await mirror.read()
        #expect(report.total.diagnostics.compactMap(\.path) == [#""com.place".zip"#])
        #expect(try await mirror.store.read { try $0.count("Task") } == 0)
    }
}
