import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Links that the service's objects show on neither side wait until it is known which side it
/// takes.
struct PushUndecidedLinkTests {
    private static let note = Attribute("note", .string)

    private static let model = Model(entities: [
        EntityDescription(
            "Task",
            attributes: [Attribute("id", .integer64), Attribute("title", .string), note],
            relationships: [
                .many("topics", "Topic", inverse: "tasks"),
                .one("person", "Person", inverse: "tasks"),
            ]
        ),
        EntityDescription(
            "Topic",
            attributes: [Attribute("id", .integer64), Attribute("name", .string), note],
            relationships: [.many("tasks", "Task", inverse: "topics")]
        ),
        EntityDescription(
            "Person",
            attributes: [Attribute("id", .integer64), Attribute("name", .string), note],
            relationships: [.many("tasks", "Task", inverse: "person")]
        ),
    ])

    private static func mirror(
        topics: [FakeJSON] = [["id": 2, "name": "x", "note": .null]],
        tasks path: String = "tasks",
        _ push: PushStyle = .rest,
        omittingNulls: Bool = false,
        by rule: @escaping PlainService.Rule = { _, _ in nil }
    ) async throws -> PlainMirror {
        let lists: PlainService.Lists = [
            "tasks": [["id": 1, "title": "a", "note": .null]], "topics": topics,
            "people": [["id": 3, "name": "p", "note": .null]],
        ]
        let mirror = try PlainMirror(
            model,
            [("Topic", "topics"), ("Person", "people"), ("Task", path)],
            with: PlainService(lists, rule),
            push
        ) { $0.style.omitsNulls = omittingNulls }
        try await mirror.pull()
        return mirror
    }

    /// The reason with which links of a task to topics wait.
    private static let reason = """
        objects of the service have shown the links of Task.topics on neither side; set with which they \
        are sent: `links: Task.topics` or `links: Topic.tasks`
        """

    /// Lets the configuration decide, and pushes.
    private static func push(_ mirror: PlainMirror, _ side: String) async throws -> [String] {
        var decided = mirror
        for index in decided.resources.indices { decided.resources[index].push.body.links = [side] }
        _ = try await decided.push()
        return mirror.service.takeWrites()
    }

    @Test func `a link that neither side shows waits, with what to do`() async throws {
        let mirror = try await Self.mirror()
        try await mirror.update("Task:1", links: ["topics": [RecordLocator("Topic:2")]])
        #expect(try await mirror.engine().plannedRequests() == [])
        for _ in 1...2 {
            let report = try await mirror.push()
            #expect(report.localChanges.unpushed.map(\.count) == [1])
            #expect(mirror.service.takeWrites() == [])
            #expect(try mirror.changes() == ["Task#1 update, pending: \(Self.reason)"])
        }
        #expect(try await Self.push(mirror, "Topic.tasks") == [#"PATCH topics/2 {"task_ids":[1]}"#])
        #expect(try mirror.changes() == [])
    }

