public import TidemarkStore

/// The stored rows that a document is a complete list of.
///
/// Only rows in scope can be deleted, namely those that the document does not contain.
public enum ImportScope: Sendable, Hashable {
    /// All rows of the entity.
    case entity

    /// The rows that match a predicate when the import begins.
    ///
    /// An item with the key of a row outside the scope updates that row nevertheless.
    case rows(where: RecordPredicate)

    /// The rows linked to one parent row.
    ///
    /// The document's items are linked to that row.
    ///
    /// `relationship` is a relationship of the parent. It can be omitted if only one relationship
    /// leads to the entity.
    case children(of: RecordLocator, relationship: String? = nil)
}
