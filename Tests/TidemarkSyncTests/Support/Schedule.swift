import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// A random sequence of steps that happen to a service and to the store that mirrors it.
struct Schedule: Sample, Sendable {
    /// A step of a schedule.
    enum Step: Sendable {
        case write(String, String)
        case remove(String)
        case wait(milliseconds: Int)
        case inject(FakeFault, times: Int)
        /// An object is written or removed after a number of requests.
        case scheduleChange(Int, String, String?)
        /// An object is removed and another one written after a number of requests.
        case exchange(Int, removed: String, inserted: String, String)
        /// The service loses all objects, and some are written again.
        case reset([String])
        /// The service purges its tombstones.
        case purge
        /// The service's clock is set.
        case skew(seconds: Int)
        /// The service rejects positions in lists that it has returned.
        case rejectPositions(Int, status: Int)
        /// The service reports wrong numbers of objects: each response is off by the next error.
        case changeCounts([Int])
        /// The next pull is killed after a number of commits.
        case crash(commits: Int, onOtherHost: Bool)
        /// The next pull is cancelled at one of its requests.
        case cancel(requests: Int)
        /// Another engine pulls before a request of the next pull, optionally after the lease of
        /// that pull has expired.
        case concurrentPull(requests: Int, afterLeaseExpiry: Bool)
        /// Pending deletions are approved or rejected.
        case decide(isApproved: Bool)
        case pull(isFull: Bool)
    }

    /// The settings of the service and of the engine.
    struct Setting: Sendable {
        /// The initial number of notes.
        var notes = 7
        /// The number of objects per page.
        var page = 3
        /// The maximum number of bytes of a page in memory.
        var bodyInMemory = 8 << 20
        /// The maximum number of rows per transaction.
        var rows = 10_000
        /// Whether the deletion guard limits what a pull deletes.
        var isGuarded = false
    }

    let dialect: Mirror.Dialect
    let seed: UInt64
    let setting: Setting
    var steps: [Step]

    init(_ dialect: Mirror.Dialect, seed: UInt64) {
        self.dialect = dialect
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        setting = Setting(&random)
        steps = (0..<Int.random(in: 4...24, using: &random)).map { _ in
            Step(&random, hasShelves: dialect.hasShelves)
        }
    }

    var smaller: [Schedule] {
        steps.indices.map { index in
            var schedule = self
            schedule.steps.remove(at: index)
            return schedule
        }
    }

    var description: String {
        "\(dialect), seed \(seed), \(setting)\n"
            + steps.map(\.description).joined(separator: "\n")
    }
}
