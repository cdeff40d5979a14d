import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote

/// Objects of a page on their way into the store, some in each transaction.
protocol PageBatches: Sendable {
    /// Whether the next transaction is a part of something longer.
    var isLong: Bool { get }

    /// Applies the next objects, as many as one transaction takes.
    mutating func apply(
        _ db: Database,
        of run: ResourcePull,
        as reading: ItemFormat
    ) throws -> BatchResult
}

/// Objects that stand in memory.
struct BufferedObjects<Items: JSONItems & Sendable>: PageBatches {
    private var items: Items
    private(set) var isLong = false

    init(_ items: Items) {
        self.items = items
    }

    mutating func apply(
        _ db: Database,
        of run: ResourcePull,
        as reading: ItemFormat
    ) throws -> BatchResult {
        isLong = true
        return try run.step(db, &items, as: reading)
    }
}

/// Objects of a page that was put aside.
struct SpooledObjects: PageBatches {
    private let stage: Spool
    private var place: SpooledItems.Place

    var isLong: Bool { true }

    init(_ stage: Spool, at place: SpooledItems.Place) {
        self.stage = stage
        self.place = place
    }

    mutating func apply(
        _ db: Database,
        of run: ResourcePull,
        as reading: ItemFormat
    ) throws -> BatchResult {
        let staged = SpooledItems(stage, from: place, limits: run.setting.limits)
        var items = PageItems(staged, run.resource.style.objects, limits: run.setting.limits)
        var step = try run.step(db, &items, as: reading)
        place = items.base.rest
        step.isLast = place.count == 0
        return step
    }
}

/// What has come of a page so far: counts, and what its record is to name.
struct PageTally: Sendable {
    var applied = PullStateMachine.AppliedPage()
    var marks = PageRows()

    func adding(_ step: BatchResult) -> PageTally {
        var tally = self
        tally.applied.items += step.items - step.repeated
        tally.applied.repeated += step.repeated
        tally.applied.unknown += step.unknown
        tally.marks.add(step.marks)
        return tally
    }
}
