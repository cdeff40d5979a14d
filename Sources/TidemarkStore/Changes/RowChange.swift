public import TidemarkModel

/// A row that a commit inserted, updated or deleted.
///
/// Use changes to update what is derived from the rows, such as a search index, a cache or another
/// database. To show rows in a view, a `ValueObservation` of GRDB is simpler.
///
/// A change compares the row before the commit with the row after it, however often the commit
/// wrote it. A row that the commit inserted and deleted, or changed and changed back, has no
/// change. A change contains no values: read the row.
///
/// ```swift
/// for try await batch in try await store.changes() {
///     let changed = batch.changes.filter { $0.entity == "Film" && $0.kind != .delete }
///     let films = try await store.read { reader in
///         try changed.filter { $0.properties.contains("title") }.map {
///             try reader.record(RecordLocator(RowReference($0.entity, $0.rowNumber)))
///         }
///     }
///     print(films.map { $0["title"] })
/// }
/// ```
public struct RowChange: Sendable, Hashable {
    /// The effect of a commit on a row: insert, update or delete.
    ///
    /// The raw values are those of the member `change` in the lines of `tidemark import --changes`.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// The row did not exist before the commit.
        ///
        /// An object that is deleted and inserted again is a new row with another number.
        case insert

        /// The row existed before, and its entity, its primary key or a property differs.
        ///
        /// It also applies to rows that an import of an existing object (upsert) changed. An object
        /// that was imported without a difference has no change.
        case update

        /// The row existed before, and is deleted.
        ///
        /// It may have been deleted by a local write, by a delete rule of the model, or because a
        /// complete list of the service no longer contains it.
        case delete
    }

    /// The effect of the commit on the row.
    public let kind: Kind

    /// The row's most derived entity; for a deleted row, the last one it had.
    public let entity: String

    /// The row number, `_id`, which is never used again.
    public let rowNumber: Int64

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
        rowNumber = row
        self.key = key
        self.properties = properties
    }
}

/// Changes of one commit, in the order in which it first wrote the rows.
///
/// A commit of more than 1,000 changed rows is returned in several batches, so that memory does not
/// grow with it: ``isLast`` marks the last one. Process a batch in one step, for example in one
/// transaction of another database, and record ``commit`` only with the last batch of a commit.
///
/// ```swift
/// let changes = try store.changes()
/// while let batch = try changes.poll() {
///     print(batch.commit, batch.changes.count, batch.isLast)   // 1 1000 false
/// }
/// ```
public struct ChangeBatch: Sendable, Hashable {
    /// The number of the commit: a later commit has a greater one.
    ///
    /// All batches of a commit have the same number. Numbers may have gaps, and start again when a
    /// store is opened: do not compare them with numbers from before.
    public let commit: Int

    /// The changes, at most 1,000; a row occurs once in a commit, whatever its number of batches.
    public let changes: [RowChange]

    /// Whether these are the last changes of the commit.
    ///
    /// It is false for all but the last batch of a commit with more than 1,000 changed rows, and
    /// true for every other batch.
    public let isLast: Bool

    /// Creates a batch.
    package init(commit: Int, changes: [RowChange], isLast: Bool) {
        self.commit = commit
        self.changes = changes
        self.isLast = isLast
    }
}
