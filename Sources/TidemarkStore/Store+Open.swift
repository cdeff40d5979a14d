import Foundation
import GRDB
public import TidemarkModel

extension Store {
    /// Opens the store at a path; with a model, creates one that does not exist.
    ///
    /// The file is created so that only its owner can read it; a link without a target is
    /// followed. Several processes may create one store at the same time. A file that holds
    /// something else is left alone. ``openReadOnly(at:)`` opens a store that is only read.
    ///
    /// - Parameters:
    ///   - path: the SQLite file.
    ///   - model: what the store is to hold. A store that exists remembers its model and needs
    ///     none; to another it is migrated, see ``migrated(to:environment:willMigrate:)``.
    ///   - environment: where the date of a migration comes from.
    ///   - willMigrate: called with what a migration will do; nothing is done when it throws.
    /// - Returns: the store, ready to read and write.
    /// - Throws: ``StoreError``, or `DatabaseError` when SQLite cannot open the file.
    public static func open(
        at path: String,
        model: Model? = nil,
        environment: SystemEnvironment? = nil,
        willMigrate: (Migration) throws -> Void = { _ in }
    ) throws -> Store {
        try open(at: path, model: model) { store, model in
            try store.migrated(to: model, environment: environment, willMigrate: willMigrate)
        }
    }

    /// Opens the store at a path, or creates it, where the caller migrates it.
    ///
    /// - Parameters:
    ///   - path: The SQLite file.
    ///   - model: What the store is to hold; nil for the model that it has.
    ///   - migrate: Migrates a store to a model that differs from its own.
    /// - Returns: The store, or what `migrate` returns.
    /// - Throws: ``StoreError``, `DatabaseError`, and what `migrate` throws.
    package static func open(
        at path: String,
        model: Model?,
        migrate: (Store, Model) throws -> Store
    ) throws -> Store {
        let layout = try model.map(StoreLayout.init)
        let file = try StoreFile(path)
        if !file.exists {
            guard layout != nil else { throw notFound(path, hint: "Pass a model to create one.") }
            try file.create()
        }
        try file.checkIsWritable()
        return try file.expectingDatabase {
            let seen = try inspect(file, layout)
            let checkpoint = BackgroundCheckpoint(path)
            let pool = try openPool(path, checkpoint)
            let found = try seen ?? prepare(pool, place: path, layout: layout)
            let store = Store(
                writer: pool,
                layout: found.layout,
                generation: found.generation,
                checkpoint: checkpoint
            )
            guard let model, model != store.model else { return store }
            return try migrate(store, model)
        }
    }

    /// Opens the store at a path for reading.
    ///
    /// Nothing is written: not into the file, nor into its folder once the store is released. A
    /// reader waits for no writer, and works on read-only files and media. In a folder that cannot
    /// be written, it works while the store is open for writing elsewhere, or where its file system
    /// is local and read-only. One connection runs one read at a time. A write through ``writer``
    /// throws `DatabaseError` with the code `SQLITE_READONLY`.
    ///
    /// ```swift
    /// let store = try Store.openReadOnly(at: "films.sqlite")
    /// let count = try store.reader.read { db in try store.count(db, "Film") }
    /// ```
    ///
    /// - Parameter path: the SQLite file.
    /// - Returns: the store.
    /// - Throws: ``StoreError`` when there is no store at the path, or it may not be read;
    ///   `DatabaseError` when SQLite cannot open the file.
    public static func openReadOnly(at path: String) throws -> Store {
        let file = try StoreFile(path)
        guard file.exists else { throw notFound(path, hint: nil) }
        return try file.expectingDatabase {
            let queue = try file.openForReading(configuration)
            guard let found = try queue.read({ db in try existing(db, place: path, nil) }) else {
                throw empty(path, hint: nil)
            }
            return Store(
                writer: queue,
                layout: found.layout,
                generation: found.generation,
                place: path
            )
        }
    }

    /// Makes a store in memory, gone when it is released.
    public static func inMemory(model: Model) throws -> Store {
        var configuration = Self.configuration
        configuration.label = "tidemark-memory"
        let queue = try DatabaseQueue(configuration: configuration)
        let found = try prepare(queue, place: "memory", layout: StoreLayout(model))
        return Store(
            writer: queue,
            layout: found.layout,
            generation: found.generation,
            place: "memory"
        )
    }

