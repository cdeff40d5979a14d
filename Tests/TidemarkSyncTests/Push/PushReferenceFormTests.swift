import Foundation
import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// References are sent in the form in which the service writes them.
struct PushReferenceFormTests {
    private static func model(referenceKeys: [String] = []) -> Model {
        Model(entities: [
            EntityDescription(
                "Task",
                attributes: [Attribute("id", .integer64), Attribute("title", .string)],
                relationships: [
                    Relationship(
                        "author",
                        to: "Person",
                        inverse: "tasks",
                        referenceKeys: referenceKeys
                    )
                ]
            ),
            EntityDescription(
                "Person",
                attributes: [Attribute("id", .integer64), Attribute("name", .string)],
                relationships: [.many("tasks", "Task", inverse: "author")]
            ),
        ])
    }

    private func mirror(
        _ reference: FakeJSON,
        as name: String = "author",
        referenceKeys: [String] = [],
        _ push: PushStyle = .rest,
        tasks: Int = 1,
        by rule: @escaping PlainService.Rule = { _, _ in nil }
    ) async throws -> PlainMirror {
        let tasks: [FakeJSON] = (5..<5 + tasks).map { ["id": .number("\($0)"), name: reference] }
        let people: [FakeJSON] = [["id": 1, "name": "Ann"], ["id": 2, "name": "Bea"]]
        let mirror = try PlainMirror(
            Self.model(referenceKeys: referenceKeys),
            [("Person", "people"), ("Task", "tasks")],
            with: PlainService(["people": people, "tasks": tasks], rule),
            push
        )
        try await mirror.pull()
        return mirror
    }

    private func assign(_ mirror: PlainMirror, _ tasks: ClosedRange<Int> = 5...5) async throws {
        for task in tasks {
            try await mirror.update("Task:\(task)", links: ["author": [RecordLocator("Person:2")]])
        }
    }

    private static let base = PlainService.url.absoluteString

