import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Links that the service has accepted, and not taken: they are recorded member by member.
struct NotTakenLinkTests {
    /// A service that accepts changes of tasks and keeps what it has.
    ///
    /// Task 1 has the tags 1 and 2.
    private static func mirror(_ policies: ConflictPolicies) async throws -> PlainMirror {
        let service = PlainService([
            "tasks": [["id": 1, "title": "a", "tag_ids": [1, 2], "person_id": 1]],
            "tags": [["id": 1], ["id": 2], ["id": 3]],
            "people": [["id": 1], ["id": 2]],
        ]) { request, lists in
            request.method == "PATCH" ? PlainService.Response(body: lists["tasks"]?.first) : nil
        }
        var mirror = try PlainMirror(
            .linkedTasks,
            [("Tag", "tags"), ("Person", "people"), ("Task", "tasks")],
            with: service
        )
        mirror.conflicts = policies
        try await mirror.pull()
        try await mirror.update(
            "Task:1",
            ["title": .string("b")],
            links: [
                "tags": [RecordLocator("Tag:2"), RecordLocator("Tag:3")],
                "person": [RecordLocator("Person:2")],
            ]
        )
        return mirror
    }

    private static func links(_ mirror: PlainMirror) throws -> String {
        try mirror.store.read { reader in
            let request = RecordRequest("Task", links: .only(["tags", "person"]))
            let task = try #require(try reader.fetch(request).first)
            let tags = (task.links["tags"] ?? []).map(\.description).sorted()
            return tags.joined(separator: " ") + ", \(task.links["person"] ?? [])"
        }
    }

    private static func resolve(
        _ mirror: PlainMirror,
        taking choice: Conflicts.Choice
    ) async throws {
        try await mirror.store.write { writer in
            let conflicts = Conflicts(mirror.store)
            for conflict in try conflicts.list(writer.db) {
                let resolution = try conflicts.resolve(writer.db, conflict.id, taking: choice)
                #expect(!resolution.isStale)
            }
        }
    }

    @Test(arguments: [
        ("remoteWins", "remote"), ("localWins", "local"), ("manual", "open"),
    ])
    func `all that a row has not taken is one record, with every link`(
        policy: String,
        decision: String
    ) async throws {
        let policies: [String: ConflictPolicy] = [
            "remoteWins": .remoteWins, "localWins": .localWins, "manual": .manual,
        ]
        let mirror = try await Self.mirror(
            ConflictPolicies(default: policies[policy] ?? .remoteWins)
        )
        let pushed = try await mirror.push()
        #expect(pushed.total.notTaken == 1)
        let isRemote = decision == "remote"
        #expect(
            try mirror.recordedConflicts().sorted() == [
                """
                Task#1 notTaken person: Person#1, Person#2, Person#1, \
                \(isRemote ? "Person#1" : "Person#2") (\(decision))
                """,
                """
                Task#1 notTaken tags: [Tag#1], [Tag#3], [Tag#1], \
                \(isRemote ? "[Tag#1]" : "[Tag#3]") (\(decision))
                """,
                "Task#1 notTaken title: a, b, a, \(isRemote ? "a" : "b") (\(decision))",
            ]
        )
        let count = try await mirror.store.read { reader in
            try Conflicts(mirror.store).list(reader.db).count
        }
        #expect(count == 1)
        #expect(
            try Self.links(mirror)
                == (isRemote ? "Tag#1 Tag#2, [Person#1]" : "Tag#2 Tag#3, [Person#2]")
        )
    }

    @Test func `a user who takes the service's version gets its links`() async throws {
        for policy in [ConflictPolicy.manual, .localWins] {
            let mirror = try await Self.mirror(ConflictPolicies(default: policy))
            _ = try await mirror.push()
            try await Self.resolve(mirror, taking: .remote)
            #expect(try Self.links(mirror) == "Tag#1 Tag#2, [Person#1]")
            _ = mirror.service.takeWrites()
            _ = try await mirror.engine().sync()
            #expect(mirror.service.takeWrites() == [])
            #expect(try mirror.changes() == [])
        }
    }

    @Test func `a user who takes the local version lets it be sent again`() async throws {
        for policy in [ConflictPolicy.manual, .remoteWins] {
            let mirror = try await Self.mirror(ConflictPolicies(default: policy))
            _ = try await mirror.push()
            _ = mirror.service.takeWrites()
            try await Self.resolve(mirror, taking: .local)
            #expect(try Self.links(mirror) == "Tag#2 Tag#3, [Person#2]")
            _ = try await mirror.push()
            let sent = mirror.service.takeWrites()
            #expect(sent.count == 1, "\(sent)")
            #expect(sent.first?.contains(#""tag_ids":[2,3]"#) == true, "\(sent)")
            #expect(sent.first?.contains(#""person_id":2"#) == true, "\(sent)")
        }
    }

    @Test func `a linked row that was deleted since stays without a link`() async throws {
        let mirror = try await Self.mirror(ConflictPolicies())
        _ = try await mirror.push()
        try await mirror.store.write { writer in _ = try writer.delete(RecordLocator("Tag:3")) }
        try await Self.resolve(mirror, taking: .local)
        #expect(try Self.links(mirror) == "Tag#2, [Person#2]")
    }
}
