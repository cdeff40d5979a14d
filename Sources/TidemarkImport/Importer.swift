public import GRDB
public import TidemarkJSON
public import TidemarkModel
public import TidemarkStore

package import struct Foundation.Date

/// Imports JSON documents into a store: finds each object's row by its primary key, writes what
/// differs, and deletes rows that the document no longer contains.
///
/// Use it for JSON that the app has obtained itself: a response, a push message, a file of seed
/// data. To sync the lists of a service, with pagination, conditional requests and delta sync, use
/// `SyncEngine`, which imports each page with an importer.
///
/// ```swift
/// let importer = Importer(store)
/// var films = try JSONDocument(body).items(at: "results")
/// let report = try importer.import(&films, into: "Film")
/// print(report.entities["Film"]?.inserted ?? 0)
/// ```
///
/// An import is one transaction: it is applied completely or not at all, and repeating it changes
/// nothing. Invalid data does not stop an import; the report lists what could not be stored. Nested
/// objects become rows of their own entities, and foreign keys become links.
///
/// An importer is a value without state between imports. It can be used from any thread; SQLite
/// lets one connection write at a time.
public struct Importer: Sendable {
    /// The store that documents are imported into.
    package private(set) var store: Store

    /// The limits on what an import keeps in memory and reports.
    package let limits: Limits

    /// The app's own code that runs during an import.
    package let hooks: ImportHooks

    /// The version of the app's naming, transformers and hooks.
    package let version: Int

    let plans: ImportPlans

    /// Decides conflicts between imported objects and local changes.
    package var conflicts: ConflictPolicies

    /// Returns the time of conflicts; nil for the clock of SQLite.
    package var now: (@Sendable () -> Date)?

    /// Records which values documents contain, for a verification; nil in all other imports.
    private(set) var coverage: StoreCoverage?

    /// Creates an importer.
    ///
    /// One importer can be used for any number of imports. Create it once: it caches how the names
    /// of the model's entities are matched.
    ///
    /// ```swift
    /// let trimmed = AttributeTransformer(reading: { node in
    ///     .string(node.string.trimmingCharacters(in: .whitespaces))
    /// })
    /// let importer = Importer(store, transformers: ["Trimmed": trimmed], version: 2)
    /// ```
    ///
    /// - Parameters:
    ///   - store: The store that documents are imported into.
    ///   - naming: How JSON names are matched with the names of the model.
    ///   - transformers: The transformers that attributes refer to by `valueTransformer`, by name.
    ///   - hooks: The app's own code that runs during an import.
    ///   - conflicts: Decides where an object contradicts a local change that was not pushed, in a
    ///     store whose service accepts changes. Defaults to the service's values.
    ///   - version: The version of the naming, the transformers and the hooks. Increase it when
    ///     they change: a pull then reads again what it has read with another version.
    ///   - limits: The limits on what an import keeps in memory and reports.
    public init(
        _ store: Store,
        naming: NamingConvention = .default,
        transformers: [String: AttributeTransformer] = [:],
        hooks: ImportHooks = ImportHooks(),
        conflicts: ConflictPolicies = ConflictPolicies(),
        version: Int = 1,
        limits: Limits = Limits()
    ) {
        self.store = store
        self.version = version
        self.limits = limits
        self.hooks = hooks
        self.conflicts = conflicts
        plans = ImportPlans(store.layout, naming: naming, transformers: transformers)
    }

    /// Returns this importer for a copy of its store.
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

    /// Returns a coverage in which no document has been recorded yet.
    ///
    /// - Returns: The coverage, with the default values of new rows.
    /// - Throws: `ModelError` when a default value is invalid.
    package func emptyCoverage() throws -> StoreCoverage {
        let defaults = try store.layout.entities.indices.map { index in
            try plans.plan(index).slots.reduce(into: [Int: Value]()) { defaults, slot in
                defaults[slot.column] = slot.defaultValue
            }
        }
        return StoreCoverage(store.layout, defaults: defaults)
    }

