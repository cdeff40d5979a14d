import Foundation
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkSync
import TidemarkTestSupport
import TidemarkTesting

/// Random edits on two devices that push to each real service that is running for tests.
@Suite(
    .serialized,
    .enabled(
        if: !RealTasks.Kind.running.isEmpty,
        "No real service is tested. `make test-services` starts them."
    )
)
struct RandomPushServicesTests {
    /// Six seeds; `TIDEMARK_SEED` sets the first one.
    private static let seeds = {
        let first = ProcessInfo.processInfo.environment["TIDEMARK_SEED"].flatMap { UInt64($0) }
        return (0..<6).map { (first ?? 1) + $0 }
    }()

    private static let policies = [
        ConflictPolicies(), ConflictPolicies(default: .localWins, deletes: .localWins),
        ConflictPolicies(deletes: .editWins),
    ]

    @Test(arguments: RealTasks.Kind.running, seeds)
    func `random edits, lost responses and syncs double no object and lose none`(
        _ kind: RealTasks.Kind,
        _ seed: UInt64
    ) async throws {
        let tasks = try await RealTasks(kind)
        let policies = Self.policies[Int(seed % 3)]
        try await tasks.create("Home")
        try await SocketTransport.asyncHTTPClient.run { transport in
            let devices = try (0..<2).map { _ in
                try RealDevice(tasks, over: transport, conflicts: policies)
            }
            for device in devices { try await device.pull() }
            var schedule = RandomEdits(seed: seed)
            for _ in 0..<30 { try await schedule.step(on: devices) }
            for device in devices { device.faults.reset() }
            for _ in 0..<4 { for device in devices { try await device.syncLater() } }
            for device in devices { try await device.sync() }
            for device in devices { try await device.expectInSync(tasks) }
            try schedule.check(try await tasks.table())
        }
    }
}

/// Random edits, and what has to be left of them.
///
/// The position of a task is never changed: it identifies the creation that an object is from.
private struct RandomEdits {
    private var random: SeededGenerator

    /// The last title that each device has given to the task at a position.
    private var titles: [Int64: [Int: String]] = [:]

    /// The positions of the tasks that a device has deleted.
    private var deleted: Set<Int64> = []
    private var count: Int64 = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func number(_ range: Range<Int>) -> Int {
        Int.random(in: range, using: &random)
    }

    /// Performs a step on one of the devices.
    mutating func step(on devices: [RealDevice]) async throws {
        let index = number(0..<devices.count)
        let device = devices[index]
        switch number(0..<20) {
        case 0..<4:
            count += 1
            try await device.insert("t\(count)", position: count, in: try device.projects().first)
            titles[count] = [index: "t\(count)"]
        case 4..<8:
            guard let task = try choose(on: device) else { return }
            count += 1
            try await device.edit(task.title, ["title": .string("t\(count)")])
            titles[task.position, default: [:]][index] = "t\(count)"
        case 8:
            guard let task = try choose(on: device) else { return }
            try await device.edit(task.title, ["done": .boolean(number(0..<2) == 0)])
        case 9:
            guard let task = try choose(on: device) else { return }
            let projects = try device.projects()
            let target = number(0..<projects.count + 1)
            try await device.move(task.title, to: target < projects.count ? projects[target] : nil)
        case 10:
            guard let task = try choose(on: device) else { return }
            try await device.delete(task.title)
            deleted.insert(task.position)
        case 11:
            count += 1
            try await device.insert(project: "p\(count)")
        case 12..<14:
            let faults = LostResponses.Fault.allCases.filter { $0 != .light }
            device.faults.add((0...number(0..<3)).map { _ in faults[number(0..<faults.count)] })
        case 14: device.clock.advance(by: .seconds([1, 40, 4_000, 90_000][number(0..<4)]))
        case 15..<17: try await device.push()
        default: try await device.sync()
        }
    }

    private mutating func choose(
        on device: RealDevice
    ) throws -> (title: String, position: Int64)? {
        let rows = try device.tasks()
        return rows.isEmpty ? nil : rows[number(0..<rows.count)]
    }

    /// Checks that the service has each task once, with a title that a device has given to it last.
    func check(_ table: TaskTable) throws {
        let found = Dictionary(grouping: table.tasks) { $0.position.flatMap { Int64($0) } ?? -1 }
        for (position, objects) in found {
            #expect(objects.count == 1, "The task at \(position) exists \(objects.count) times.")
            let last = titles[position].map { Set($0.values) } ?? []
            #expect(last.contains(objects[0].title ?? "–"), "The task at \(position): \(last)")
        }
        for position in titles.keys where !deleted.contains(position) {
            #expect(found[position] != nil, "The task at \(position) is lost.")
        }
    }
}
