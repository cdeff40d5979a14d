public import GRDB
public import TidemarkJSON
import TidemarkModel
public import TidemarkStore

/// Callbacks that run an app's own code during an import.
///
/// Hooks run inside the import's transaction, on its connection. An error that a hook throws ends
/// the import and rolls its transaction back. Hooks also run in a dry run, whose transaction is
/// rolled back, and in a dry run of a pull, which works on a copy of the store. Side effects
/// outside the database, such as a request or a written file, are not undone.
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
    /// Called for each item of the document before the item is imported.
    ///
    /// The last argument is the name of the item's entity.
    ///
    /// Objects nested in an item are part of it: the hook is not called for them. The node is valid
    /// only until the closure returns.
    public var willImport: (@Sendable (Database, JSONNode, String) throws -> Decision)?

    /// Called once for each row that was inserted or updated, at the end of the transaction, after
    /// rows that the document no longer contains have been deleted.
    public var didImport: (@Sendable (Database, RowReference, RowChange) throws -> Void)?

    /// Creates hooks.
    ///
    /// A hook that is omitted does nothing.
    public init(
        willImport: (@Sendable (Database, JSONNode, String) throws -> Decision)? = nil,
        didImport: (@Sendable (Database, RowReference, RowChange) throws -> Void)? = nil
    ) {
        self.willImport = willImport
        self.didImport = didImport
    }

    /// What to do with an item.
    public enum Decision: Sendable {
        /// Imports the item unchanged.
        case keep
        /// Imports the root of this document instead of the item.
        case replace(JSONDocument)
        /// Does not import the item.
        ///
        /// An existing row is left unchanged, and is not deleted as unlisted, because the service
        /// listed it.
        case skip
    }

    /// The kind of a row's change.
    public enum RowChange: String, Sendable, Hashable {
        /// The row is new.
        case inserted
        /// Values or links of the row have changed.
        case updated
    }
}
