import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTesting

@testable import TidemarkSync

/// How long decided conflicts are kept.
struct ConflictRetentionTests {
    private static let day = Duration.seconds(86_400)

    /// Changes a property of a task on both sides.
    private func edit(_ tasks: TaskService, _ property: String, _ number: Int) async throws {
        let isTitle = property == "title"
        try await tasks.store.write { writer in
            _ = try writer.update(
                tasks.task(1),
                values: [property: isTitle ? .string("mine \(number)") : .boolean(number % 2 == 0)]
            )
        }
        tasks.edit(1, isTitle ? ["title": .string("hers \(number)")] : ["done": .null])
    }

    /// Prints the numbers of the conflicts that are left, and checks that only they have values.
    private func left(_ tasks: TaskService) throws -> [Int64] {
        try tasks.store.writer.read { db in
            let left = try Int64.fetchAll(db, sql: "SELECT _id FROM _tidemark_conflict")
            let described = try Int64.fetchAll(
                db,
                sql: "SELECT DISTINCT conflict FROM _tidemark_conflict_value"
            )
            #expect(Set(described) == Set(left))
            return left.sorted()
        }
    }

    @Test func `more than the limit are kept until they are old`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine { $0.conflicts.records = 2 }
        _ = try await engine.pull()
        for number in 1...4 {
            try await edit(tasks, "title", number)
            _ = try await engine.sync()
        }
        #expect(try left(tasks) == [1, 2, 3, 4])
        tasks.clock.advance(by: Self.day * 89)
        try await edit(tasks, "title", 5)
        _ = try await engine.pull()
        #expect(try left(tasks) == [1, 2, 3, 4, 5])
        tasks.clock.advance(by: Self.day * 2)
        // Without a new conflict nothing is deleted.
        _ = try await engine.sync()
        #expect(try left(tasks) == [1, 2, 3, 4, 5])
        try await edit(tasks, "title", 6)
        _ = try await engine.push()
        #expect(try left(tasks) == [5, 6])
    }

    @Test func `old ones are kept while there are few`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        for number in 1...3 {
            try await edit(tasks, "title", number)
            _ = try await engine.pull()
            tasks.clock.advance(by: Self.day * 400)
        }
        #expect(try left(tasks) == [1, 2, 3])
    }

    @Test func `one that awaits a decision is never deleted`() async throws {
        let tasks = try TaskService(.rest)
        let policies = ConflictPolicies(
            entities: ["Task": .init(.remoteWins, properties: ["title": .manual])]
        )
        let engine = try tasks.engine(conflicts: policies) { $0.conflicts.records = 1 }
        _ = try await engine.pull()
        try await edit(tasks, "title", 1)
        _ = try await engine.pull()
        for number in 2...5 {
            tasks.clock.advance(by: Self.day * 100)
            try await edit(tasks, "done", number)
            tasks.edit(1, ["done": number % 2 == 0 ? .null : true])
            _ = try await engine.pull()
        }
        let open = try await tasks.store.writer.read { db in
            try Conflicts(tasks.store).list(db, filter: .open).map(\.id)
        }
        #expect(open == [1])
        #expect(try left(tasks).first == 1)
        #expect(try left(tasks).count == 2)
    }

    @Test func `an import of what the service has sent deletes old ones, too`() async throws {
        let tasks = try TaskService(.rest)
        _ = try await tasks.engine().pull()
        var limits = Limits()
        limits.conflicts.records = 0
        var importer = Importer(tasks.store, limits: limits)
        importer.now = tasks.clock.environment.now
        var options = ImportOptions(operations: .upsert)
        options.origin = .service
        for number in 1...2 {
            try await edit(tasks, "title", number)
            var items = try JSONDocument(
                Array(#"[{"id": 1, "title": "theirs \#(number)"}]"#.utf8)
            ).items()
            _ = try importer.import(&items, into: "Task", options: options)
            tasks.clock.advance(by: Self.day * 91)
        }
        #expect(try left(tasks) == [2])
    }
}
