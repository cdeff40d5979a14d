import GRDB
import GRDBSQLite
import TidemarkModel

/// Writes the log back into the database on a connection of its own, while others go on writing.
///
/// SQLite does it within the commit that finds the log long, and that commit waits for the disk.
/// Of what is begun a little earlier, not much is left for a commit: the pages that were written
/// meanwhile. See "Application-Initiated Checkpoints" in <https://www.sqlite.org/wal.html>.
final class BackgroundCheckpoint: Sendable {
    private struct State {
        var isUnderWay = false
        var connection: DatabaseQueue?
    }

    private let path: String
    private let state = Locked(State())

    /// With how many pages in the log a commit writes them back.
    ///
    /// They are more than usual: transactions of a walk change the same pages, and each checkpoint
    /// writes them once more.
    private static let longLog: Int32 = 4_000

    /// With how many it is begun here: the later, the less is left over, if there is time enough.
    private static let growingLog: Int32 = 3_500

    /// Prepares checkpoints of the database at a path.
    init(_ path: String) {
        self.path = path
    }

    /// Looks at the log after each commit of a connection, in the place of what SQLite does then.
    ///
    /// - Parameter db: the connection, which must not outlive this.
    func watch(_ db: Database) {
        let watcher = Unmanaged.passUnretained(self).toOpaque()
        let look: WriteAheadLogHook = { watcher, connection, name, pages in
            guard let watcher, let name else { return SQLITE_OK }
            if pages >= BackgroundCheckpoint.longLog {
                // The commit stands whatever becomes of this, and the next one tries again.
                sqlite3_wal_checkpoint_v2(connection, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
            } else if pages >= BackgroundCheckpoint.growingLog, String(cString: name) == "main" {
                Unmanaged<BackgroundCheckpoint>.fromOpaque(watcher).takeUnretainedValue().begin()
            }
            return SQLITE_OK
        }
        sqlite3_wal_hook(db.sqliteConnection, look, watcher)
    }

    /// Waits until no checkpoint is under way here.
    func finish() {
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
                // A checkpoint that fails is left to the commit that finds the log long.
                do { try db.checkpoint(.passive) } catch {}
                end()
            }
        } catch {
            // The folder may be unreachable, or no file descriptor left: the next commit tries
            // again, for both can pass.
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

/// What SQLite calls after a commit: with what was given to it for that, the connection, the name
/// of the database and how many pages its log has.
private typealias WriteAheadLogHook =
    @convention(c) (
        UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, Int32
    ) -> Int32
