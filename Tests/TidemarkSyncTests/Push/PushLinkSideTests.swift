import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Links are sent with the rows whose objects show them, and are owed until they are sent.
struct PushLinkSideTests {
    /// A service whose objects have only the given members.
    private static func mirror(
        tasks: [FakeJSON],
        tags: [FakeJSON] = [],
        people: [FakeJSON] = [],
        _ push: PushStyle = .rest,
        by rule: @escaping PlainService.Rule = { _, _ in nil }
    ) async throws -> PlainMirror {
        let mirror = try PlainMirror(
            .linkedTasks,
            [("Tag", "tags"), ("Person", "people"), ("Task", "tasks")],
            with: PlainService(["tasks": tasks, "tags": tags, "people": people], rule),
            push
        )
        try await mirror.pull()
        return mirror
    }

    /// The tags of each task here, by title and name.
    private static func links(in mirror: PlainMirror) throws -> [String] {
        try mirror.store.read { reader in
            let names = try reader.fetch(RecordRequest("Tag")).reduce(into: [:]) {
                $0[$1.reference] = $1["name"].text
            }
            let request = RecordRequest("Task", sort: [.init("title")], links: .only(["tags"]))
            return try reader.fetch(request).map { task in
                let tags = (task.links["tags"] ?? []).compactMap { names[$0] }.sorted()
                return "\(task["title"].text): \(tags.joined(separator: " "))"
            }
        }
    }

    @Test(arguments: [
        (["tag_ids"], [], "PATCH tasks/1 {\"tag_ids\":[2]}"),
        ([], ["task_ids"], "PATCH tags/2 {\"task_ids\":[1]}"),
        (["tagIds"], [], "PATCH tasks/1 {\"tagIds\":[2]}"),
    ])
    func `a link is sent with the row whose objects show such links`(
        ofTask: [String],
        ofTag: [String],
        request: String
    ) async throws {
        for row in ["Task:1", "Tag:2"] {
            var (task, tag): (FakeJSON, FakeJSON) = (
                ["id": 1, "title": "a"], ["id": 2, "name": "x"]
            )
            for name in ofTask { task[name] = .array([]) }
            for name in ofTag { tag[name] = .array([]) }
            let mirror = try await Self.mirror(tasks: [task], tags: [tag])
            let other = row == "Task:1" ? ("tags", "Tag:2") : ("tasks", "Task:1")
            try await mirror.update(row, links: [other.0: [RecordLocator(other.1)]])
            _ = try await mirror.push()
            #expect(mirror.service.takeWrites() == [request], "\(row)")
            #expect(try mirror.changes() == [])
        }
    }

