public import TidemarkModel

/// A row that a commit inserted, updated or deleted.
///
/// It compares the row before the commit with the row after it, however often the commit wrote it.
/// A row that the commit inserted and deleted, or changed and changed back, has no change.
public struct RowChange: Sendable, Hashable {
    /// What happened to the row.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// The row did not exist before.
        case insert
        /// The row existed before, and its entity, its key or a property differs.
        case update
        /// The row existed before, and is deleted.
        case delete
    }

    /// What happened to the row.
    public let kind: Kind

    /// The row's most derived entity; for a deleted row, the last one it had.
    public let entity: String

    /// The row's number, `_id`, which is never used again.
    public let row: Int64

    /// The primary key after the commit; for a deleted row, the last one before it.
    ///
    /// It is nil if the entity has no primary key, or the row has no value for a part of it.
    public let key: RecordKey?

    /// The names of the properties that differ, in the order of the model, attributes before
    /// relationships.
    ///
    /// For an inserted row they are those with a value or a link; for a deleted row there are no
    /// names. A link between a to-one and a to-many relationship counts for the to-one side; a link
    /// between two relationships of the same kind counts for both rows. A new order of a list
    /// counts for the row whose list it is.
    ///
    /// The list is empty for an update of the key alone: a key that contains that of a parent, or
    /// that a migration has changed.
    public let properties: [String]

    /// Creates a change.
    package init(
        _ kind: Kind,
        of entity: String,
        row: Int64,
        key: RecordKey?,
        properties: [String] = []
    ) {
        self.kind = kind
        self.entity = entity
        self.row = row
        self.key = key
        self.properties = properties
    }
}

/// Changes of one commit, in the order in which it first wrote the rows.
public struct ChangeBatch: Sendable, Hashable {
    /// The number of the commit: a later commit has a greater one.
    ///
    /// Numbers may have gaps, and start again when a store is opened.
    public let commit: Int

    /// The changes, each row at most once in a commit.
    public let changes: [RowChange]

    /// Whether these are the last changes of the commit.
    ///
    /// A commit of more than 1,000 changed rows is returned in several batches, so that memory does
    /// not grow with it.
    public let isLast: Bool

    /// Creates a batch.
    package init(commit: Int, changes: [RowChange], isLast: Bool) {
        self.commit = commit
        self.changes = changes
        self.isLast = isLast
    }
}
