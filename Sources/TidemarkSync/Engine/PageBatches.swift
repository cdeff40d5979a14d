import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote

/// The objects of a page, applied in batches of one transaction each.
protocol PageBatches: Sendable {
    /// Whether the next transaction belongs to a page that takes several.
    var isLong: Bool { get }

    /// Applies the next objects, as many as one transaction may take.
    mutating func apply(
        _ db: Database,
        of run: ResourcePull,
        as reading: ItemFormat
    ) throws -> BatchResult
}

/// The objects of a page that is in memory.
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

/// The objects of a spooled page.
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

/// The results for a page so far: the counts, and the rows for its cached metadata.
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
