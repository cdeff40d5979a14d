import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTesting

@testable import TidemarkSync

/// A service with tasks that were pulled, and are deleted in the store.
struct DeletionScene {
    let tasks: TaskService
    let log = EventLog()
    let engine: SyncEngine

    init(
        _ count: Int,
        _ dialect: TaskService.Dialect = .rest,
        over transport: ((TaskService) -> any Transport)? = nil
    ) async throws {
        tasks = try TaskService(dialect)
        let numbers = 1...count
        tasks.fake.change { data in
            for number in numbers where number > 2 {
                data["tasks/\(number)"] = ["title": .string("task \(number)"), "done": false]
            }
        }
        engine = try tasks.engine(over: transport?(tasks), onEvent: log.record)
        _ = try await engine.pull()
    }

    /// Deletes tasks here.
    func delete(_ numbers: ClosedRange<Int>) async throws {
        try await tasks.store.write { writer in
            for number in numbers { _ = try writer.delete(RecordLocator("Task:\(number)")) }
        }
    }

    /// The number of tasks here, and at the service.
    func counts() async throws -> [Int] {
        let rows = try await tasks.store.read { try $0.count(RecordRequest("Task")) }
        return [rows, (tasks.fake.data[objects: "tasks"] ?? []).count]
    }

    func pending() throws -> [String] {
        try SyncStatus.of(tasks.store, environment: tasks.clock.environment)
            .localChanges.pendingServiceDeletions.map(\.description)
    }

    func approve() async throws -> Int {
        try await tasks.store.write { [store = tasks.store] writer in
            try Outbox(store).approveDeletions(writer.db, of: "Task")
        }
    }

    func reject() async throws -> Int {
        try await tasks.store.write { [store = tasks.store] writer in
            try Outbox(store).rejectDeletions(writer.db, of: "Task")
        }
    }
}