    private static let shown: [(FakeJSON, String, String)] = [
        (1, "author", #"{"author":2}"#), ("1", "author", #"{"author":"2"}"#),
        (1, "author_id", #"{"author_id":2}"#), ("1", "authorId", #"{"authorId":"2"}"#),
        (.string("\(base)people/1"), "author", #"{"author":"\#(base)people/2"}"#),
        (.string("\(base)people/1/"), "author", #"{"author":"\#(base)people/2/"}"#),
        ("/api/people/1", "author", #"{"author":"/api/people/2"}"#),
        (.string("https://old.example/v1/people/1"), "author", #"{"author":"\#(base)people/2"}"#),
        (["id": 1, "name": "Ann"], "author", #"{"author":{"id":2}}"#),
    ]

    @Test(arguments: shown)
    func `a reference has the form of those that the service writes`(
        shown: FakeJSON,
        name: String,
        body: String
    ) async throws {
        let mirror = try await mirror(shown, as: name)
        try await assign(mirror)
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == ["PATCH tasks/5 \(body)"])
        #expect(try mirror.changes() == [])
    }

    @Test func `a reference to a list that accepts no changes is a URL, too`() async throws {
        var mirror = try await mirror(.string("\(Self.base)people/1"))
        mirror.resources[0].push = .readOnly
        try await assign(mirror)
        _ = try await mirror.push()
        #expect(
            mirror.service.takeWrites() == [#"PATCH tasks/5 {"author":"\#(Self.base)people/2"}"#]
        )
    }

    @Test func `a link that was removed is null under the name that the service shows`()
        async throws
    {
        let mirror = try await mirror(["id": 1, "name": "Ann"])
        try await mirror.update("Task:5", links: ["author": []])
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [#"PATCH tasks/5 {"author":null}"#])
    }

    @Test func `the configuration and the model outrank what the service shows`() async throws {
        var push = PushStyle.rest
        push.body.references = .ids
        let configured = try await mirror(["id": 1], push)
        try await assign(configured)
        _ = try await configured.push()
        #expect(configured.service.takeWrites() == [#"PATCH tasks/5 {"author_id":2}"#])
        let modelled = try await mirror(["id": 1], referenceKeys: ["writer"])
        try await assign(modelled)
        _ = try await modelled.push()
        #expect(modelled.service.takeWrites() == [#"PATCH tasks/5 {"writer":2}"#])
    }

    @Test func `a whole object contains the new reference alone, not members of the former target`()
        async throws
    {
        var push = PushStyle.rest
        push.update = PushStyle.Operation(.put, content: .whole)
        let mirror = try await mirror(["id": 1, "name": "Ann"], push)
        try await assign(mirror)
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [#"PUT tasks/5 {"id":5,"author":{"id":2}}"#])
    }

    // MARK: The other form

    /// A service that shows objects and accepts keys, under the same name or another one.
    private static func accepting(
        _ name: String,
        _ message: String,
        isShown: Bool = true
    ) -> PlainService.Rule {
        { request, lists in
            guard request.method == "PATCH", let body = request.body else { return nil }
            guard body["author"] == nil || name == "author" && body["author"]?["id"] == nil else {
                return PlainService.Response(status: 400, body: ["author": [.string(message)]])
            }
            let index = (lists["tasks"] ?? []).firstIndex {
                $0["id"]?.description == request.steps[1]
            }
            guard let index, let key = body[name] else { return nil }
            lists["tasks"]?[index]["author"] = ["id": key, "name": "Bea"]
            return isShown
                ? PlainService.Response(body: lists["tasks"]?[index])
                : PlainService.Response(status: 204)
        }
    }

    @Test(arguments: [
        ("author", "A key was expected, not an object."), ("author_id", "Unknown member."),
        ("author_id", "This field is read-only."),
    ])
    func `an object that is rejected is sent once more as a key`(
        name: String,
        message: String
    ) async throws {
        let mirror = try await mirror(["id": 1], by: Self.accepting(name, message))
        try await assign(mirror)
        let report = try await mirror.push()
        #expect(
            mirror.service.takeWrites() == [
                #"PATCH tasks/5 {"author":{"id":2}}"#, #"PATCH tasks/5 {"\#(name)":2}"#,
            ]
        )
        #expect(report.entities["Task"]?.updated == 1)
        #expect(report.entities["Task"]?.rejected == 0)
        #expect(try mirror.changes() == [])
        #expect(try mirror.forms(of: "Task")["author"] == "key:\(name)")
        // The service has shown the new target: the next update has the right form at once.
        try await mirror.update("Task:5", links: ["author": [RecordLocator("Person:1")]])
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [#"PATCH tasks/5 {"\#(name)":1}"#])
    }

    @Test
    func `the second request has an idempotency key of its own, and is stored before it is sent`()
        async throws
    {
        var push = PushStyle.rest
        push.idempotency = PushStyle.Idempotency(field: "Idempotency-Key")
        let keys = Locked<[String?]>([])
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        let accepted = Self.accepting("author", "A key was expected.")
        let mirror = try await mirror(["id": 1], push) { request, lists in
            if request.method == "PATCH" { keys.withLock { $0.append(request.fields[name]) } }
            return accepted(request, &lists)
        }
        try await assign(mirror)
        _ = try await mirror.push()
        let sent = keys.withLock { $0 }
        #expect(sent.count == 2 && Set(sent).count == 2 && !sent.contains(nil), "\(sent)")
    }

    @Test func `without an object in the response, a read shows that the key was accepted`()
        async throws
    {
        var push = PushStyle.rest
        push.check = .none
        let rule = Self.accepting("author_id", "Unknown member.", isShown: false)
        let mirror = try await mirror(["id": 1], push, tasks: 3, by: rule)
        try await assign(mirror, 5...7)
        _ = try await mirror.push()
        #expect(try mirror.changes() == [])
        #expect(mirror.service.reads.count == 1)
        #expect(try mirror.forms(of: "Task")["author"] == "key:author_id")
    }

    @Test func `a form that no object shows is not remembered`() async throws {
        // The service accepts any member, and ignores the key.
        let mirror = try await mirror(["id": 1]) { request, lists in
            guard request.method == "PATCH" else { return nil }
            guard request.body?["author"] != nil else {
                return PlainService.Response(body: lists["tasks"]?[0])
            }
            return PlainService.Response(status: 422, body: ["errors": ["author": ["is unknown"]]])
        }
        try await assign(mirror)
        _ = try await mirror.push()
        #expect(try mirror.forms(of: "Task")["author"] == nil)
    }

    @Test func `if both forms are rejected, the first message stays`() async throws {
        let mirror = try await mirror(["id": 1]) { request, _ in
            guard request.method == "PATCH" else { return nil }
            let isObject = request.body?["author"]?["id"] != nil
            let message: FakeJSON = isObject ? ["not this person"] : ["nor this key"]
            return PlainService.Response(status: 400, body: ["author": message])
        }
        try await assign(mirror)
        let report = try await mirror.push()
        #expect(report.entities["Task"]?.rejected == 1)
        #expect(mirror.service.takeWrites().count == 2)
        #expect(try mirror.changes() == ["Task#1 update, rejected: author: not this person"])
        #expect(try mirror.forms(of: "Task")["author"] == nil)
    }

    private static let rejections: [(Int, FakeJSON)] = [
        (400, ["title": ["is missing"]]),
        (403, ["author": ["You may not do that."]]), (409, ["author": ["is locked"]]),
        (400, ["message": "The author of this request is unknown."]),
    ]

    @Test(arguments: rejections)
    func `a rejection that is not about the reference is final`(
        status: Int,
        body: FakeJSON
    ) async throws {
        let mirror = try await mirror(["id": 1]) { request, _ in
            request.method == "PATCH" ? PlainService.Response(status: status, body: body) : nil
        }
        try await assign(mirror)
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites().allSatisfy { $0.contains(#"{"author":{"id":2}}"#) })
    }

    @Test func `updates of a whole list find the form, and none is given up`() async throws {
        let rule = Self.accepting("author", "A key was expected.")
        let mirror = try await mirror(["id": 1], tasks: 60, by: rule)
        try await assign(mirror, 5...64)
        let report = try await mirror.push()
        #expect(report.entities["Task"]?.updated == 60)
        #expect(try mirror.changes() == [])
        #expect(report.failures.isEmpty)
    }
}
