import GRDB
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTesting

@testable import TidemarkSync

/// Processes that sync one store with a service of tasks.
struct SharedTasks {
    let tasks: TaskService
    var clock: ManualClock { tasks.clock }

    /// The processes of this host that are not running any more.
    let ended = Locked<Set<Int64>>([])

    init(
        _ dialect: TaskService.Dialect = .rest,
        _ rules: (inout FakeWrites) -> Void = { _ in }
    )
        throws
    {
        tasks = try TaskService(dialect, rules)
    }

    /// Returns the engine of a process.
    func engine(
        _ process: Int64,
        on host: String = "here",
        over transport: (any Transport)? = nil,
        concurrency: Int = 1,
        timeout: Duration = .seconds(30)
    ) throws -> SyncEngine {
        var environment = clock.environment
        environment.process = { ProcessIdentity(host: host, number: process, started: 1) }
        environment.isRunning = { [ended] other in
            ended.withLock { !$0.contains(other.number) }
        }
        return try tasks.engine(over: transport, environment: environment) { limits in
            limits.concurrency = concurrency
            limits.http.idleTimeout = timeout
        }
    }

    /// Syncs by another process, which the cancellation of the present run does not end.
    func sync(_ process: Int64, timeout: Duration = .seconds(30)) async throws {
        let engine = try engine(process, timeout: timeout)
        _ = try await Task { try await engine.sync() }.value
    }

    /// Adds tasks to the store, as an app does.
    func add(_ titles: [String]) async throws {
        try await tasks.store.write { writer in
            for title in titles {
                _ = try writer.insert("Task", values: ["title": .string(title)])
            }
        }
    }

    /// Prints how many objects the service was asked to create with each title, if not one.
    var creations: [String: Int] {
        let titles = tasks.fake.audit.filter { $0.kind == .create }
            .compactMap { $0.object?["title"]?.string }
        return Dictionary(titles.map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// The number of changes in a state.
    func count(_ state: LocalChange.State) throws -> Int {
        try tasks.store.read { reader in
            try Outbox(tasks.store).changes(reader.db, in: state).count
        }
    }

    /// Runs a body as a process that another one keeps from continuing, and returns its error.
    func error(of body: () async throws -> Void) async -> SyncError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? SyncError)?.code
        }
    }
}
