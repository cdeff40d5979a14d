public import GRDB
public import TidemarkModel

/// A relational store for the objects of a model, in a SQLite database.
///
/// Tables are named after entities and columns after attributes, so any SQLite tool can read them.
/// Records are read in ``read(_:)-1y3vr`` and written in ``write(durability:_:)-9to8``, where SQL
/// runs, too:
///
/// ```swift
/// let store = try Store.open(at: "films.sqlite", model: model)
/// try store.write { db in
///     try db.insert("Film", values: ["title": .string("Solaris")])
/// }
/// let titles = try store.read { db in
///     try String.fetchAll(db.db, sql: "SELECT title FROM Film ORDER BY episode")
/// }
/// ```
///
/// All of GRDB is available through ``writer`` and ``reader``.
public struct Store: Sendable {
    /// The connection to the database, for reading and writing.
    ///
    /// Reads see a consistent snapshot and do not block the writer. If the store was opened by
    /// ``openReadOnly(at:)``, writes throw an error.
    public let writer: any DatabaseWriter

    /// The connection to the database, for reading.
    public var reader: any DatabaseReader { writer }

    /// The mapping of the model's properties to tables and columns.
    package let layout: StoreLayout

    /// The model of the store.
    public var model: Model { layout.model }

    /// Runs checkpoints in the background; nil if the store is in memory, opened for reading, or on
    /// an app's own connection.
    let backgroundCheckpoint: BackgroundCheckpoint?

    /// Records changes of rows for subscribers, on the connection.
    let feed: ChangeFeed

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
        feed: ChangeFeed = ChangeFeed()
    ) {
        self.writer = writer
        self.layout = layout
        self.generation = generation
        self.location = location ?? writer.path
        backgroundCheckpoint = checkpoint
        self.feed = feed
    }

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
