import GRDB
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Rows that cannot become those of objects, and objects that cannot be adopted.
struct AdoptionErrorTests {
    private static let model = Model(entities: [
        EntityDescription(
            "Task",
            attributes: [Attribute("id", .integer64), Attribute("title", .string)],
            relationships: [.many("steps", "Step", inverse: "task")]
        ),
        EntityDescription(
            "Step",
            attributes: [Attribute("text", .string)],
            relationships: [.one("task", "Task", inverse: "steps")]
        ),
    ])

    /// Creates a service with two tasks, and a third one here.
    private static func mirror() async throws -> PlainMirror {
        let service = PlainService(["tasks": [["id": 1], ["id": 2]]])
        let mirror = try PlainMirror(model, [("Task", "tasks")], with: service)
        try await mirror.pull()
        try await mirror.store.write { writer in
            _ = try writer.insert("Task", values: ["title": .string("new")])
        }
        return mirror
    }

    /// Fails to adopt an object, and returns the error, after nothing has changed.
    private static func fail(
        _ row: String,
        _ key: String,
        in mirror: PlainMirror
    ) async throws -> String {
        func state() throws -> [String] {
            let rows = try mirror.store.read { reader in
                try reader.fetch(RecordRequest("Task", links: .all)).map { task in
                    "\(task.reference) \(task["id"]) \(task["title"])"
                }
            }
            return try mirror.changes() + rows
        }
        let locator = try RecordLocator(row)
        let before = try state()
        do {
            _ = try await mirror.engine().adopt(locator, keyText: key)
        } catch {
            #expect(try state() == before)
            return "\(error)"
        }
        Issue.record("\(row) was adopted")
        return ""
    }

    @Test(arguments: [
        (
            "Task#1", "2",
            """
            Task#1 is the row of Task:1 already. Only a row that was created here, and has no key yet, \
            can adopt an object.
            """
        ),
        (
            "Task:1", "2",
            """
            Task:1 is the row of Task:1 already. Only a row that was created here, and has no key yet, \
            can adopt an object.
            """
        ),
        (
            "Task#9", "2",
            "Task#9 has no local change. A row that was deleted is named by its number."
        ),
        (
            "Task#3", "9",
            "The service has no object Task:9. Only an object of the list tasks can be adopted."
        ),
        (
            "Task#3", "1",
            """
            Task:1 is the object of Task#1, which had it before. Discard the creation (tidemark outbox \
            discard 'Task#3'), and edit Task#1.
            """
        ),
        (
            "Task#3", "x", "x is not a primary key of Task. It is of type integer64."
        ),
        (
            "Task#3", "", " is not a primary key of Task. It is of type integer64."
        ),
        (
            "Step#1", "1",
            "Step#1 has no local change. A row that was deleted is named by its number."
        ),
    ])
    func `the reason is a sentence with the remedy`(
        row: String,
        key: String,
        message: String
    ) async throws {
        #expect(try await Self.fail(row, key, in: Self.mirror()) == message)
    }

    @Test func `a row that was edited has its key`() async throws {
        let mirror = try await Self.mirror()
        try await mirror.update("Task:1", ["title": .string("edited")])
        let error = try await Self.fail("Task#1", "2", in: mirror)
        #expect(error.hasPrefix("Task#1 is the row of Task:1 already."))
        try await mirror.store.write { _ = try $0.delete(RecordLocator("Task:2")) }
        let other = try await Self.fail("Task#2", "1", in: mirror)
        #expect(other.hasPrefix("Task#2 is the row of Task:2 already."))
    }

    @Test func `a row whose key was chosen here is created under it`() async throws {
        let mirror = try await Self.mirror()
        try await mirror.update("Task#3", ["id": .integer(7)])
        let error = try await Self.fail("Task#3", "2", in: mirror)
        #expect(
            error == """
                Task#3 has the key 7, under which it is created. Sync, which determines whether the \
                service has the object.
                """
        )
    }

    @Test(arguments: [
        ("inFlight", "The creation of Task#3 is being sent. Wait for the end of the push."),
        (
            "conflicted",
            """
            The creation of Task#3 awaits a decision about a conflict. Decide it first (tidemark \
            conflicts resolve).
            """
        ),
    ])
    func `a creation that is being sent or decided is left alone`(
        state: String,
        message: String
    ) async throws {
        let mirror = try await Self.mirror()
        let error = try await mirror.store.write { writer in
            try Capture.of(writer.db, mirror.store.layout)?.collect()
            try writer.db.execute(
                sql: "UPDATE _tidemark_change SET state = ?1, frozen = ?1 = 'inFlight'",
                arguments: [state]
            )
            let reader = try StoreReader.prepare(writer.db, in: mirror.store)
            let adoption = Adoption(row: try RecordLocator("Task#3"), key: "2")
            return #expect(throws: SyncError.self) { try adoption.creation(reader) }
        }
        #expect(error?.description == message)
        #expect(error?.code == .notAdoptable)
    }

    @Test func `the object of a row with local changes is not merged into an unsent one`()
        async throws
    {
        let mirror = try await Self.mirror()
        mirror.service.add("tasks", ["title": "other"], key: 4)
        _ = try await mirror.engine().pull()
        try await mirror.update("Task:4", ["title": .string("edited")])
        let error = try await Self.fail("Task#3", "4", in: mirror)
        #expect(
            error == """
                Task#4 has the object Task:4, and local changes of its own. Push or discard them \
                first.
                """
        )
    }

    @Test func `a row of a list that accepts no changes cannot adopt`() async throws {
        var mirror = try await Self.mirror()
        for index in mirror.resources.indices { mirror.resources[index].push = .readOnly }
        let error = try await Self.fail("Task#3", "2", in: mirror)
        #expect(error.hasPrefix("No list accepts changes of Task."), "\(error)")
    }

    @Test func `a local draft is added to the outbox first`() async throws {
        let mirror = try PlainMirror(
            Self.model,
            [("Task", "tasks")],
            with: PlainService(["tasks": [["id": 1]]])
        )
        try await mirror.store.write { writer in
            _ = try writer.insert("Task", values: ["title": .string("draft")])
        }
        try await mirror.pull()
        let error = try await Self.fail("Task#1", "1", in: mirror)
        #expect(
            error == """
                Task#1 is a local draft, which is not in the outbox. Add it first (tidemark outbox add \
                Task).
                """
        )
    }
}
