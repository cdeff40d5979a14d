public import TidemarkStore

/// Which stored rows a document speaks of: those it does not name, and only those, may be deleted.
public enum ImportScope: Sendable, Hashable {
    /// All rows of the entity.
    case entity

    /// The rows that a predicate holds for when the import begins; a row outside with the key of an
    /// item is updated all the same.
    case rows(where: RecordPredicate)

    /// The rows linked to one row; the document's items are linked to it.
    ///
    /// The relationship is the parent's; it may be left out when only one leads to the entity.
    case children(of: RecordLocator, relationship: String? = nil)
}
