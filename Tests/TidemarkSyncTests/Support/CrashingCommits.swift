import GRDB
import Synchronization

/// The end of a process as its store sees it: from one commit on nothing is written any more.
final class CrashingCommits: TransactionObserver, Sendable {
    /// What a process meets that has no time to say so.
    struct Death: Error {}

    /// How many commits are left; nil where there is no end.
    private let commits = Mutex<Int?>(nil)

    /// Ends the process after so many commits.
    func die(after count: Int) {
        commits.withLock { $0 = count }
    }

    /// Begins another process; tells whether the last one has died.
    func revive() -> Bool {
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
            guard left > 0 else { throw Death() }
            commits = left - 1
        }
    }

    func databaseDidCommit(_ db: Database) {}

    func databaseDidRollback(_ db: Database) {}
}
