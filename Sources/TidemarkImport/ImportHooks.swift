public import GRDB
public import TidemarkModel
public import TidemarkStore

/// What an app does of its own while a document is imported.
///
/// Hooks run inside the import's transaction, on its connection. An error that one throws ends the
/// import, and nothing is changed. They run in a dry run too, whose transaction is rolled back, and
/// in a rehearsal, whose store is a copy: what they do elsewhere is done.
///
/// ```swift
/// let hooks = ImportHooks(
///     willImport: { _, item, _ in
///         item.node(at: "draft")?.boolean == true ? .skip : .keep
///     },
///     didImport: { db, row, change in
///         try db.execute(
///             sql: "INSERT INTO journal (line) VALUES (?)",
///             arguments: ["\(change) \(row)"]
///         )
///     }
/// )
/// let importer = Importer(store, hooks: hooks)
/// ```
public struct ImportHooks: Sendable {
    /// Asked for each item of the document, before it is imported: its entity comes last.
    ///
    /// Objects nested in an item are part of it. The node must not be kept.
    public var willImport: (@Sendable (Database, JSONNode, String) throws -> Decision)?

    /// Told of each row that was inserted or updated, once, when the document has been read and
    /// what it no longer names is deleted.
    public var didImport: (@Sendable (Database, RowReference, RowChange) throws -> Void)?

    /// Creates hooks; those that are left out do nothing.
    public init(
        willImport: (@Sendable (Database, JSONNode, String) throws -> Decision)? = nil,
        didImport: (@Sendable (Database, RowReference, RowChange) throws -> Void)? = nil
    ) {
        self.willImport = willImport
        self.didImport = didImport
    }

    /// What becomes of an item.
    public enum Decision: Sendable {
        /// It is imported as it is.
        case keep
        /// This is imported in its place.
        case replace(JSONDocument)
        /// It is not imported. Its row, if there is one, stays as it is: the service has named it.
        case skip
    }

    /// What happened to a row.
    public enum RowChange: String, Sendable, Hashable {
        /// It is new.
        case inserted
        /// Its values or links are others than before.
        case updated
    }
}
