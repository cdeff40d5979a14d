public import GRDB
public import TidemarkModel
public import TidemarkStore

/// Brings JSON documents into a store: finds each object's row by its key, writes what differs, and
/// deletes what the document no longer names.
///
/// ```swift
/// let importer = Importer(store)
/// var films = try JSONDocument(body).items(at: "results")
/// let report = try importer.import(&films, into: "Film")
/// print(report.entities["Film"]?.inserted ?? 0)
/// ```
///
/// An import is one transaction: it happens as a whole or not at all. Bad data does not stop it;
/// what could not be stored is told in the report.
public struct Importer: Sendable {
    /// The store that documents go into.
    public private(set) var store: Store

    /// The bounds on what an import keeps in memory and reports.
    public let limits: Limits

    /// What the app does of its own while a document is imported.
    public let hooks: ImportHooks

    /// Which version of what an app gives of its own this is.
    public let version: Int

    let plans: ImportPlans

    /// Where the values that documents contain are recorded; nil where nothing compares them.
    private(set) var coverage: StoreCoverage?

    /// Creates an importer; one serves for any number of imports.
    ///
    /// - Parameters:
    ///   - store: the store that documents go into.
    ///   - naming: how JSON names are found for the model's.
    ///   - transformers: what the model calls `valueTransformer`, by name.
    ///   - hooks: what the app does of its own.
    ///   - version: which version of the names, the transformers and the hooks this is; where it is
    ///     another than before, a pull reads what it has read before once more.
    ///   - limits: the bounds on what an import keeps in memory and reports.
    public init(
        _ store: Store,
        naming: NamingConvention = .default,
        transformers: [String: AttributeTransformer] = [:],
        hooks: ImportHooks = ImportHooks(),
        version: Int = 1,
        limits: Limits = Limits()
    ) {
        self.store = store
        self.version = version
        self.limits = limits
        self.hooks = hooks
        plans = ImportPlans(store.layout, naming, transformers)
    }

    /// The same importer for a copy of its store.
    ///
    /// - Parameters:
    ///   - store: The copy.
    ///   - coverage: Where the importer records which values documents contain; see
    ///     ``emptyCoverage()``.
    /// - Returns: The importer.
    package func copy(for store: Store, recording coverage: StoreCoverage? = nil) -> Importer {
        var copy = self
        copy.store = store
        copy.coverage = coverage
        return copy
    }

    /// A coverage that no document has been recorded in yet.
    ///
    /// - Returns: The coverage, with what this importer gives new rows.
    /// - Throws: `ModelError` when a default value is invalid.
    package func emptyCoverage() throws -> StoreCoverage {
        let defaults = try store.layout.entities.indices.map { index in
            try plans.plan(index).slots.reduce(into: [Int: Value]()) { defaults, slot in
                defaults[slot.column] = slot.defaultValue
            }
        }
        return StoreCoverage(store.layout, defaults: defaults)
    }

    /// Imports the items of a document, in a transaction of its own.
    ///
    /// No other connection can write until the last item was read: read a source that is slow, such
    /// as a socket, to its end first.
    ///
    /// ```swift
    /// var items = try JSONDocument(body).items(at: "data.users")
    /// let options = ImportOptions(operations: .upsert)
    /// let report = try importer.import(&items, into: "User", options: options)
    /// if report.unresolved > 0 { print(report) }
    /// ```
    ///
    /// - Parameters:
    ///   - items: The items; they are read to their end.
    ///   - entity: The entity that they are, or from which theirs inherit.
    ///   - scope: Which rows the items are the complete list of. Only these are deleted.
    ///   - options: What may be done, and what happens to invalid values and unresolved references.
    /// - Returns: What became of the rows, and what could not be stored.
    /// - Throws: `JSONError` where the document is no JSON, ``ImportError`` and `StoreError` when
    ///   it cannot go into the store, `DatabaseError`. Nothing is changed then: what happens after
    ///   the commit, such as a checkpoint that fails, is no error.
    public func `import`(
        _ items: inout some JSONItems,
        into entity: String,
        scope: ImportScope = .entity,
        options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        let report = try transaction(.commit) { db in
            try self.import(db, &items, into: entity, scope: scope, options: options)
        }
        if report.changedRows > Self.largeImport { checkpoint() }
        return report
    }

