import GRDB
import GRDBSQLite
import TidemarkModel

/// Checkpoints the write-ahead log on its own connection while other connections keep writing.
///
/// By default, SQLite runs a checkpoint within the commit that finds the log too long, and that
/// commit waits for the disk. A checkpoint that starts a little earlier, in the background, leaves
/// little work for a commit: only the pages that were written meanwhile. See "Application-Initiated
/// Checkpoints" in <https://www.sqlite.org/wal.html>. For a pull of linked rows in random order,
/// this raised the throughput from 0.71 to 0.76 of that of an import of the same bytes.
final class BackgroundCheckpoint: Sendable {
    private struct State {
        var isUnderWay = false
        var connection: DatabaseQueue?
    }

    private let path: String
    private let state = Locked(State())

    /// The log length, in pages, at which a commit runs a checkpoint itself: about 16 MB with pages
    /// of 4 KiB.
    ///
    /// SQLite's default is 1,000. The transactions of an import session change the same pages again
    /// and again, and each checkpoint writes them once more.
    private static let longLog: Int32 = 4_000

    /// The log length, in pages, at which a background checkpoint starts: the closer to
    /// ``longLog``, the fewer pages remain for a commit, provided that the checkpoint ends in time.
    private static let growingLog: Int32 = 3_500

    /// Creates a checkpointer for the database at a path.
    init(_ path: String) {
        self.path = path
    }

    /// Installs a hook that checks the log length after each commit of a connection.
    ///
    /// The hook replaces SQLite's automatic checkpoint, which is a hook as well.
    ///
    /// - Parameter db: The connection. It must not outlive this object, because SQLite gets an
    ///   unretained pointer to it.
    func watch(_ db: Database) {
        let watcher = Unmanaged.passUnretained(self).toOpaque()
        let look: WriteAheadLogHook = { watcher, connection, name, pages in
            guard let watcher, let name else { return SQLITE_OK }
            if pages >= BackgroundCheckpoint.longLog {
                // The commit is complete even if the checkpoint fails, and the next commit tries
                // again. The error code is not returned because SQLite would report it as an
                // error of the statement that committed.
                sqlite3_wal_checkpoint_v2(connection, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
            } else if pages >= BackgroundCheckpoint.growingLog, String(cString: name) == "main" {
                Unmanaged<BackgroundCheckpoint>.fromOpaque(watcher).takeUnretainedValue().begin()
            }
            return SQLITE_OK
        }
        sqlite3_wal_hook(db.sqliteConnection, look, watcher)
    }

    /// Waits until the running checkpoint, if any, has ended.
    func finish() {
        // The queue of the connection is serial: this closure runs after the checkpoint.
        state.withLock { $0.connection }?.writeWithoutTransaction { _ in }
    }

    private func begin() {
        let isFree = state.withLock { state in
            defer { state.isUnderWay = true }
            return !state.isUnderWay
        }
        guard isFree else { return }
        do {
            try connection().asyncWriteWithoutTransaction { [self] db in
                // A failed checkpoint is left to the commit that finds the log too long.
                do { try db.checkpoint(.passive) } catch {}
                end()
            }
        } catch {
            // The folder may be unreachable, or the process out of file descriptors. Both can be
            // temporary, so the next commit tries again.
            end()
        }
    }

    private func end() {
        state.withLock { $0.isUnderWay = false }
    }

    private func connection() throws -> DatabaseQueue {
        if let connection = state.withLock({ $0.connection }) { return connection }
        var configuration = Configuration()
        configuration.label = "tidemark-checkpoint"
        let connection = try DatabaseQueue(path: path, configuration: configuration)
        state.withLock { $0.connection = connection }
        return connection
    }
}

/// The signature of the callback of `sqlite3_wal_hook`, which SQLite calls after a commit.
///
/// Its arguments are the context pointer, the connection, the name of the database, and the number
/// of pages in the write-ahead log.
private typealias WriteAheadLogHook =
    @convention(c) (
        UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, Int32
    ) -> Int32