    /// How every connection is set up; the reasons stand beside the settings.
    static var configuration: Configuration {
        var configuration = Configuration()
        // Another process may be writing: wait for it instead of failing at once.
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA journal_size_limit = \(64 << 20)")
            // A schema from a foreign hand runs no functions of ours.
            try db.execute(sql: "PRAGMA trusted_schema = OFF")
            // INSERT OR REPLACE fires the delete triggers of the row it removes.
            try db.execute(sql: "PRAGMA recursive_triggers = ON")
            QueryFunction.add(to: db)
        }
        return configuration
    }

    /// Opens the connections, of which one writes.
    private static func openPool(
        _ path: String,
        _ checkpoint: BackgroundCheckpoint
    ) throws -> DatabasePool {
        var configuration = configuration
        // A connection keeps what sets it up, and so whoever watches it.
        configuration.prepareDatabase(checkpoint.watch)
        let pool = try turningOnLog { try DatabasePool(path: path, configuration: configuration) }
        try pool.writeWithoutTransaction { db in
            // GRDB lowers this when it turns the WAL on. What was committed shall survive a power
            // cut.
            try db.execute(sql: "PRAGMA synchronous = FULL")
            // Indexes are written all over: pages that do not fit are written and read again.
            try db.execute(sql: "PRAGMA cache_size = -\(16 << 10)")
        }
        return pool
    }

    /// Opens connections, of which the first ever turns the write-ahead log on.
    ///
    /// SQLite waits for no lock there: of two that open a new store at once, each may hold what the
    /// other needs. Who is turned away tries again, for the ten seconds that any other lock is
    /// waited for.
    private static func turningOnLog<T>(_ open: () throws -> T) throws -> T {
        for attempt in 1...104 {
            do {
                return try open()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                Thread.sleep(forTimeInterval: Double(min(attempt, 10)) / 100)
            }
        }
        return try open()
    }

    /// The layout of a store, and how many times it was migrated to get there.
    private typealias Found = (layout: StoreLayout, generation: Int)

    /// The layout of the store in a file; nil when the file is empty and a layout is given for it.
    ///
    /// Looking changes nothing, while opening for writing turns the write-ahead log on, which stays
    /// in a foreign file; and it leaves the write lock to those who write.
    private static func inspect(_ file: StoreFile, _ layout: StoreLayout?) throws -> Found? {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        let queue = try file.openForReading(configuration)
        let found = try queue.read { db in try existing(db, place: file.path, layout) }
        try queue.close()
        guard found != nil || layout != nil else {
            throw empty(file.path, hint: emptyHint)
        }
        return found
    }

    /// Makes the tables of the store, unless another process has made them meanwhile.
    private static func prepare(
        _ writer: any DatabaseWriter,
        place: String,
        layout: StoreLayout?
    ) throws -> Found {
        try writer.write { db in
            if let found = try existing(db, place: place, layout) { return found }
            guard let layout else { throw empty(place, hint: emptyHint) }
            try StoreMetadata.create(db, layout)
            return (layout, 0)
        }
    }

    /// The layout of the store that a database is; nil when it is empty.
    private static func existing(
        _ db: Database,
        place: String,
        _ layout: StoreLayout?
    ) throws -> Found? {
        guard try StoreMetadata.exists(db) else {
            guard try StoreMetadata.isEmpty(db) else {
                throw StoreError(
                    .notAStore,
                    "\(place) is a SQLite database, but not a Tidemark store.",
                    hint: StoreFile.otherPath
                )
            }
            return nil
        }
        try SystemTables.check(db, place: place)
        let model = try StoreMetadata.model(db, place: place)
        let generation = try StoreMetadata.generation(db)
        let own = if let layout, layout.model == model { layout } else { try StoreLayout(model) }
        try own.check(db, place: place)
        return (own, generation)
    }

    private static let emptyHint = "Pass a model to create the tables of its entities."

    private static func notFound(_ place: String, hint: String?) -> StoreError {
        StoreError(.notFound, "There is no store at \(place).", hint: hint)
    }

    private static func empty(_ place: String, hint: String?) -> StoreError {
        StoreError(.notFound, "The store \(place) is empty.", hint: hint)
    }
}

extension StoreFile {
    /// Runs a body that opens the file, and reports contents that are not those of a database.
    fileprivate func expectingDatabase<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
            throw notADatabase
        }
    }
}