    /// Empties the write-ahead log after a commit.
    private func checkpoint() {
        do {
            try store.checkpoint()
        } catch {
            // The rows are committed. That the log cannot be copied back, as on a full disk, is no
            // failure of the import: the log has all rows, and the next checkpoint tries again.
        }
    }

    /// Above so many changed rows the write-ahead log is emptied at once, not by whoever writes
    /// next.
    private static let largeImport = 10_000

    /// Reports exactly what an import would do, and changes nothing.
    ///
    /// It is the same work, in a transaction that is rolled back; observers hear nothing of it. It
    /// takes as long as the import, and blocks other writers meanwhile.
    ///
    /// - Parameters:
    ///   - items: The items; they are read to their end.
    ///   - entity: The entity that they are, or from which theirs inherit.
    ///   - scope: Which rows the items are the complete list of.
    ///   - options: What may be done, and what happens to invalid values and unresolved references.
    /// - Returns: The report that an import would return.
    /// - Throws: What an import would throw.
    public func dryRun(
        _ items: inout some JSONItems,
        into entity: String,
        scope: ImportScope = .entity,
        options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        try transaction(.rollback) { db in
            try self.import(db, &items, into: entity, scope: scope, options: options)
        }
    }

    /// Imports the items of a document inside the caller's transaction.
    ///
    /// For imports that are committed together with other changes. Roll the transaction back when
    /// this throws: rows may have been written.
    ///
    /// ```swift
    /// try store.writer.write { db in
    ///     _ = try importer.import(db, &users, into: "User")
    ///     _ = try importer.import(db, &notes, into: "Note")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - db: The transaction, of a connection that writes to the importer's store.
    ///   - items: The items; they are read to their end.
    ///   - entity: The entity that they are, or from which theirs inherit.
    ///   - scope: Which rows the items are the complete list of. Only these are deleted.
    ///   - options: What may be done, and what happens to invalid values and unresolved references.
    /// - Returns: What became of the rows, and what could not be stored.
    /// - Throws: `JSONError`, ``ImportError``, `StoreError`, `DatabaseError`.
    public func `import`(
        _ db: Database,
        _ items: inout some JSONItems,
        into entity: String,
        scope: ImportScope = .entity,
        options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        try run(db, &items, into: entity, scope, options).report()
    }

    /// Imports the items of a document, and returns what knows all that was done.
    func run(
        _ db: Database,
        _ items: inout some JSONItems,
        into entity: String,
        _ scope: ImportScope = .entity,
        _ options: ImportOptions = ImportOptions()
    ) throws -> ImportRun {
        let run = try ImportRun(
            db,
            self,
            options,
            postponing: RetryQueue(
                after: try RetryQueue.highest(db),
                limit: limits.postponedItems
            )
        )
        let work = try ScopedImport(run, into: entity, scope)
        let highestHeld = try run.writer.highestHeldReference()
        while try items.next({ try work.importItem($0) }) {
            run.arena.reset()
        }
        try run.writer.linkHeldReferences()
        try work.finish()
        try run.retryPostponed(isLast: true, work.importAgain)
        try run.deleteStale()
        if options.unresolved == .ignore {
            try run.writer.forgetHeldReferences(after: highestHeld)
        }
        try run.markOtherWalks(except: nil, run.entity(store.layout.place(of: entity)))
        try run.writer.finish()
        try run.reportRows()
        return run
    }

    private func transaction(
        _ completion: Database.TransactionCompletion,
        _ body: (Database) throws -> ImportReport
    ) throws -> ImportReport {
        try store.writer.writeWithoutTransaction { db in
            var report = ImportReport()
            try db.inTransaction(.immediate) {
                report = try body(db)
                if completion == .commit { try store.sealChanges(db) }
                return completion
            }
            return report
        }
    }
}
