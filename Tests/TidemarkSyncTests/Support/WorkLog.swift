import GRDB
import GRDBSQLite
import Synchronization
import TidemarkStore

/// A record of the statements and SQLite instructions that a store in memory executes.
final class WorkLog: Sendable {
    private struct Work {
        var statements: [String] = []
        var instructions = 0
    }

    private let work = Mutex(Work())

    /// Starts recording.
    init(_ store: Store) {
        let context = Unmanaged.passUnretained(self)
        store.writer.writeWithoutTransaction { db in
            db.trace(options: .statement) { [weak self] event in
                guard case .statement(let statement) = event else { return }
                self?.work.withLock { $0.statements.append(statement.sql) }
            }
            let count: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
                guard let context else { return 0 }
                let log = Unmanaged<WorkLog>.fromOpaque(context).takeUnretainedValue()
                log.work.withLock { $0.instructions += 1 }
                return 0
            }
            sqlite3_progress_handler(db.sqliteConnection, 1, count, context.toOpaque())
        }
    }

    /// Returns the statements and the number of instructions that `body` executes.
    func during(
        _ body: () async throws -> Void
    ) async throws -> (statements: [String], instructions: Int) {
        work.withLock { $0 = Work() }
        try await body()
        return work.withLock { ($0.statements, $0.instructions) }
    }
}
