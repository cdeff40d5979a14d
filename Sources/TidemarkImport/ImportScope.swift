public import TidemarkStore

/// The stored rows that a document is a complete list of.
///
/// Only rows in scope can be deleted, namely those that the document does not contain. Choose the
/// scope by what was requested from the service: the whole list, a filtered list, or the list below
/// one parent. If a document is not a complete list, import it with ``ImportOperations/upsert``,
/// which makes the scope irrelevant for deletions.
///
/// ```swift
/// // The response to GET /articles?state=open
/// let open = try ImportScope.rows(where: RecordPredicate("state = 'open'"))
/// let report = try importer.import(&items, into: "Article", scope: open)
/// ```
public enum ImportScope: Sendable, Hashable {
    /// All rows of the entity, and of those that inherit from it.
    ///
    /// This is the default of an import. The entity needs a primary key; without one, the import
    /// throws ``ImportError/Code/needsParent``.
    case entity

    /// The rows that match a predicate when the import begins.
    ///
    /// An item with the key of a row outside the scope updates that row nevertheless. Rows that an
    /// item moves into the scope, or out of it, are not deleted.
    case rows(where: RecordPredicate)

    /// The rows linked to one parent row, such as the comments of a post.
    ///
    /// The document's items are linked to that row. Children that the document lacks are deleted if
    /// no other parent can have them, and otherwise unlinked. `relationship` is a relationship of
    /// the parent. It can be omitted if only one relationship leads to the entity; otherwise the
    /// import throws ``ImportError/Code/ambiguousParent``. This is the only scope for an entity
    /// without a primary key: its objects are matched with the stored children by their position.
    ///
    /// ```swift
    /// // The response to GET /posts/7/comments
    /// let comments = try ImportScope.children(of: RecordLocator("Post:7"))
    /// let report = try importer.import(&items, into: "Comment", scope: comments)
    /// ```
    case children(of: RecordLocator, relationship: String? = nil)
}