    @Test func `a reference that neither side shows waits`() async throws {
        for (side, request) in [
            ("Task.person", #"PATCH tasks/1 {"person_id":3}"#),
            ("Person.tasks", #"PATCH people/3 {"task_ids":[1]}"#),
        ] {
            let mirror = try await Self.mirror()
            try await mirror.update("Task:1", links: ["person": [RecordLocator("Person:3")]])
            _ = try await mirror.push()
            #expect(mirror.service.takeWrites() == [])
            let reason = try #require(mirror.changes().first)
            #expect(reason.contains("`links: Task.person` or `links: Person.tasks`"))
            #expect(try await Self.push(mirror, side) == [request])
            #expect(try mirror.changes() == [])
        }
    }

    @Test func `the other properties of the row are sent`() async throws {
        let mirror = try await Self.mirror()
        try await mirror.update(
            "Task:1",
            ["title": .string("b")],
            links: ["topics": [RecordLocator("Topic:2")]]
        )
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [#"PATCH tasks/1 {"title":"b"}"#])
        #expect(try mirror.changes() == ["Task#1 update, pending: \(Self.reason)"])
        _ = try await mirror.engine().sync()
        #expect(mirror.service.takeWrites() == [])
        #expect(try await Self.push(mirror, "Task.topics") == [#"PATCH tasks/1 {"topic_ids":[2]}"#])
        #expect(try mirror.changes() == [])
    }

    @Test func `a new object is sent without the link, which is owed`() async throws {
        let mirror = try await Self.mirror()
        try await mirror.store.write { writer in
            _ = try writer.insert(
                "Task",
                values: ["title": .string("b")],
                links: ["topics": [RecordLocator("Topic:2")]]
            )
        }
        _ = try await mirror.engine().sync()
        #expect(mirror.service.takeWrites() == [#"POST tasks {"title":"b"}"#])
        #expect(try mirror.changes() == ["Task#2 update, pending: \(Self.reason)"])
        _ = try await mirror.engine().sync()
        #expect(
            try await Self.push(mirror, "Task.topics") == [#"PATCH tasks/1000 {"topic_ids":[2]}"#]
        )
        #expect(try mirror.changes() == [])
    }

    @Test(arguments: [422, 500])
    func `a link is kept when what is sent of its row fails`(status: Int) async throws {
        let fails = Locked(true)
        let mirror = try await Self.mirror { request, _ in
            guard request.method == "PATCH", fails.withLock({ $0 }) else { return nil }
            return .init(status: status, body: ["errors": ["title": ["is bad"]]])
        }
        try await mirror.update(
            "Task:1",
            ["title": .string("b")],
            links: ["topics": [RecordLocator("Topic:2")]]
        )
        _ = try await mirror.push()
        fails.withLock { $0 = false }
        try await mirror.update("Task:1", ["title": .string("c")])
        for _ in 1...2 { _ = try await mirror.push() }
        #expect(mirror.service["tasks", 1] == ["id": 1, "title": "c", "note": .null])
        _ = mirror.service.takeWrites()
        #expect(try await Self.push(mirror, "Task.topics") == [#"PATCH tasks/1 {"topic_ids":[2]}"#])
        #expect(try mirror.changes() == [])
    }

    @Test func `a service that leaves out what is empty takes the side of the model`() async throws
    {
        let mirror = try await Self.mirror(omittingNulls: true)
        try await mirror.update("Task:1", links: ["topics": [RecordLocator("Topic:2")]])
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites().count == 1)
        #expect(try mirror.changes() == [])
    }

    @Test func `a service that has shown no null may leave out what is missing`() async throws {
        let mirror = try await Self.mirror(topics: [["id": 2, "name": "x"]])
        try await mirror.update("Task:1", links: ["topics": [RecordLocator("Topic:2")]])
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites().count == 1)
        #expect(try mirror.changes() == [])
    }

    @Test func `without objects on both sides, the model decides`() async throws {
        let mirror = try await Self.mirror(topics: [])
        try await mirror.store.write { writer in
            let topic = try writer.insert("Topic", values: ["name": .string("y")])
            _ = try writer.update(
                RecordLocator("Task:1"),
                values: [:],
                links: ["topics": [RecordLocator(topic)]]
            )
        }
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites().count == 2)
        #expect(try mirror.changes() == [])
    }

    @Test func `a reference that is in the path of the list does not wait`() async throws {
        let mirror = try await Self.mirror(tasks: "people/{person}/tasks") { request, lists in
            guard request.steps.count == 3 else { return nil }
            guard request.method == "POST" else {
                return .init(body: .array(lists["tasks"] ?? []))
            }
            var task: FakeJSON = ["id": 9]
            task.assign(request.body ?? [:])
            lists["tasks"]?.append(task)
            return .init(status: 201, body: task)
        }
        try await mirror.store.write { writer in
            _ = try writer.insert(
                "Task",
                values: ["title": .string("b")],
                links: ["person": [RecordLocator("Person:3")]]
            )
        }
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites().first?.hasPrefix("POST people/3/tasks") == true)
        #expect(try mirror.changes() == [])
    }

    @Test func `planned requests are sent by what the last pull has shown`() async throws {
        let mirror = try await Self.mirror(topics: [
            ["id": 2, "name": "x", "note": .null, "task_ids": []]
        ])
        try await mirror.update("Task:1", links: ["topics": [RecordLocator("Topic:2")]])
        let planned = try await mirror.engine().plannedRequests()
        #expect(planned.map(\.body) == [#"{"task_ids":[1]}"#])
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [#"PATCH topics/2 {"task_ids":[1]}"#])
    }
}
