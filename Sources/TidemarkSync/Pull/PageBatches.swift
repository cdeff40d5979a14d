import TidemarkJSON
import TidemarkModel
import TidemarkRemote

/// The objects of a page, which are applied in batches of one transaction each.
enum PageBatches: Sendable {
    /// The objects of a page that is in memory.
    case buffered(PlainObjects<JSONDocumentItems>)

    /// The objects of a spooled page from a position on.
    case spooled(Spool, at: SpooledItems.Position)

    /// Whether the page is too long for memory, so that it takes several transactions.
    var isSpooled: Bool {
        if case .spooled = self { true } else { false }
    }
}
