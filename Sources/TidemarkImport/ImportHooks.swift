public import TidemarkJSON
import TidemarkModel
public import TidemarkStore

/// Callbacks that run an app's own code during an import.
///
/// Use ``willImport`` to filter or rewrite the objects of a service, and ``didImport`` to keep
/// tables of the app up to date, such as a full-text index or a journal. To observe changes after
/// they were committed, from any writer, use `Store.changes()` instead.
///
/// Hooks run inside the import's transaction, on its connection. An error that a hook throws ends
/// the import and rolls its transaction back. Hooks also run in a dry run, whose transaction is
/// rolled back, and in a dry run of a pull, which works on a copy of the store. Side effects
/// outside the database, such as a request or a written file, are not undone.
///
/// ```swift
/// var hooks = ImportHooks()
/// hooks.on(
///     User.self,
///     willImport: { _, item in item.node(at: "draft")?.boolean == true ? .skip : .keep },
///     didImport: { writer, user, change in
///         try writer.insert(Note(text: "\(change) \(user.name)"))
///     }
/// )
/// let importer = Importer(store, hooks: hooks)
/// ```
///
/// What a hook writes is not a local change: it is not pushed.
///
/// When hooks change, increase the `version` of the ``Importer``: a pull then reads again what it
/// has read with the previous hooks.
public struct ImportHooks: Sendable {
    /// Called for each item of the document before the item is imported.
    ///
    /// The arguments are a reader of the transaction, the item, and the name of its entity. The
    /// node is valid only until the closure returns. Objects nested in an item are part of it: the
    /// hook is not called for them. The default is nil, which keeps every item.
    ///
    /// <!-- example: var hooks = ImportHooks() -->
    /// ```swift
    /// hooks.willImport = { _, item, entity in
    ///     entity == "Article" && item.node(at: "state")?.string == "draft" ? .skip : .keep
    /// }
    /// ```
    public var willImport: (@Sendable (StoreReader, JSONNode, String) throws -> Decision)?

    /// Called once for each row that was inserted or updated, at the end of the transaction.
    ///
    /// At that time, the rows that the document no longer contains have been deleted, and links are
    /// complete. Rows nested in items are included; a row whose links alone changed counts as
    /// updated. The hook is not called for deleted rows.
    ///
    /// <!-- example: var hooks = ImportHooks() -->
    /// ```swift
    /// hooks.didImport = { writer, row, change in
    ///     guard row.entity == "Article", change == .insert else { return }
    ///     try writer.db.execute(
    ///         sql: "INSERT INTO unread (article) VALUES (?)",
    ///         arguments: [row.number]
    ///     )
    /// }
    /// ```
    public var didImport: (@Sendable (StoreWriter, RowReference, RowChange.Kind) throws -> Void)?

    /// Creates hooks.
    ///
    /// A hook that is omitted does nothing, and costs nothing.
    ///
    /// - Parameters:
    ///   - willImport: Called for each item before it is imported; decides whether it is.
    ///   - didImport: Called for each row that was inserted or updated, before the commit.
    public init(
        willImport: (@Sendable (StoreReader, JSONNode, String) throws -> Decision)? = nil,
        didImport: (@Sendable (StoreWriter, RowReference, RowChange.Kind) throws -> Void)? = nil
    ) {
        self.willImport = willImport
        self.didImport = didImport
    }

    /// What an import does with an item, as ``willImport`` decides.
    ///
    /// ```swift
    /// let hooks = ImportHooks(willImport: { _, item, _ in
    ///     guard let wrapped = item.node(at: "attributes")?.string else { return .keep }
    ///     return .replace(try JSONDocument(Array(wrapped.utf8)))
    /// })
    /// ```
    public enum Decision: Sendable {
        /// Imports the item unchanged.
        case keep
        /// Imports the root of this document instead of the item.
        ///
        /// The entity, the scope and the options stay those of the import. The document may have
        /// another primary key than the item: the row of that key is then inserted or updated, and
        /// the item's own row counts as not listed.
        case replace(JSONDocument)
        /// Does not import the item.
        ///
        /// An existing row is left unchanged, and is not deleted as unlisted, because the service
        /// listed it. No row is inserted.
        case skip
    }
}
