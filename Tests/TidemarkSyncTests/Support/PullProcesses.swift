import GRDB
import Synchronization
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTesting

/// Processes that pull into one store, one after the other, some of which are killed.
final class PullProcesses: Sendable {
    private let mirror: Mirror
    private let crashes = CrashingCommits()
    private let process = Mutex<Int64>(1)

    init(_ mirror: Mirror) {
        self.mirror = mirror
        mirror.store.writer.add(transactionObserver: crashes, extent: .databaseLifetime)
    }

    /// Pulls in small transactions, from spooled pages, until `commits` commits were made.
    ///
    /// - Throws: `CrashingCommits.Crash` if the pull was killed before its end.
    @discardableResult
    func pull(
        over transport: (any Transport)? = nil,
        until commits: Int? = nil,
        isFull: Bool = false
    ) async throws -> SyncReport {
        let number = process.withLock { $0 }
        var environment = mirror.clock.environment
        environment.process = { ProcessIdentity(host: "here", number: number, started: 0) }
        environment.isRunning = { $0.number == number }
        let engine = try mirror.engine(over: transport, environment) { limits in
            limits.http.bodyInMemory = 48
            limits.rowsInTransaction = 1
        }
        if let commits { crashes.crash(after: commits) }
        defer {
            if crashes.restart() { process.withLock { $0 += 1 } }
        }
        var options = PullOptions()
        options.isFull = isFull
        options.deletionGuard = nil
        return try await engine.report(options)
    }
}
