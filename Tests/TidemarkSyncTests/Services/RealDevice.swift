import Foundation
import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// A device that edits projects and tasks, and syncs them with a real service.
struct RealDevice: Sendable {
    let store: Store
    let clock = ManualClock()

    /// The requests of the device.
    let log: RequestLog

    /// The faults of its requests.
    let faults: LostResponses
    private let engine: SyncEngine

    /// Creates a device with an empty store.
    init(
        _ tasks: RealTasks,
        over transport: any Transport,
        conflicts: ConflictPolicies = ConflictPolicies()
    ) throws {
        store = try Store.validated(model: tasks.model)
        faults = LostResponses(transport)
        log = RequestLog(faults)
        var environment = clock.environment
        // Two devices must not choose the same keys.
        environment.uuid = { UUID() }
        engine = try SyncEngine(
            store: store,
            service: tasks.service,
            resources: tasks.resources,
            transport: AnyTransport(log),
            conflicts: conflicts,
            environment: environment,
            limits: .longTimeout
        )
    }

    // MARK: Runs

    func pull() async throws { _ = try await engine.pull() }

    @discardableResult
    func push() async throws -> PushReport { try await engine.push() }

    @discardableResult
    func sync() async throws -> SyncReport { try await engine.sync() }

    /// Syncs, and reads the complete lists instead of the changes.
    func syncAll() async throws {
        var options = PullOptions()
        options.isFull = true
        _ = try await engine.sync(with: options)
    }

    /// Syncs after a time in which a service has certainly processed all earlier requests.
    func syncLater() async throws {
        clock.advance(by: .seconds(7_200))
        try await sync()
    }

    // MARK: Edits

    /// Inserts a project.
    @discardableResult
    func insert(project name: String) async throws -> RecordLocator {
        try await store.write { writer in
            RecordLocator(try writer.insert("Project", values: ["name": .string(name)]))
        }
    }

    /// Inserts a task.
    @discardableResult
    func insert(
        _ title: String,
        position: Int64 = 0,
        in project: RecordLocator? = nil
    ) async throws -> RecordLocator {
        try await store.write { writer in
            RecordLocator(
                try writer.insert(
                    "Task",
                    values: [
                        "title": .string(title), "done": .boolean(false),
                        "position": .integer(position),
                    ],
                    links: project.map { ["project": [$0]] } ?? [:]
                )
            )
        }
    }

    /// Changes values of the task with a title.
    func edit(_ title: String, _ values: [String: Value]) async throws {
        try await store.write { writer in
            _ = try writer.update(Self.task(title, writer.db), values: values)
        }
    }

    /// Moves the task with a title to a project, or out of one.
    func move(_ title: String, to project: RecordLocator?) async throws {
        try await store.write { writer in
            _ = try writer.update(
                Self.task(title, writer.db),
                values: [:],
                links: ["project": project.map { [$0] } ?? []]
            )
        }
    }

    /// Gives a project another name.
    func rename(_ project: RecordLocator, to name: String) async throws {
        try await store.write { writer in
            _ = try writer.update(project, values: ["name": .string(name)])
        }
    }

    /// Deletes the task with a title.
    func delete(_ title: String) async throws {
        try await store.write { writer in _ = try writer.delete(Self.task(title, writer.db)) }
    }

    private static func task(_ title: String, _ db: Database) throws -> RecordLocator {
        let row = try Int64.fetchOne(
            db,
            sql: "SELECT _id FROM Task WHERE title = ?",
            arguments: [title]
        )
        return RecordLocator(RowReference("Task", try #require(row, "There is no task \(title).")))
    }

    // MARK: State

    /// Returns the projects, in the order of their rows.
    func projects() throws -> [RecordLocator] {
        try store.read { reader in
            try Int64.fetchAll(reader.db, sql: "SELECT _id FROM Project ORDER BY _id")
                .map { RecordLocator(RowReference("Project", $0)) }
        }
    }

    /// Returns the tasks, in the order of their rows.
    func tasks() throws -> [(title: String, position: Int64)] {
        try store.read { reader in
            try Row.fetchAll(reader.db, sql: "SELECT title, position FROM Task ORDER BY _id")
                .map { ($0[0], $0[1]) }
        }
    }

    /// Returns all projects and tasks of the store.
    func table() throws -> TaskTable {
        try store.read { reader in
            let projects = try Row.fetchAll(reader.db, sql: "SELECT id, name FROM Project")
                .map { TaskTable.Project(key: Self.text($0[0]), name: $0[1]) }
            let tasks = try Row.fetchAll(
                reader.db,
                sql: """
                    SELECT Task.id, title, done, position, Project.id FROM Task \
                    LEFT JOIN Project ON Task.project = Project._id
                    """
            )
            .map { row in
                TaskTable.Task(
                    key: Self.text(row[0]),
                    title: row[1],
                    isDone: row[2] ?? false,
                    position: Self.text(row[3]),
                    project: Self.text(row[4])
                )
            }
            return TaskTable(projects: projects, tasks: tasks)
        }
    }

    private static func text(_ value: DatabaseValue) -> String? {
        value.isNull ? nil : String.fromDatabaseValue(value) ?? "\(value)"
    }

    /// Returns the local changes that are left.
    func outbox() throws -> [LocalChange] {
        try store.read { reader in try Outbox(store).changes(reader.db) }
    }

    /// Returns the local changes that are left, such as `Task create rejected`.
    func changes() throws -> [String] {
        try outbox().map { "\($0.row.entity) \($0.kind) \($0.state)" }
    }

    /// Expects that the store equals the service, and that nothing is left to push.
    func expectInSync(
        _ tasks: RealTasks,
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(try table() == (try await tasks.table()), sourceLocation: location)
        #expect(try changes() == [], sourceLocation: location)
    }
}
