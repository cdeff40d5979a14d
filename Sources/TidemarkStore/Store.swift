public import GRDB
public import TidemarkModel

/// A relational store of a model's objects, in SQLite.
///
/// The tables are named as the entities and the columns as the attributes, so any SQLite tool can
/// read them, and raw SQL through ``writer`` is welcome:
///
/// ```swift
/// let store = try Store.open(at: "films.sqlite", model: model)
/// let titles = try store.reader.read { db in
///     try String.fetchAll(db, sql: "SELECT title FROM Film ORDER BY episode")
/// }
/// ```
///
/// What takes a `Database` first runs inside the caller's transaction.
public struct Store: Sendable {
    /// The connection to the database, for reading and writing.
    ///
    /// Reads through it see whole transactions and block no writer. A store that was opened by
    /// ``openReadOnly(at:)`` refuses writes.
    public let writer: any DatabaseWriter

    /// The connection to the database, for reading.
    public var reader: any DatabaseReader { writer }

    /// Where the model's properties lie in the tables.
    public let layout: StoreLayout

    /// The model the store was made with.
    public var model: Model { layout.model }

    /// What writes the log back while a run writes; nil where there is no file, or an app's own
    /// connection.
    let backgroundCheckpoint: BackgroundCheckpoint?

    /// What records changes of rows for subscribers, on the connection.
    let feed: ChangeFeed

    /// How the store is called in errors.
    let place: String

    /// How many times the store had been migrated when it got this layout.
    package let generation: Int

    init(
        writer: any DatabaseWriter,
        layout: StoreLayout,
        generation: Int,
        place: String? = nil,
        checkpoint: BackgroundCheckpoint? = nil,
        feed: ChangeFeed = ChangeFeed()
    ) {
        self.writer = writer
        self.layout = layout
        self.generation = generation
        self.place = place ?? writer.path
        backgroundCheckpoint = checkpoint
        self.feed = feed
    }

    /// Makes sure that the layout is still that of the tables, which a migration in another
    /// process, or by another value of this type, changes behind its back.
    ///
    /// Whatever reads or writes rows by the layout asks for this first, inside its transaction.
    ///
    /// - Throws: ``StoreError/Code/outdated``.
    package func expectLayout(_ db: Database) throws {
        guard try StoreMetadata.generation(db) != generation else { return }
        throw StoreError(
            .outdated,
            "The store \(place) has been migrated since it was opened.",
            hint: "Open it again."
        )
    }
}
