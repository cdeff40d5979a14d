public import GRDB
public import TidemarkModel

extension Store {
    /// Opens or creates a store inside an app's own database, next to the app's own tables.
    ///
    /// Use it to reference synced rows from tables of the app, or to change both in one transaction
    /// with ``write(in:_:)``. Otherwise a file of its own, as
    /// ``open(at:model:environment:willMigrate:)`` creates it, can be deleted and pulled again.
    ///
    /// The first call creates the tables of the model and Tidemark's own tables, whose names begin
    /// with `_tidemark_`. Later calls find the existing store. The configuration of the connection
    /// is not changed. Foreign keys must be enabled, which is GRDB's default.
    ///
    /// ```swift
    /// let pool = try DatabasePool(path: "app.sqlite")
    /// let store = try Store.adopt(pool, model: model)
    /// try pool.write { db in
    ///     try db.create(table: "bookmark", options: .ifNotExists) { table in
    ///         table.column("film", .integer).references("Film", column: "_id", onDelete: .cascade)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - writer: The app's connection.
    ///   - model: The model of the store. It is required when the database has no store yet. An
    ///     existing store contains its model; if this one differs, the store is migrated to it.
    ///   - environment: The source of the date that a migration records; nil, the default, to
    ///     record no date. An app passes `SystemEnvironment.live`.
    ///   - willMigrate: Called with the changes of a migration before it is committed. If it
    ///     throws, the migration is rolled back.
    /// - Returns: The store.
    /// - Throws: ``StoreError`` if a table of the app has a name that the model needs, if the store
    ///   cannot be migrated to the model, or if there is neither a store nor a model; `ModelError`
    ///   if the model is not valid; `DatabaseError`. The database is then unchanged.
    public static func adopt(
        _ writer: any DatabaseWriter,
        model: Model? = nil,
        environment: SystemEnvironment? = nil,
        willMigrate: (Migration) throws -> Void = { _ in }
    ) throws -> Store {
        let layout = try model.map(StoreLayout.init)
        let store = try writer.write { db in
            if try StoreMetadata.exists(db) {
                let location = writer.path
                try StoreMetadata.check(db, location: location)
                let layout = try StoreLayout(StoreMetadata.model(db, location: location))
                try layout.check(db, location: location)
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
        // Outside of the transaction above, because a migration disables foreign keys first.
        guard let model, model != store.model else { return store }
        return try store.migrate(to: model, environment: environment, willMigrate: willMigrate)
    }

    private static func checkNames(_ db: Database, _ layout: StoreLayout) throws {
        for table in layout.tables {
            // Names are case-insensitive in SQLite, and tables, views and indexes share one
            // namespace.
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
