public import GRDB
public import TidemarkModel

/// A relational store for the objects of a model, in a SQLite database.
///
/// Tables are named after entities and columns after attributes, so any SQLite tool can read them.
/// An offline-first app opens one store, shows its rows, and lets a `SyncEngine` pull changes of a
/// service into it. Records are read in ``read(_:)-1y3vr`` and written in
/// ``write(durability:_:)-9to8``, where SQL runs, too:
///
/// ```swift
/// let store = try Store.open(at: "films.sqlite", model: model)
/// try store.write { writer in
///     try writer.insert("Film", values: ["title": .string("Solaris")])
/// }
/// let titles = try store.read { reader in
///     try String.fetchAll(reader.db, sql: "SELECT title FROM Film ORDER BY episode")
/// }
/// ```
///
/// All of GRDB is available through ``writer`` and ``reader``. Links are foreign keys, delete rules
/// of the model are applied by the store's own writes, and the write-ahead log (WAL) lets reads run
/// while a transaction writes.
///
/// A store is a value that can be copied and passed between tasks: all copies use the same
/// connection. After a migration the previous value throws ``StoreError/Code/outdated``.
public struct Store: Sendable {
    /// The connection to the database, for reading and writing with GRDB.
    ///
    /// It is a `DatabasePool` for a file, a `DatabaseQueue` for a store in memory or opened by
    /// ``openReadOnly(at:)``, and the app's own connection after
    /// ``adopt(_:model:environment:willMigrate:)``. Reads see a consistent snapshot; with a pool
    /// they do not block the writer. In a store that was opened for reading, writes throw an error.
    ///
    /// SQL written through it is not checked against the model, does not apply its delete rules,
    /// and does not link unresolved references: prefer ``write(durability:_:)-9to8``.
    ///
    /// ```swift
    /// try store.writer.write { db in
    ///     try db.execute(sql: "UPDATE Film SET minutes = NULL WHERE minutes = 0")
    /// }
    /// ```
    public let writer: any DatabaseWriter

    /// The connection to the database, for reading with GRDB, such as in a `ValueObservation`.
    ///
    /// ```swift
    /// let observation = ValueObservation.tracking { db in
    ///     try String.fetchAll(db, sql: "SELECT title FROM Film ORDER BY episode")
    /// }
    /// for try await titles in observation.values(in: store.reader) { print(titles) }
    /// ```
    public var reader: any DatabaseReader { writer }

    /// The mapping of the model's properties to tables and columns.
    package let layout: StoreLayout

    /// The model of the store when it was opened.
    ///
    /// Every store contains its model: opening one without a model returns it here.
    ///
    /// ```swift
    /// let store = try Store.open(at: "films.sqlite")
    /// print(store.model.entities.map(\.name))   // ["Film", "Person"]
    /// ```
    public var model: Model { layout.model }

    /// Runs checkpoints in the background; nil if the store is in memory, opened for reading, or on
    /// an app's own connection.
    let backgroundCheckpoint: BackgroundCheckpoint?

    /// Records changes of rows for subscribers, on the connection.
    let feed: ChangeFeed

    /// Lets live results read what commits on the connection have changed.
    let liveFeed: LiveFeed

    /// The path or name of the store in error messages.
    let location: String

    /// The number of migrations that the store had been through when this layout was read.
    package let generation: Int

    init(
        writer: any DatabaseWriter,
        layout: StoreLayout,
        generation: Int,
        location: String? = nil,
        checkpoint: BackgroundCheckpoint? = nil,
        feed: ChangeFeed = ChangeFeed(),
        liveFeed: LiveFeed = LiveFeed()
    ) {
        self.writer = writer
        self.layout = layout
        self.generation = generation
        self.location = location ?? writer.path
        backgroundCheckpoint = checkpoint
        self.feed = feed
        self.liveFeed = liveFeed
    }

    /// The path of the store's file; nil if the store is in memory, opened for reading, or on an
    /// app's own connection.
    package var ownPath: String? { backgroundCheckpoint == nil ? nil : writer.path }

    /// Checks that the layout is still that of the tables.
    ///
    /// A migration by another process, or through another value of this type, changes the tables
    /// while this value exists. Code that reads or writes rows by the layout calls this first,
    /// inside its transaction.
    ///
    /// - Throws: ``StoreError/Code/outdated``.
    package func expectLayout(_ db: Database) throws {
        // Read in the transaction: a migration that commits later does not affect its snapshot.
        guard try StoreMetadata.generation(db) != generation else { return }
        throw StoreError(
            .outdated,
            "The store \(location) has been migrated since it was opened.",
            hint: "Open it again."
        )
    }
}