    /// Imports the items of a document in a transaction of its own.
    ///
    /// Each object is matched with a row by its primary key (an upsert), compared, and written only
    /// if it differs. Afterwards, rows in scope that the document does not contain are deleted if
    /// the operations permit it: see ``ImportOptions/operations``. Deletions follow the delete
    /// rules of the model.
    ///
    /// Call it from a background thread: the method returns after the commit. Readers are never
    /// blocked (the store is in WAL mode), but other connections cannot write until the last item
    /// has been read. Read a slow source, such as a socket, completely before the import.
    ///
    /// ```swift
    /// var items = try JSONDocument(body).items(at: "data.users")
    /// let options = ImportOptions(operations: .upsert)
    /// let report = try importer.import(&items, into: "User", options: options)
    /// if report.unresolvedReferenceCount > 0 { print(report) }
    /// ```
    ///
    /// - Parameters:
    ///   - items: The items. They are read to the end.
    ///   - entity: The name of the items' entity, or of an entity that theirs inherit from.
    ///   - scope: The rows that the items are a complete list of. Only these can be deleted.
    ///   - options: The allowed operations, and the policies for invalid values and unresolved
    ///     references.
    /// - Returns: The numbers of changed rows, and diagnostics about what could not be stored.
    /// - Throws: `JSONError` when the document is not valid JSON, ``ImportError`` or `StoreError`
    ///   when it cannot be imported, `DatabaseError`. Nothing is changed then. What fails after the
    ///   commit, such as a checkpoint, is not thrown.
    public func `import`(
        _ items: inout some JSONItems,
        into entity: String,
        scope: ImportScope = .entity,
        options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        let report = try transaction { db in
            try self.import(db, &items, into: entity, scope: scope, options: options)
        }
        checkpoint(after: report)
        return report
    }

    /// Runs a checkpoint after the commit of a large import.
    func checkpoint(after report: ImportReport) {
        guard report.changedRows > Self.largeImport else { return }
        do {
            try store.checkpoint()
        } catch {
            // The rows are committed. A checkpoint that fails, for example because the disk is
            // full, is not a failure of the import: the write-ahead log contains all rows, and the
            // next checkpoint tries again.
        }
    }

    /// The number of changed rows above which the import runs a checkpoint itself.
    ///
    /// Otherwise the next connection that writes would have to wait for it.
    private static let largeImport = 10_000

    /// Returns the report that an import would return, without changing the store.
    ///
    /// Use it to validate a document, or to ask the user before rows are deleted. A dry run does
    /// the same work as an import in a transaction that is rolled back; observers of the database
    /// are not notified. It takes as long as the import, and blocks other writers meanwhile.
    ///
    /// ```swift
    /// let report = try importer.dryRun(&items, into: "Article")
    /// if let deleted = report.entities["Article"]?.deleted, deleted > 0 {
    ///     print("The file lacks \(deleted) stored articles.")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - items: The items. They are read to the end.
    ///   - entity: The name of the items' entity, or of an entity that theirs inherit from.
    ///   - scope: The rows that the items are a complete list of.
    ///   - options: The allowed operations, and the policies for invalid values and unresolved
    ///     references.
    /// - Returns: The report that an import would return.
    /// - Throws: The errors that an import would throw.
    public func dryRun(
        _ items: inout some JSONItems,
        into entity: String,
        scope: ImportScope = .entity,
        options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        try transaction(ending: .rollback) { db in
            try self.import(db, &items, into: entity, scope: scope, options: options)
        }
    }

    /// Imports the items of a document inside the caller's transaction.
    ///
    /// Use it for imports that are committed together with other changes, such as two documents
    /// that refer to each other, or a document and the app's record of having read it. Roll the
    /// transaction back when it throws, because rows may have been written; GRDB's `write` does
    /// that if the error leaves its closure.
    ///
    /// <!-- example: var (users, notes) = (items, items) -->
    /// ```swift
    /// try store.writer.write { db in
    ///     _ = try importer.import(db, &users, into: "User")
    ///     _ = try importer.import(db, &notes, into: "Note")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - db: A connection that writes to the importer's store, inside a transaction.
    ///   - items: The items. They are read to the end.
    ///   - entity: The name of the items' entity, or of an entity that theirs inherit from.
    ///   - scope: The rows that the items are a complete list of. Only these can be deleted.
    ///   - options: The allowed operations, and the policies for invalid values and unresolved
    ///     references.
    /// - Returns: The numbers of changed rows, and diagnostics about what could not be stored.
    /// - Throws: `JSONError`, ``ImportError``, `StoreError`, `DatabaseError`.
    public func `import`(
        _ db: Database,
        _ items: inout some JSONItems,
        into entity: String,
        scope: ImportScope = .entity,
        options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        try run(db, &items, into: entity, scope: scope, options: options).report()
    }

