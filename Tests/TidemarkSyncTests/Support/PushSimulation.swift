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
        let tasks = try TaskService(schedule.dialect) { rules in
            rules.habits = schedule.habits
            // What no object shows cannot be compared with edits that were not recorded.
            rules.habits.nullable = schedule.dialect.nullable
            if schedule.habits.linkList != nil { rules.habits.nullable.remove("project_id") }
            if schedule.requiresTitle { rules.required["tasks"] = ["title"] }
        }
        self.tasks = tasks
        devices = try (0..<schedule.devices).map { number in
            try SimulatedDevice(
                number,
                tasks,
                policies: Self.policies[schedule.policies],
                isInFile: schedule.copies(number)
            )
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
    /// changed the same object, only one of them pushes its decision in each round. That an object
    /// does not exist is proven by several rounds, after which the user decides about its row.
    private var rounds: Int {
        let isDecidedByUsers = schedule.policies == Self.policies.count - 1
        return isDecidedByUsers ? devices.count + 3 : 4
    }

    /// Executes all steps, ends all faults, checks the final state, and returns the trace.
    func run() async throws -> String {
        do {
            for device in devices { try await device.run(.pull, trace) }
            for step in schedule.steps {
                trace.append("# \(step)")
                try await perform(step)
                for device in devices {
                    try device.check()
                    try device.checkJournal(
                        against: tasks.fake.audit,
                        by: schedule.habits,
                        isFinal: false
                    )
                }
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
            try devices[number].insert(title: nextTitle(), hasProject: hasProject)
        case .edit(let number, let row): try devices[number].edit(row, title: nextTitle())
        case .estimate(let number, let row):
            titles += 1
            try devices[number].estimate(row, effort: Double(titles) + 0.25)
        case .clear(let number, let row): try devices[number].clear(row)
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
            let (device, title) = (devices[number], nextTitle())
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
        case .outlive(let number, let requests, let seconds):
            let (device, clock, trace) = (devices[number], tasks.clock, trace)
            device.transport.before(requests) {
                clock.advance(by: .seconds(seconds))
                try await device.run(.sync, trace, asOtherProcess: true)
            }
        case .backUp(let number): try devices[number].backUp()
        case .restore(let number): try devices[number].restore()
        case .dropTriggers(let number): try devices[number].file.store.dropCaptureTriggers()
        case .wait(let seconds): tasks.clock.advance(by: .seconds(seconds))
        }
    }

    /// A title that no task has had; at some services not in the form in which they store texts.
    private func nextTitle() -> String {
        titles += 1
        return schedule.habits.normalizesTexts && titles.isMultiple(of: 2)
            ? " t\(titles) & more" : "t\(titles)"
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
                try device.approveDeletions()
                try device.decideDoubtfulCreations(by: schedule.habits)
                try device.check()
            }
        }
        tasks.clock.advance(by: .seconds(8_000))
        for device in devices { try await device.run(.fullSync, trace) }
        try checkCreations()
        let fresh = try SimulatedDevice(9, tasks)
        try await fresh.run(.pull, trace)
        let expected = try fresh.table()
        let deletions = Set(
            tasks.fake.audit.filter { $0.kind == .delete }
                .compactMap { $0.path.split(separator: "/").last.map(String.init) }
        )
        for device in devices {
            let unsettled = try device.unsettledKeys()
            let showsProjects =
                try schedule.habits.linkList == nil || !device.hasUnsettledProjects()
            let shown = try fresh.table(showingProjects: showsProjects)
            try same(
                Self.lines(try device.table(settled: true, showingProjects: showsProjects)),
                Self.lines(shown.filter { !unsettled.contains($0.key) }),
                "Device \(device.number) is not in sync."
            )
            try device.checkJournal(
                against: tasks.fake.audit,
                by: schedule.habits,
                isFinal: true
            )
            try device.checkLinks(
                by: schedule.habits,
                deletions: deletions,
                keys: Set(expected.keys),
                besides: devices.filter { $0.number != device.number }
            )
            try device.checkOutbox(
                leavesChanges: schedule.leavesChanges,
                leavesDrafts: schedule.hasUnrecordedEdits
            )
        }
    }

    private static func lines(_ table: [String: String]) -> String {
        table.values.sorted().joined(separator: "\n")
    }
}
