public import GRDB
public import TidemarkModel

extension Store {
    /// Makes a store inside an app's own database, beside the app's own tables.
    ///
    /// The tables of the model and Tidemark's own are added the first time; later the store is
    /// found again. The connection stays as the app has set it up: foreign keys must be on, which
    /// is GRDB's default.
    ///
    /// ```swift
    /// let pool = try DatabasePool(path: "app.sqlite")
    /// let store = try Store.adopt(pool, model: model)
    /// ```
    ///
    /// - Parameters:
    ///   - writer: The app's connection.
    ///   - model: What the store is to hold; a store that is there already remembers it and needs
    ///     none, and is migrated to another.
    ///   - environment: Where the date of a migration comes from.
    ///   - willMigrate: Called with what a migration will do; nothing is done when it throws.
    /// - Returns: The store.
    /// - Throws: ``StoreError`` when a table of the app has a name that the model needs, when the
    ///   store cannot be brought to the model, or when there is neither a store nor a model.
    public static func adopt(
        _ writer: any DatabaseWriter,
        model: Model? = nil,
        environment: SystemEnvironment? = nil,
        willMigrate: (Migration) throws -> Void = { _ in }
    ) throws -> Store {
        let layout = try model.map(StoreLayout.init)
        let store = try writer.write { db in
            if try StoreMetadata.exists(db) {
                let place = writer.path
                try SystemTables.check(db, place: place)
                let layout = try StoreLayout(StoreMetadata.model(db, place: place))
                try layout.check(db, place: place)
                return Store(
                    writer: writer,
                    layout: layout,
                    generation: try StoreMetadata.generation(db)
                )
            }
            guard let layout else {
                throw StoreError(
                    .notFound,
                    "The database has no store.",
                    hint: "Pass a model to create one."
                )
            }
            try checkNames(db, layout)
            try StoreMetadata.createTables(db, layout)
            return Store(writer: writer, layout: layout, generation: 0)
        }
        guard let model, model != store.model else { return store }
        return try store.migrated(to: model, environment: environment, willMigrate: willMigrate)
    }

    private static func checkNames(_ db: Database, _ layout: StoreLayout) throws {
        for table in layout.tables {
            // SQLite folds the case of names, and a view has one too.
            let isTaken = try Bool.fetchOne(
                db,
                sql: "SELECT 1 FROM sqlite_master WHERE name = ? COLLATE NOCASE",
                arguments: [table.name]
            )
            guard isTaken != nil else { continue }
            throw StoreError(
                .notAStore,
                "The database has a table \(table.name) of its own, and the model an entity.",
                hint: "Rename one of them, or keep the store in a file of its own."
            )
        }
    }
}
