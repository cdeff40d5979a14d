import GRDB
import Synchronization

/// A simulated crash of a process: after a number of commits, every further commit fails.
final class CrashingCommits: TransactionObserver, Sendable {
    /// The error of a commit after the crash.
    struct Crash: Error {}

    /// The number of commits before the crash; nil if no crash is planned.
    private let commits = Mutex<Int?>(nil)

    /// Crashes the process after `count` commits.
    func crash(after count: Int) {
        commits.withLock { $0 = count }
    }

    /// Starts another process, and returns whether the previous one has crashed.
    ///
    /// A process that used up its commits has crashed, even if it attempted no further commit.
    func restart() -> Bool {
        commits.withLock { commits in
            defer { commits = nil }
            return commits == 0
        }
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

    func databaseDidChange(with event: DatabaseEvent) {}

    func databaseWillCommit() throws {
        try commits.withLock { commits in
            guard let left = commits else { return }
            guard left > 0 else { throw Crash() }
            commits = left - 1
        }
    }

    func databaseDidCommit(_ db: Database) {}

    func databaseDidRollback(_ db: Database) {}
}
