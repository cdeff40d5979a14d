import GRDB
import Synchronization
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

import struct Foundation.Date

@testable import TidemarkSync

/// The execution of a schedule on several devices, which checks invariants after each step.
final class PushSimulation {
    private let schedule: PushSchedule
    private let tasks: TaskService
    private let devices: [SimulatedDevice]
    private let trace = TraceLog()

    /// The number of titles that were written, each of which is unique.
    private var titles = 0

    init(_ schedule: PushSchedule) throws {
        self.schedule = schedule
        let tasks = try TaskService(schedule.dialect)
        self.tasks = tasks
        devices = try (0..<schedule.devices).map { number in
            var own = tasks
            own.store = try Store.validated(model: tasks.store.model)
            return SimulatedDevice(number, own, policies: Self.policies[schedule.policies])
        }
    }

    private static let policies = [
        ConflictPolicies(),
        ConflictPolicies(default: .localWins, deletes: .localWins),
        ConflictPolicies(default: .latestWins(by: "title"), deletes: .editWins),
        ConflictPolicies(default: .manual, deletes: .manual),
    ]

    /// How often all devices sync until each has pushed what it had to push.
    ///
    /// The decision of a user is about the object that the user has seen: where all devices have
    /// changed the same object, only one of them pushes its decision in each round.
    private var rounds: Int {
        let isDecidedByUsers = schedule.policies == Self.policies.count - 1
        return isDecidedByUsers ? max(4, devices.count) : 4
    }

    /// Executes all steps, ends all faults, checks the final state, and returns the trace.
    func run() async throws -> String {
        do {
            for device in devices { try await device.run(.pull, trace) }
            for step in schedule.steps {
                trace.append("# \(step)")
                try await perform(step)
                for device in devices { try device.check() }
                try checkCreations()
            }
            trace.append("# no more faults")
            try await checkConvergence()
        } catch {
            throw Counterexample("\(error)\nTrace:\n\(fullTrace)")
        }
        return fullTrace
    }

    private var fullTrace: String {
        (trace.lines + ["# audit"] + tasks.fake.audit.map(\.description)).joined(separator: "\n")
    }

    // MARK: Steps

    private func perform(_ step: PushSchedule.Step) async throws {
        switch step {
        case .insert(let number, let hasProject):
            titles += 1
            try devices[number].insert(title: "t\(titles)", hasProject: hasProject)
        case .edit(let number, let row):
            titles += 1
            try devices[number].edit(row, title: "t\(titles)")
        case .finish(let number, let row): try devices[number].finish(row)
        case .move(let number, let row, let project): try devices[number].move(row, to: project)
        case .delete(let number, let row): try devices[number].delete(row, of: "Task")
        case .insertProject(let number): try devices[number].insertProject()
        case .deleteProject(let number, let row): try devices[number].delete(row, of: "Project")
        case .sync(let number): try await devices[number].run(.sync, trace)
        case .push(let number): try await devices[number].run(.push, trace)
        case .pull(let number): try await devices[number].run(.pull, trace)
        case .inject(let number, let faults): devices[number].transport.add(faults)
        case .editWhileSending(let number, let requests, let row):
            titles += 1
            let (device, title) = (devices[number], "t\(titles)")
            device.transport.before(requests) { try device.edit(row, title: title) }
        case .deleteWhileSending(let number, let requests, let row):
            let device = devices[number]
            device.transport.before(requests) { try device.delete(row, of: "Task") }
        case .discardWhileSending(let number, let requests, let change):
            let device = devices[number]
            device.transport.before(requests) { try device.discard(change) }
        case .syncWhileSending(let number, let requests, let other):
            let (device, other, trace) = (devices[number], devices[other], trace)
            device.transport.before(requests) {
                try await other.run(.sync, trace, asOtherProcess: device.number == other.number)
            }
        case .crash(let number, let commits):
            devices[number].crash(after: commits)
            try await devices[number].run(.sync, trace)
        case .cancel(let number, let requests):
            devices[number].transport.before(requests) {
                withUnsafeCurrentTask { $0?.cancel() }
            }
            try await devices[number].run(.sync, trace)
        case .wait(let seconds): tasks.clock.advance(by: .seconds(seconds))
        }
    }

    // MARK: Invariants

    /// Checks that no object was created twice, unless it was deleted in between.
    private func checkCreations() throws {
        var markers: [String: String] = [:]
        var living: Set<String> = []
        for effect in tasks.fake.audit {
            let marker = effect.object?["due_on"] ?? effect.object?["dueOn"]
            switch effect.kind {
            case .create:
                guard let marker = marker?.string else { continue }
                guard living.insert(marker).inserted else {
                    throw Counterexample("The object \(marker) was created twice.")
                }
                markers[effect.path] = marker
            case .delete: if let marker = markers[effect.path] { living.remove(marker) }
            case .update: break
            }
        }
    }

    private func checkConvergence() async throws {
        for device in devices { device.endFaults() }
        for _ in 0..<rounds {
            for device in devices {
                tasks.clock.advance(by: .seconds(8_000))
                try await device.run(.fullSync, trace)
                try device.resolveConflicts()
                try device.decideDoubtfulCreations()
                try device.check()
            }
        }
        for device in devices { try await device.run(.fullSync, trace) }
        try checkCreations()
        var own = tasks
        own.store = try Store.validated(model: tasks.store.model)
        let fresh = SimulatedDevice(9, own, policies: ConflictPolicies())
        try await fresh.run(.pull, trace)
        let expected = try fresh.table()
        for device in devices {
            try same(try device.table(), expected, "Device \(device.number) is not in sync.")
            let left = try device.tasks.changes()
            guard left.isEmpty else {
                throw Counterexample("Device \(device.number) has not pushed: \(left)")
            }
            try device.checkJournal(tasks.fake.audit)
        }
    }
}
