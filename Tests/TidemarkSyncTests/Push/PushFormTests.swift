import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Values are sent in the form in which the service writes them.
struct PushFormTests {
    private static let model = Model(entities: [
        EntityDescription(
            "Item",
            attributes: [
                Attribute("id", .integer64), Attribute("name", .string),
                Attribute("price", .decimal), Attribute("count", .integer64),
                Attribute("ratio", .double), Attribute("isNew", .boolean),
                Attribute("due", .date), Attribute("code", .string),
            ]
        )
    ])

    /// A service that accepts members only in the form that its own objects have.
    private func mirror(_ objects: [FakeJSON]) throws -> PlainMirror {
        let service = PlainService(["items": objects]) { request, _ in
            guard let body = request.body, case .object(let members) = body else { return nil }
            let own = objects.first { $0["id"]?.description == request.steps.last }
            let sample = own ?? objects[0]
            let wrong = members.filter { member in
                sample[member.name].map { $0.kind != member.value.kind } ?? false
            }
            guard !wrong.isEmpty else { return nil }
            let errors = wrong.map { FakeJSON.Member($0.name, ["This form is not accepted."]) }
            return PlainService.Response(status: 400, body: .object(errors))
        }
        return try PlainMirror(Self.model, [("Item", "items")], with: service)
    }

