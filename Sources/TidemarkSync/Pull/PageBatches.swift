import TidemarkJSON
import TidemarkModel
import TidemarkRemote

/// The objects of a page, which are applied in batches of one transaction each.
protocol PageBatches: Sendable {
    associatedtype Items: JSONItems

    /// Whether the page is too long for memory, so that it takes several transactions.
    var isSpooled: Bool { get }

    /// Whether no object remains; false also if that is only known after the next batch.
    var isAtEnd: Bool { get }

    /// Returns the remaining objects.
    func items(limits: Limits, style: ObjectStyle) -> Items

    /// Removes the objects that were read from ``items(limits:style:)``.
    mutating func advance(to rest: Items)
}

/// The objects of a page that is in memory.
struct BufferedBatches<Items: JSONItems & Sendable>: PageBatches {
    private var rest: Items

    var isSpooled: Bool { false }
    var isAtEnd: Bool { false }

    init(_ items: Items) { rest = items }

    func items(limits: Limits, style: ObjectStyle) -> Items { rest }

    mutating func advance(to rest: Items) { self.rest = rest }
}

/// The objects of a spooled page.
struct SpooledBatches: PageBatches {
    let spool: Spool
    private(set) var position: SpooledItems.Position

    var isSpooled: Bool { true }
    var isAtEnd: Bool { position.count == 0 }

    init(_ spool: Spool, at position: SpooledItems.Position) {
        self.spool = spool
        self.position = position
    }

    func items(limits: Limits, style: ObjectStyle) -> PlainObjects<SpooledItems> {
        PlainObjects(SpooledItems(spool, from: position, limits: limits), in: style, limits: limits)
    }

    mutating func advance(to rest: PlainObjects<SpooledItems>) { position = rest.base.position }
}
