import TidemarkTestSupport
import TidemarkTesting

/// A random sequence of steps that happen to a service and to the devices that change its objects.
struct PushSchedule: Sample, Sendable {
    /// A step of a schedule; the first number is that of a device.
    ///
    /// A row is meant by a number, which selects one of those that exist then.
    enum Step: Sendable {
        case insert(Int, hasProject: Bool)
        case edit(Int, row: Int)
        case finish(Int, row: Int)
        case estimate(Int, row: Int)
        /// The device removes the title, which the service may require.
        case clear(Int, row: Int)
        case move(Int, row: Int, project: Int)
        case delete(Int, row: Int)
        case insertProject(Int)
        case deleteProject(Int, row: Int)
        case sync(Int)
        case push(Int)
        case pull(Int)
        /// The next changes that the device sends have faults, one after the other.
        case inject(Int, [FakeFault])
        /// The device edits a row while one of the next requests is on its way.
        case editWhileSending(Int, requests: Int, row: Int)
        case deleteWhileSending(Int, requests: Int, row: Int)
        /// The user of the device discards a change while one of the next requests is on its way.
        case discardWhileSending(Int, requests: Int, change: Int)
        /// Another device syncs while one of the next requests is on its way; if it is the same
        /// one, that is another process with the same store.
        case syncWhileSending(Int, requests: Int, other: Int)
        /// The next run of the device is killed after a number of commits.
        case crash(Int, commits: Int)
        case cancel(Int, requests: Int)
        /// The process of the device is suspended, often longer than its lease lasts, while one of
        /// the next requests is on its way, and another process syncs meanwhile.
        case outlive(Int, requests: Int, seconds: Int)
        /// The file of the store is copied.
        case backUp(Int)
        /// The copy replaces the store.
        case restore(Int)
        /// Another program removes the triggers that record edits.
        case dropTriggers(Int)
        case wait(seconds: Int)
    }

    let dialect: TaskService.Dialect
    let seed: UInt64
    let devices: Int
    let policies: Int

    /// What the service does that its responses do not say.
    let habits: FakeHabits

    /// Whether the service rejects tasks without a title.
    let requiresTitle: Bool
    var steps: [Step]

    init(_ dialect: TaskService.Dialect, seed: UInt64) {
        self.dialect = dialect
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        devices = Int.random(in: 2...5, using: &random)
        policies = Int.random(in: 0...3, using: &random)
        var habits = FakeHabits(&random)
        requiresTitle = Int.random(in: 0...2, using: &random) == 0
        if Int.random(in: 0...2, using: &random) == 0 { habits.linkList = dialect.linkList }
        self.habits = habits
        let devices = devices
        steps = (0..<Int.random(in: 4...28, using: &random)).map { _ in
            Step(&random, devices: devices)
        }
    }

    /// Whether changes may be left at the end, each with a reason: the service rejects some, never
    /// makes them, makes other texts of them, or shows neither in lists nor in objects that it has
    /// made them.
    var leavesChanges: Bool {
        requiresTitle || hasUnrecordedEdits || habits.normalizesTexts || habits.acceptance != nil
            || !habits.readOnly.isEmpty || !habits.immutable.isEmpty
            || min(habits.listLag, habits.objectLag) > .zero
    }

    /// Whether another program removes the triggers that record edits.
    var hasUnrecordedEdits: Bool {
        steps.contains { step in
            if case .dropTriggers = step { true } else { false }
        }
    }

    /// Whether a device copies its store.
    func copies(_ device: Int) -> Bool {
        steps.contains { step in
            if case .backUp(device) = step { true } else { false }
        }
    }

    var smaller: [PushSchedule] {
        steps.indices.map { index in
            var schedule = self
            schedule.steps.remove(at: index)
            return schedule
        }
    }

    var description: String {
        "\(dialect), seed \(seed), \(devices) devices, policies \(policies), "
            + "\(requiresTitle ? "titles required, " : "")\(habits)\n"
            + steps.map { "\($0)" }.joined(separator: "\n")
    }
}

extension PushSchedule.Step {
    init(_ random: inout SeededGenerator, devices: Int) {
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        let device = number(0...devices - 1)
        switch number(0...46) {
        case 0...3: self = .insert(device, hasProject: number(0...2) == 0)
        case 4...8: self = .edit(device, row: number(0...7))
        case 9...10: self = .finish(device, row: number(0...7))
        case 11...12: self = .move(device, row: number(0...7), project: number(0...4))
        case 13...14: self = .delete(device, row: number(0...7))
        case 15: self = .insertProject(device)
        case 16: self = .deleteProject(device, row: number(0...3))
        case 17...18: self = .push(device)
        case 19...20: self = .pull(device)
        case 21...23:
            self = .inject(device, (0...number(0...2)).map { _ in Self.fault(number(0...8)) })
        case 24: self = .editWhileSending(device, requests: number(1...4), row: number(0...7))
        case 25: self = .crash(device, commits: number(0...9))
        case 26: self = .cancel(device, requests: number(1...5))
        case 27: self = .wait(seconds: [1, 40, 4_000, 90_000][number(0...3)])
        case 28...29:
            self = .syncWhileSending(
                device,
                requests: number(1...4),
                other: number(0...devices - 1)
            )
        case 30: self = .deleteWhileSending(device, requests: number(1...4), row: number(0...7))
        case 31: self = .discardWhileSending(device, requests: number(1...4), change: number(0...3))
        case 32...34: self = .estimate(device, row: number(0...7))
        case 35: self = .clear(device, row: number(0...7))
        case 36:
            self = .outlive(
                device,
                requests: number(1...4),
                seconds: [10, 65, 200, 4_000][number(0...3)]
            )
        case 37...38: self = .backUp(device)
        case 39: self = .restore(device)
        case 40: self = .dropTriggers(device)
        default: self = .sync(device)
        }
    }

    private static func fault(_ kind: Int) -> FakeFault {
        switch kind {
        case 0...1: .lostResponse
        case 2: .failingAfterCommit(500)
        case 3: .connectionClosed
        case 4: .status(503, retryAfter: .seconds(3))
        case 5: .status(500)
        case 6: .html
        case 7: .status(401)
        default: .status(429)
        }
    }
}

extension FakeHabits {
    /// One of three services has no habits, and none more than two.
    fileprivate init(_ random: inout SeededGenerator) {
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        self.init()
        for _ in 0..<number(0...2) {
            switch number(0...7) {
            case 0:
                readOnly.formUnion(
                    [["effort"], ["done"], ["project_id", "project"]][number(0...2)]
                )
            case 1: immutable.insert(["effort", "title"][number(0...1)])
            case 2: normalizesTexts = true
            case 3: respondsWithFormer = true
            case 4: hidesFailures = true
            case 5: listLag = .seconds([2, 50, 500][number(0...2)])
            case 6: objectLag = .seconds([2, 50, 500][number(0...2)])
            default:
                acceptance =
                    number(0...3) == 0 ? .never : .later(.seconds([0, 30, 3_000][number(0...2)]))
            }
        }
    }
}