    @Test func `numbers, flags and dates have the form of the service's own objects`() async throws
    {
        let mirror = try mirror([
            [
                "id": 1, "name": "a", "price": "12.50", "count": "7", "ratio": "0.5", "is_new": 1,
                "due": "2026-01-01", "code": 12,
            ],
            ["id": 2, "price": "7.125", "due": "2026-01-15"],
        ])
        try await mirror.pull()
        try await mirror.update(
            "Item:1",
            [
                "price": .decimal("13.5"), "count": .integer(9), "ratio": .double(0.75),
                "isNew": .boolean(false), "due": .date(1_770_076_800), "code": .string("13"),
            ]
        )
        let report = try await mirror.push()
        #expect(report.entities["Item"]?.updated == 1)
        #expect(
            mirror.service.takeWrites() == [
                """
                PATCH items/1 {"price":"13.500","count":"9","ratio":"0.75","is_new":0,\
                "due":"2026-02-03","code":13}
                """
            ]
        )
    }

    @Test func `a creation has the forms of the objects that were read`() async throws {
        let mirror = try mirror([["id": 1, "price": "12.50", "is_new": "1", "due": "2026-01-01"]])
        try await mirror.pull()
        try await mirror.store.write { writer in
            _ = try writer.insert(
                "Item",
                values: [
                    "price": .decimal("3"), "isNew": .boolean(true), "due": .date(1_770_076_800),
                ]
            )
        }
        _ = try await mirror.push()
        #expect(
            mirror.service.takeWrites() == [
                #"POST items {"price":"3.00","is_new":"1","due":"2026-02-03"}"#
            ]
        )
    }

    @Test func `a value that the form cannot express is sent in a finer one`() async throws {
        let mirror = try mirror([["id": 1, "due": "2026-01-01"], ["id": 2, "due": "2026-01-02"]])
        try await mirror.pull()
        try await mirror.update("Item:1", ["due": .date(1_770_076_800.5)])
        _ = try await mirror.push()
        #expect(
            mirror.service.takeWrites() == [
                #"PATCH items/1 {"due":"2026-02-03T00:00:00.500Z"}"#
            ]
        )
    }

    @Test func `a time among days shows that the service has times`() async throws {
        let mirror = try mirror(
            (1...30).map { number in
                let due = number == 25 ? "2026-01-01T10:00:00Z" : "2026-01-01"
                return ["id": .number("\(number)"), "due": .string(due)]
            }
        )
        try await mirror.pull()
        try await mirror.store.write { writer in
            _ = try writer.insert("Item", values: ["due": .date(1_770_076_800)])
        }
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [#"POST items {"due":"2026-02-03T00:00:00Z"}"#])
    }

    @Test func `the form of the object that is changed outranks that of others`() async throws {
        let mirror = try mirror([
            ["id": 1, "price": "12.50", "is_new": true], ["id": 2, "price": 3, "is_new": 1],
        ])
        try await mirror.pull()
        try await mirror.update("Item:1", ["price": .decimal("4"), "isNew": .boolean(false)])
        try await mirror.update("Item:2", ["price": .decimal("5"), "isNew": .boolean(false)])
        _ = try await mirror.push()
        #expect(
            mirror.service.takeWrites() == [
                #"PATCH items/1 {"price":"4.00","is_new":false}"#,
                #"PATCH items/2 {"price":5,"is_new":0}"#,
            ]
        )
    }

    @Test func `a store without forms learns them from the object that is read before a write`()
        async throws
    {
        var mirror = try mirror([
            ["id": 1, "price": "12.50", "isNew": 1, "due": "2026-01-01"],
            ["id": 2, "price": "1.00", "isNew": 0, "due": "2026-01-02"],
        ])
        // A store that mirrors a service records neither names nor forms.
        let push = mirror.resources
        mirror.resources = mirror.resources.map { resource in
            var resource = resource
            resource.push = .readOnly
            return resource
        }
        _ = try await mirror.engine().pull()
        mirror.resources = push
        _ = try await mirror.push()
        #expect(try mirror.forms(of: "Item").isEmpty)
        _ = mirror.service.takeWrites()
        try await mirror.update(
            "Item:1",
            ["price": .decimal("4"), "isNew": .boolean(false), "due": .date(1_770_076_800)]
        )
        _ = try await mirror.push()
        // No list was read.
        #expect(mirror.service.reads == ["items/1"])
        #expect(
            mirror.service.takeWrites() == [
                #"PATCH items/1 {"price":"4.00","isNew":0,"due":"2026-02-03"}"#
            ]
        )
        #expect(
            try mirror.forms(of: "Item") == [
                "id": "number", "price": "text:2", "isNew": "flag:1", "due": "date:yyyy-MM-dd",
            ]
        )
        // The next creation has them, too.
        try await mirror.store.write { writer in
            _ = try writer.insert("Item", values: ["price": .decimal("9")])
        }
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [#"POST items {"price":"9.00"}"#])
    }

    @Test func `a format that the model specifies outranks what the service writes`() async throws {
        let model = Model(entities: [
            EntityDescription(
                "Item",
                attributes: [
                    Attribute("id", .integer64),
                    Attribute("due", .date, dateFormat: "dd.MM.yyyy"),
                ]
            )
        ])
        let service = PlainService(["items": [["id": 1, "due": "02.01.2026"]]])
        let mirror = try PlainMirror(model, [("Item", "items")], with: service)
        try await mirror.pull()
        try await mirror.update("Item:1", ["due": .date(1_770_076_800)])
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [#"PATCH items/1 {"due":"03.02.2026"}"#])
    }

    @Test func `a version that is a date is a condition in the form of the service`() async throws {
        let service = PlainService([
            "items": [["id": 1, "name": "a", "due": "2026-01-01T00:00:00.000Z"]]
        ]) { request, _ in
            guard request.method == "PATCH" else { return nil }
            let isCurrent = request.fields[.ifMatch] == "\"2026-01-01T00:00:00.000Z\""
            return isCurrent
                ? nil : PlainService.Response(status: 400, body: ["detail": "If-Match"])
        }
        var push = PushStyle.rest
        push.check = .version(parameter: nil)
        push.version = .member("due")
        let mirror = try PlainMirror(Self.model, [("Item", "items")], with: service, push)
        try await mirror.pull()
        try await mirror.update("Item:1", ["name": .string("b")])
        _ = try await mirror.push()
        #expect(mirror.service.reads == [])
        #expect(try mirror.changes() == [])
    }

    @Test func `forms are shown with the status, and with the requests of the next push`()
        async throws
    {
        let mirror = try mirror([
            ["id": 1, "name": "a", "price": "12.50", "is_new": 1, "due": "2026-01-01"]
        ])
        try await mirror.pull()
        try await mirror.update("Item:1", ["price": .decimal("4"), "name": .string("b")])
        #expect(
            try SyncStatus.of(mirror.store).resources.map(\.forms) == [
                [
                    "price": "number as text with 2 decimals", "is_new": "1 for true",
                    "due": "day (yyyy-MM-dd)",
                ]
            ]
        )
        let planned = try await mirror.engine().plannedRequests()
        #expect(planned.map(\.body) == [#"{"name":"b","price":"4.00"}"#])
        #expect(planned.map(\.forms) == [["price": "number as text with 2 decimals"]])
    }
}

extension FakeJSON {
    fileprivate var kind: String {
        switch self {
        case .string: "string"
        case .number: "number"
        case .bool: "bool"
        case .null: "null"
        case .array: "array"
        case .object: "object"
        }
    }
}
