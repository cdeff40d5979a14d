import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote

/// Objects of a page on their way into the store, some in each transaction.
protocol PageSource: Sendable {
    /// Whether the next transaction is a part of something longer.
    var isLong: Bool { get }

    /// Applies the next objects, as many as one transaction takes.
    mutating func apply(
        _ db: Database,
        of run: PullRun,
        as reading: ItemReading
    ) throws -> WalkStep
}

/// Objects that stand in memory.
struct HeldObjects<Items: JSONItems & Sendable>: PageSource {
    private var items: Items
    private(set) var isLong = false

    init(_ items: Items) {
        self.items = items
    }

    mutating func apply(
        _ db: Database,
        of run: PullRun,
        as reading: ItemReading
    ) throws -> WalkStep {
        isLong = true
        return try run.step(db, &items, as: reading)
    }
}

/// Objects of a page that was put aside.
struct StagedObjects: PageSource {
    private let stage: Stage
    private var place: StagedItems.Place

    var isLong: Bool { true }

    init(_ stage: Stage, at place: StagedItems.Place) {
        self.stage = stage
        self.place = place
    }

    mutating func apply(
        _ db: Database,
        of run: PullRun,
        as reading: ItemReading
    ) throws -> WalkStep {
        let staged = StagedItems(stage, from: place, limits: run.setting.limits)
        var items = PageItems(staged, run.resource.style.objects, limits: run.setting.limits)
        var step = try run.step(db, &items, as: reading)
        place = items.base.rest
        step.isLast = place.count == 0
        return step
    }
}

/// What has come of a page so far: counts, and what its record is to name.
struct PageTally: Sendable {
    var applied = SyncCycle.AppliedPage()
    var marks = WalkMarks()

    func adding(_ step: WalkStep) -> PageTally {
        var tally = self
        tally.applied.items += step.items - step.repeated
        tally.applied.repeated += step.repeated
        tally.applied.unknown += step.unknown
        tally.marks.add(step.marks)
        return tally
    }
}
