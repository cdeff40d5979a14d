import Foundation
import GRDB
public import TidemarkModel

extension Store {
    /// Opens the store at a path; creates it if it does not exist and a model is given.
    ///
    /// Use one store for each file in a process, and keep it open while the app runs. Opening
    /// checks the tables, and creates or migrates them:
    ///
    /// ```swift
    /// let store = try Store.open(at: "films.sqlite", model: model) { migration in
    ///     for step in migration.steps { print(step) }   // drop Film.subtitle (3 values are lost)
    /// }
    /// ```
    ///
    /// Only the owner can read or write the created file (mode 0600). A symbolic link without a
    /// target is followed. Several processes may create the same store at the same time, and share
    /// it: each waits up to 10 seconds for the others' locks. A file that is not a store is not
    /// changed. The connections use WAL mode, so keep the store on a local disk. To open a store
    /// only for reading, use ``openReadOnly(at:)``.
    ///
    /// - Parameters:
    ///   - path: The path of the SQLite file. It must not be empty, `:memory:` or a URI.
    ///   - model: The model of the store. It is required to create a store. An existing store
    ///     contains its model; if this one differs, the store is migrated to it, see
    ///     ``migrate(to:environment:unpushedChanges:willMigrate:)``.
    ///   - environment: The source of the date that a migration records; nil, the default, to
    ///     record no date. An app passes `SystemEnvironment.live`.
    ///   - willMigrate: Called with the changes of a migration before it is committed. If it
    ///     throws, the migration is rolled back.
    /// - Returns: The store, ready to read and write.
    /// - Throws: ``StoreError``, `ModelError` if the model is not valid, errors that `willMigrate`
    ///   throws, or `DatabaseError` if SQLite cannot open the file.
    public static func open(
        at path: String,
        model: Model? = nil,
        environment: SystemEnvironment? = nil,
        willMigrate: (Migration) throws -> Void = { _ in }
    ) throws -> Store {
        try open(at: path, model: model) { store, model in
            try store.migrate(to: model, environment: environment, willMigrate: willMigrate)
        }
    }