    @Test func `a list that a service keeps in the parent is sent with the parent`() async throws {
        let mirror = try await Self.mirror(
            tasks: [["id": 5, "title": "a"]],
            people: [["id": 2, "task_ids": []]]
        )
        try await mirror.update("Task:5", links: ["person": [RecordLocator("Person:2")]])
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [#"PATCH people/2 {"task_ids":[5]}"#])
        #expect(try mirror.changes() == [])
    }

    @Test func `a list of a parent whose members have the reference is sent with the members`()
        async throws
    {
        let mirror = try await Self.mirror(
            tasks: [["id": 5, "title": "a", "person_id": .null]],
            people: [["id": 2, "task_ids": []]]
        )
        try await mirror.update("Person:2", links: ["tasks": [RecordLocator("Task:5")]])
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [#"PATCH tasks/5 {"person_id":2}"#])
    }

    @Test func `where a service shows both sides, the configuration decides`() async throws {
        for (side, request) in [
            ("Task.tags", #"PATCH tasks/1 {"tag_ids":[2]}"#),
            ("Tag.tasks", #"PATCH tags/2 {"task_ids":[1]}"#),
        ] {
            var push = PushStyle.rest
            push.body.links = [side]
            let mirror = try await Self.mirror(
                tasks: [["id": 1, "title": "a", "tag_ids": []]],
                tags: [["id": 2, "name": "x", "task_ids": []]],
                push
            )
            try await mirror.update("Task:1", links: ["tags": [RecordLocator("Tag:2")]])
            _ = try await mirror.push()
            #expect(mirror.service.takeWrites() == [request])
        }
    }

    @Test(arguments: ["Task.labels", "Tasks.tags", "Task.title"])
    func `a configured side that the model does not have is an error`(side: String) async throws {
        var push = PushStyle.rest
        push.body.links = [side]
        let error = await #expect(throws: SyncError.self) {
            _ = try await Self.mirror(tasks: [], push)
        }
        #expect(error?.code == .unknownProperty)
        #expect(error?.message.contains(side) == true)
    }

    @Test func `two sides of the same links are an error`() async throws {
        var push = PushStyle.rest
        push.body.links = ["Task.tags", "Tag.tasks"]
        let error = await #expect(throws: SyncError.self) {
            _ = try await Self.mirror(tasks: [], push)
        }
        #expect(error?.code == .contradictoryPush)
        #expect(
            error?.message
                == "The options links name Tag.tasks and Task.tags, which are two sides of the same "
                + "links."
        )
    }

    @Test func `an edit that was recorded with the other row moves once the service shows a side`()
        async throws
    {
        let mirror = try await Self.mirror(
            tasks: [["id": 1, "title": "a"], ["id": 3, "title": "b"]],
            tags: [["id": 2, "name": "x"]]
        )
        try await mirror.update("Task:1", links: ["tags": [RecordLocator("Tag:2")]])
        mirror.service["tasks", 1] = ["id": 1, "title": "a", "tag_ids": []]
        mirror.service["tasks", 3] = ["id": 3, "title": "b", "tag_ids": []]
        _ = try await mirror.engine().pull()
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [#"PATCH tasks/1 {"tag_ids":[2]}"#])
        #expect(try Self.links(in: mirror) == ["a: x", "b: "])
        #expect(try mirror.changes() == [])
    }

    @Test(arguments: [true, false])
    func `links between new rows arrive in one push, and stay here`(showsBoth: Bool) async throws {
        // The service shows an empty list in what was just created, whatever was sent.
        let mirror = try await Self.mirror(
            tasks: [["id": 1, "title": "a", "tag_ids": [2]]],
            tags: [showsBoth ? ["id": 2, "name": "x", "task_ids": [1]] : ["id": 2, "name": "x"]]
        ) { request, lists in
            if showsBoth, request.method == "GET" { Self.showTags(in: &lists) }
            return nil
        }
        try await mirror.store.write { writer in
            let tag = try writer.insert("Tag", values: ["name": .string("y")])
            _ = try writer.insert(
                "Task",
                values: ["title": .string("b")],
                links: ["tags": [RecordLocator(tag), RecordLocator("Tag:2")]]
            )
            _ = try writer.update(
                RecordLocator("Task:1"),
                values: [:],
                links: ["tags": [RecordLocator(tag), RecordLocator("Tag:2")]]
            )
        }
        let report = try await mirror.push()
        #expect(report.localChanges.unpushed.isEmpty)
        #expect(try mirror.changes() == [])
        _ = try await mirror.engine().pull()
        let sent = mirror.service.takeWrites().joined(separator: "\n")
        #expect(try Self.links(in: mirror) == ["a: x y", "b: x y"], "\(sent)")
        #expect(sent.contains("1000") && !sent.contains(#"_ids":[]"#), "\(sent)")
    }

    /// Lets tasks show the tags that have them.
    private static func showTags(in lists: inout PlainService.Lists) {
        for index in (lists["tasks"] ?? []).indices {
            let key = lists["tasks"]?[index]["id"]
            let tags = (lists["tags"] ?? []).filter { tag in
                guard case .array(let tasks) = tag["task_ids"] else { return false }
                return tasks.contains { $0 == key }
            }
            lists["tasks"]?[index]["tag_ids"] = .array(tags.compactMap { $0["id"] })
        }
    }

    @Test func `a new row is sent without a link to one that is rejected, which is owed`()
        async throws
    {
        let mirror = try await Self.mirror(
            tasks: [["id": 1, "title": "a", "tag_ids": [2]]],
            tags: [["id": 2, "name": "x"]]
        ) { request, _ in
            guard request.method == "POST", request.steps == ["tags"],
                request.body?["name"] == "bad"
            else { return nil }
            return .init(status: 422, body: ["errors": ["name": ["is bad"]]])
        }
        try await mirror.store.write { writer in
            let tag = try writer.insert("Tag", values: ["name": .string("bad")])
            _ = try writer.insert(
                "Task",
                values: ["title": .string("b")],
                links: ["tags": [RecordLocator(tag), RecordLocator("Tag:2")]]
            )
        }
        _ = try await mirror.push()
        _ = try await mirror.engine().pull()
        #expect(try Self.links(in: mirror) == ["a: x", "b: bad x"])
        #expect(try mirror.changes().contains { $0.hasPrefix("Tag#2 create, rejected") })
        #expect(try mirror.changes().contains { $0.hasPrefix("Task#2 update, pending") })
        try await mirror.update("Tag#2", ["name": .string("good")])
        _ = try await mirror.push()
        _ = try await mirror.engine().pull()
        #expect(try Self.links(in: mirror) == ["a: x", "b: good x"])
        #expect(try mirror.changes() == [])
    }

    @Test func `a creation sends no list that has no links`() async throws {
        let mirror = try await Self.mirror(tasks: [["id": 1, "title": "a", "tag_ids": []]])
        try await mirror.store.write { _ = try $0.insert("Task", values: ["title": .string("b")]) }
        _ = try await mirror.push()
        let sent = mirror.service.takeWrites()
        #expect(sent.count == 1 && !sent[0].contains("tag"), "\(sent)")
    }

    @Test func `a link that is added here and one that is removed at the service both count`()
        async throws
    {
        let mirror = try await Self.mirror(
            tasks: [["id": 1, "title": "a", "tag_ids": [2, 3]]],
            tags: [["id": 2, "name": "x"], ["id": 3, "name": "y"], ["id": 4, "name": "z"]]
        )
        try await mirror.update(
            "Task:1",
            links: ["tags": ["Tag:2", "Tag:3", "Tag:4"].map { try RecordLocator($0) }]
        )
        mirror.service["tasks", 1] = ["id": 1, "title": "a", "tag_ids": [3]]
        _ = try await mirror.push()
        #expect(mirror.service["tasks", 1]?["tag_ids"] == [3, 4])
        #expect(try Self.links(in: mirror) == ["a: y z"])
    }
}

extension Value {
    /// The value as text, without quotation marks.
    fileprivate var text: String {
        if case .string(let text) = self { text } else { "\(self)" }
    }
}