    /// Imports the items of a document, and returns the state of the import.
    ///
    /// - Parameters:
    ///   - db: A connection inside a transaction.
    ///   - items: The items. They are read to the end.
    ///   - entity: The name of the items' entity.
    ///   - scope: The rows that the items are a complete list of.
    ///   - options: The allowed operations and the policies.
    ///   - onItem: Called with the row of each item; nil if it was not imported.
    /// - Returns: The state of the import.
    /// - Throws: As ``import(_:_:into:scope:options:)``.
    func run(
        _ db: Database,
        _ items: inout some JSONItems,
        into entity: String,
        scope: ImportScope = .entity,
        options: ImportOptions = ImportOptions(),
        onItem: (Int64?) -> Void = { _ in }
    ) throws -> ImportRun {
        try writing(db, from: options.origin) {
            try runCaptured(
                db,
                &items,
                into: entity,
                scope: scope,
                options: options,
                onItem: onItem
            )
        }
    }

    /// Runs a body whose writes are recorded as local changes, unless the service has sent them.
    func writing<T>(_ db: Database, from origin: ImportOrigin, _ body: () throws -> T) throws -> T {
        guard origin == .service, let capture = try Capture.of(db, store.layout) else {
            return try body()
        }
        try store.expectLayout(db)
        return try capture.applyingRemote(body)
    }

    private func runCaptured(
        _ db: Database,
        _ items: inout some JSONItems,
        into entity: String,
        scope: ImportScope,
        options: ImportOptions,
        onItem: (Int64?) -> Void
    ) throws -> ImportRun {
        let retries = try RetryQueue.open(db, limit: limits.postponedItems)
        var permitted = options
        permitted.operations = try usualOperations(db, options)
        let run = try ImportRun(db, importer: self, options: permitted, retries: retries)
        let document = try ScopedImport.begin(run, into: entity, scope: scope)
        let highestHeld = try run.writer.highestUnresolvedNumber()
        while try items.next({ onItem(try document.importItem($0)) }) {
            run.arena.reset()
        }
        // Before the deletions: a child that left its parent's list and that an unresolved
        // reference links to another parent has moved, and must not be deleted.
        try run.writer.linkResolvedReferences()
        try document.deleteUnlisted(counting: options.operations == nil)
        // Postponed items come after the deletions, which free the unique values they failed on.
        try document.retryPostponed()
        try run.deleteUnlisted()
        // Stored even under `ignore` until here, because a later item may insert the row.
        if options.unresolved == .ignore {
            try run.writer.discardNewUnresolved(after: highestHeld)
        }
        // An open session of the same list must not delete rows that this document contains.
        try run.markSeenInOtherSessions(than: nil, from: run.entity(named: entity))
        try run.writer.finish()
        try run.callDidImport()
        // A pull does this once, at the end of its run.
        if run.resolver != nil, let capture = try Capture.of(db, store.layout) {
            try capture.deleteOldConflicts(keeping: limits, at: now?())
        }
        return run
    }

    /// Returns the operations that the options permit, or those of an import without any.
    ///
    /// In a store that belongs to a service, a document that was obtained elsewhere does not prove
    /// that the service has deleted an object, and a deletion would be pushed.
    func usualOperations(_ db: Database, _ options: ImportOptions) throws -> ImportOperations {
        if let operations = options.operations { return operations }
        guard options.origin == .local else { return .upsert }
        return try store.mirrorsService(db) ? .upsert : .all
    }

    /// Runs a body in a transaction.
    func transaction<T>(
        ending completion: Database.TransactionCompletion = .commit,
        _ body: (Database) throws -> T
    ) throws -> T {
        try store.writer.writeWithoutTransaction { db in
            try transaction(db, ending: completion, body)
        }
    }

    /// Runs a body in a transaction, without blocking the caller.
    func transaction<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await store.writer.writeWithoutTransaction { [self] db in
            try transaction(db, ending: .commit, body)
        }
    }

    private func transaction<T>(
        _ db: Database,
        ending completion: Database.TransactionCompletion,
        _ body: (Database) throws -> T
    ) throws -> T {
        // Immediate: SQLite fails with SQLITE_BUSY if a transaction that began by reading wants to
        // write after another connection has written.
        try db.beginTransaction(.immediate)
        do {
            let value = try body(db)
            // Before the commit, while no other process can change the rows that are compared.
            if completion == .commit { try store.sealChanges(db) }
            try completion == .commit ? db.commit() : db.rollback()
            return value
        } catch {
            // SQLite rolls back on its own after some errors, such as a full disk.
            if db.isInsideTransaction { try db.rollback() }
            throw error
        }
    }
}