    /// Opens or creates the store at a path, with a migration that the caller performs.
    ///
    /// - Parameters:
    ///   - path: The path of the SQLite file.
    ///   - model: The model of the store; nil for the model that it contains.
    ///   - migrate: Migrates a store to a model that differs from its own.
    /// - Returns: The store, or the result of `migrate`.
    /// - Throws: ``StoreError``, `DatabaseError`, and errors that `migrate` throws.
    package static func open(
        at path: String,
        model: Model?,
        migrate: (Store, Model) throws -> Store
    ) throws -> Store {
        let layout = try model.map(StoreLayout.init)
        let file = try StoreFile.inspect(path)
        if !file.exists {
            guard layout != nil else { throw notFound(path, hint: "Pass a model to create one.") }
            try file.create()
        }
        try file.checkIsWritable()
        return try file.expectingDatabase {
            let seen = try inspect(file, layout: layout)
            let checkpoint = BackgroundCheckpoint(path)
            let pool = try openPool(at: path, checkpoint: checkpoint)
            let found = try seen ?? prepare(pool, location: path, layout: layout)
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
    /// Use it in extensions, command-line tools and other processes that only show rows. Neither
    /// the file nor, once the store is released, its folder is changed. Reads do not wait for
    /// writers, and read-only files and media can be read. In a folder that is not writable, the
    /// store can be opened while another process has it open for writing, or if its file system is
    /// local and read-only. There is a single connection, so reads run one at a time. A write
    /// through ``writer`` throws `DatabaseError` with the code `SQLITE_READONLY`.
    ///
    /// ```swift
    /// let store = try Store.openReadOnly(at: "films.sqlite")
    /// let count = try store.read { reader in try reader.count("Film") }
    /// ```
    ///
    /// The store keeps its model: it is never migrated when it is opened this way.
    ///
    /// - Parameter path: The path of the SQLite file.
    /// - Returns: The store.
    /// - Throws: ``StoreError`` if there is no store at the path or it cannot be read;
    ///   `DatabaseError` if SQLite cannot open the file.
    public static func openReadOnly(at path: String) throws -> Store {
        let file = try StoreFile.inspect(path)
        guard file.exists else { throw notFound(path, hint: nil) }
        return try file.expectingDatabase {
            let queue = try file.openForReading(configuration)
            guard let found = try queue.read({ db in try existing(db, location: path, nil) }) else {
                throw empty(path, hint: nil)
            }
            return Store(
                writer: queue,
                layout: found.layout,
                generation: found.generation,
                location: path,
                liveFeed: LiveFeed(isReadOnly: true)
            )
        }
    }

    /// Creates an empty store in memory, which is deleted when it is released.
    ///
    /// Use it in tests and previews, and for documents that are imported only to be queried. Each
    /// call creates a store of its own. There is one connection, so reads and writes run one at a
    /// time.
    ///
    /// ```swift
    /// let store = try Store.inMemory(model: model)
    /// try store.write { writer in
    ///     try writer.insert("Film", values: ["title": .string("Solaris")])
    /// }
    /// ```
    ///
    /// - Parameter model: The model of the store.
    /// - Returns: The store.
    /// - Throws: `ModelError` if the model is not valid, `DatabaseError`.
    public static func inMemory(model: Model) throws -> Store {
        var configuration = Self.configuration
        configuration.label = "tidemark-memory"
        let queue = try DatabaseQueue(configuration: configuration)
        let found = try prepare(queue, location: "memory", layout: StoreLayout(model))
        return Store(
            writer: queue,
            layout: found.layout,
            generation: found.generation,
            location: "memory"
        )
    }

    /// The configuration of every connection.
    static var configuration: Configuration {
        var configuration = Configuration()
        // Another process may be writing: wait for it instead of failing at once.
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { db in
            // A checkpoint does not shrink the log file: without a limit, the file would stay as
            // long as the longest transaction made it.
            try db.execute(sql: "PRAGMA journal_size_limit = \(64 << 20)")
            // A schema that another program wrote must not call application-defined functions.
            try db.execute(sql: "PRAGMA trusted_schema = OFF")
            // INSERT OR REPLACE fires the delete triggers of the row it removes only with this
            // setting, and the change feed records rows by triggers.
            try db.execute(sql: "PRAGMA recursive_triggers = ON")
            QueryFunction.add(to: db)
        }
        return configuration
    }

    /// Opens the connections to the database, one of which writes.
    private static func openPool(
        at path: String,
        checkpoint: BackgroundCheckpoint
    ) throws -> DatabasePool {
        var configuration = configuration
        // The configuration retains the closure, and with it the checkpointer, whose unretained
        // pointer SQLite has.
        configuration.prepareDatabase(checkpoint.watch)
        let pool = try retryingOpen { try DatabasePool(path: path, configuration: configuration) }
        try pool.writeWithoutTransaction { db in
            // GRDB lowers this to NORMAL when it enables WAL mode, and a power failure could then
            // roll back committed transactions.
            try db.execute(sql: "PRAGMA synchronous = FULL")
            // Pages of indexes change in random order: those that do not fit into the cache are
            // written and read again. SQLite's default is 2 MB.
            try db.execute(sql: "PRAGMA cache_size = -\(16 << 10)")
        }
        return pool
    }

    /// Opens the connections, and retries while others open or close the same store.
    ///
    /// The first connection enables WAL mode, and the busy timeout does not apply there: of two
    /// connections that open a new store at the same time, each may hold the lock that the other
    /// needs. The last connection that closes deletes the log, which GRDB may just have found and
    /// is about to measure. The retries take about ten seconds in total, as long as the timeout of
    /// any other lock.
    private static func retryingOpen<T>(_ open: () throws -> T) throws -> T {
        for attempt in 1...104 {
            do {
                return try open()
            } catch {
                let isBusy = (error as? DatabaseError)?.resultCode == .SQLITE_BUSY
                let hasLostLog = (error as? CocoaError)?.code == .fileReadNoSuchFile
                guard isBusy || hasLostLog else { throw error }
            }
            Thread.sleep(forTimeInterval: Double(min(attempt, 10)) / 100)
        }
        return try open()
    }

    /// The layout of a store, and the number of migrations that led to it.
    private typealias Found = (layout: StoreLayout, generation: Int)

    /// Returns the layout of the store in a file; nil if the file is empty and a layout is given
    /// for it.
    ///
    /// The file is opened for reading first, because opening it for writing enables WAL mode, which
    /// persists in the file even if it belongs to another application. Reading also needs no write
    /// lock, so it does not wait for writers.
    private static func inspect(_ file: StoreFile, layout: StoreLayout?) throws -> Found? {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        let queue = try file.openForReading(configuration)
        let found = try queue.read { db in try existing(db, location: file.path, layout) }
        try queue.close()
        guard found != nil || layout != nil else {
            throw empty(file.path, hint: emptyHint)
        }
        return found
    }

    /// Creates the tables of the store, unless another process has created them meanwhile.
    private static func prepare(
        _ writer: any DatabaseWriter,
        location: String,
        layout: StoreLayout?
    ) throws -> Found {
        try writer.write { db in
            if let found = try existing(db, location: location, layout) { return found }
            guard let layout else { throw empty(location, hint: emptyHint) }
            try StoreMetadata.create(db, layout)
            return (layout, 0)
        }
    }

    /// Returns the layout of the store that a database contains; nil if the database is empty.
    ///
    /// - Throws: ``StoreError`` if the database is not a store, is damaged or has an unknown
    ///   format.
    private static func existing(
        _ db: Database,
        location: String,
        _ layout: StoreLayout?
    ) throws -> Found? {
        guard try StoreMetadata.exists(db) else {
            guard try StoreMetadata.isEmpty(db) else {
                throw StoreError(
                    .notAStore,
                    "\(location) is a SQLite database, but not a Tidemark store.",
                    hint: StoreFile.otherPath
                )
            }
            return nil
        }
        try StoreMetadata.check(db, location: location)
        let model = try StoreMetadata.model(db, location: location)
        let generation = try StoreMetadata.generation(db)
        let own = if let layout, layout.model == model { layout } else { try StoreLayout(model) }
        try own.check(db, location: location)
        return (own, generation)
    }

    private static let emptyHint = "Pass a model to create the tables of its entities."

    private static func notFound(_ location: String, hint: String?) -> StoreError {
        StoreError(.notFound, "There is no store at \(location).", hint: hint)
    }

    private static func empty(_ location: String, hint: String?) -> StoreError {
        StoreError(.notFound, "The store \(location) is empty.", hint: hint)
    }
}

extension StoreFile {
    /// Runs a body that opens the file, and replaces SQLite's error for a file that is not a
    /// database.
    fileprivate func expectingDatabase<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
            throw notADatabase
        }
    }
}
