import Foundation
import GRDB
public import TidemarkModel

extension Store {
    /// Opens the store at a path; with a model, makes it if it is not there yet.
    ///
    /// The file is made readable for its owner only. A file that holds something else is left
    /// alone.
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
        environment: Environment? = nil,
        willMigrate: (Migration) throws -> Void = { _ in }
    ) throws -> Store {
        let layout = try model.map(StoreLayout.init)
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard !isFolder.boolValue else {
            throw StoreError(.notAStore, "\(path) is a folder.", hint: otherPath)
        }
        if !exists {
            guard layout != nil else {
                throw StoreError(
                    .notFound,
                    "There is no store at \(path).",
                    hint: "Give a model to make one."
                )
            }
            try createFile(at: path)
        }
        do {
            let seen = try inspect(path, layout)
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
            return try store.migrated(
                to: model,
                environment: environment,
                willMigrate: willMigrate
            )
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
            throw StoreError(.notAStore, "\(path) is not a SQLite database.", hint: otherPath)
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

    /// A copy of the store at a path in a temporary file, gone when it is released.
    ///
    /// No byte of the store changes, as it does where one opens it.
    ///
    /// - Throws: ``StoreError``, or `DatabaseError` when SQLite cannot read the file.
    public static func temporaryCopy(of path: String) throws -> Store {
        guard FileManager.default.fileExists(atPath: path) else { return try open(at: path) }
        do {
            guard let found = try inspect(path, nil) else { throw empty(path) }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let copy = try DatabaseQueue(path: "", configuration: configuration)
            try queue.backup(to: copy)
            try queue.close()
            return Store(
                writer: copy,
                layout: found.layout,
                generation: found.generation,
                place: path
            )
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
            throw StoreError(.notAStore, "\(path) is not a SQLite database.", hint: otherPath)
        }
    }

    private static let otherPath = "Choose another path for the store."

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
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { db in
            // GRDB lowers this when it turns the WAL on. What was committed shall survive a power
            // cut.
            try db.execute(sql: "PRAGMA synchronous = FULL")
            // Indexes are written all over: pages that do not fit are written and read again.
            try db.execute(sql: "PRAGMA cache_size = -\(16 << 10)")
        }
        return pool
    }

    private static func createFile(at path: String) throws {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: attributes)
        else {
            throw StoreError(
                .cannotCreate,
                "No store can be made at \(path).",
                hint: "Its folder must exist and be writable."
            )
        }
    }

    /// The layout of a store, and how many times it was migrated to get there.
    private typealias Found = (layout: StoreLayout, generation: Int)

    /// The layout of the store in a file; nil when the file is empty and a layout is given for it.
    ///
    /// Looking changes nothing, while opening for writing turns the WAL on, which stays in a
    /// foreign file; and it leaves the write lock to those who write.
    private static func inspect(_ path: String, _ layout: StoreLayout?) throws -> Found? {
        do {
            return try inspect(path, layout, isReadOnly: true)
        } catch let error as DatabaseError where error.asksForRecovery {
            // Who made it has died amid a transaction, which whoever looks next has to undo.
            return try inspect(path, layout, isReadOnly: false)
        }
    }

    private static func inspect(
        _ path: String,
        _ layout: StoreLayout?,
        isReadOnly: Bool
    ) throws -> Found? {
        var configuration = Configuration()
        configuration.readonly = isReadOnly
        configuration.busyMode = .timeout(10)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let found = try queue.read { db in try existing(db, place: path, layout) }
        try queue.close()
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
            guard let layout else { throw empty(place) }
            try StoreMetadata.create(db, layout)
            return (layout, 0)
        }
    }

    /// The layout of the store that a database is; nil when it is empty and a layout is given for
    /// it.
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
                    hint: otherPath
                )
            }
            guard layout != nil else { throw empty(place) }
            return nil
        }
        let model = try StoreMetadata.model(db, place: place)
        let generation = try StoreMetadata.generation(db)
        if let layout, layout.model == model { return (layout, generation) }
        return (try StoreLayout(model), generation)
    }

    private static func empty(_ place: String) -> StoreError {
        StoreError(
            .notFound,
            "The store \(place) is empty.",
            hint: "Give a model to fill it with."
        )
    }
}

extension DatabaseError {
    /// Whether there is a transaction to be undone, which a connection that only reads cannot do.
    fileprivate var asksForRecovery: Bool {
        extendedResultCode == .SQLITE_READONLY_ROLLBACK
            || extendedResultCode == .SQLITE_READONLY_RECOVERY
    }
}
