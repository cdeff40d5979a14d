import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// What happens to a service and to a store that mirrors it, step by step, by chance.
struct Schedule: Sample, Sendable {
    /// One thing that happens.
    enum Step: Sendable {
        case write(String, String)
        case remove(String)
        case wait(milliseconds: Int)
        case misbehave(FakeFault, times: Int)
        /// An object is written, or removed, once so many requests were answered.
        case meanwhile(Int, String, String?)
        /// The same with one that goes while another comes.
        case exchange(Int, gone: String, come: String, String)
        /// The service loses everything, and has some objects again.
        case flush([String])
        /// The service forgets which objects are gone.
        case purge
        /// The service's clock is set.
        case skew(seconds: Int)
        /// The service forgets the places in lists that it named.
        case losePlaces(Int, status: Int)
        /// The service reports numbers of objects that are wrong by so many, one request after the
        /// other.
        case miscount([Int])
        /// The next pull ends at so many commits, as a process that is killed does.
        case die(commits: Int, isElsewhere: Bool)
        /// The next pull is cancelled after so many requests.
        case cancel(requests: Int)
        /// Another engine pulls before a request of the next pull, which may have been silent for
        /// so long that it is taken for dead.
        case rival(requests: Int, isPatient: Bool)
        /// Somebody decides about the rows that wait for it.
        case decide(isAccepted: Bool)
        case pull(isFull: Bool)
    }

    /// How the engine works.
    struct Setting: Sendable {
        /// How many notes there are at first.
        var notes = 7
        /// How many objects a page has.
        var page = 3
        /// How many bytes of a page are held in memory.
        var bodyInMemory = 8 << 20
        /// How many rows a transaction names.
        var rows = 10_000
        /// Whether what a pull deletes is watched.
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
