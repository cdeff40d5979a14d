import Foundation
import GRDB
public import TidemarkModel

extension Store {
    /// Migrates the store to another model, in place and in one transaction.
    ///
    /// Rows keep their row numbers. Values that can be converted, links and unresolved references
    /// are kept as well. Anything that the new model cannot represent, such as the values of a
    /// dropped attribute, is dropped and listed in the steps of the ``Migration``. The migration is
    /// rejected if it could only succeed by losing other data, for example if a text does not
    /// convert to the new type. A migration that fails or is interrupted leaves the store
    /// unchanged. If the store already has the model, nothing happens.
    ///
    /// ``open(at:model:environment:willMigrate:)`` calls this if the model differs. Call it
    /// yourself to change the model of a store that is in use:
    ///
    /// ```swift
    /// struct DataLoss: Error {}
    /// let migrated = try store.migrate(to: model) { migration in
    ///     guard !migration.losesData else { throw DataLoss() }
    /// }
    /// print(migrated.model == model)   // true
    /// ```
    ///
    /// Other writers of the database wait until the migration is committed. A `SyncEngine` of the
    /// previous value must be created again; lists whose mapping changed are pulled from the start.
    ///
    /// - Parameters:
    ///   - model: The new model of the store.
    ///   - environment: The source of the date that the migration records; nil, the default, to
    ///     record no date. An app passes `SystemEnvironment.live`.
    ///   - changes: What happens to local changes that were not pushed and that the new model
    ///     cannot represent, such as one of a dropped attribute. Defaults to a rejection. Other
    ///     changes are kept.
    ///   - willMigrate: Called with the changes inside the transaction, before it is committed. If
    ///     it throws, the migration is rolled back.
    /// - Returns: The store with the new model. Other values of this type for the same database,
    ///   this one included, throw ``StoreError/Code/outdated`` from now on.
    /// - Throws: ``StoreError/Code/migrationRejected``, `ModelError` if the model is not valid,
    ///   errors that `willMigrate` throws, `DatabaseError`.
    public func migrate(
        to model: Model,
        environment: SystemEnvironment? = nil,
        unpushedChanges changes: UnpushedChangePolicy = .reject,
        willMigrate: (Migration) throws -> Void = { _ in }
    ) throws -> Store {
        let layout = try StoreLayout(model)
        let (_, generation) = try migrate(
            to: layout,
            date: environment?.now(),
            unpushedChanges: changes,
            willMigrate: willMigrate
        )
        return Store(
            writer: writer,
            layout: layout,
            generation: generation,
            location: location,
            checkpoint: backgroundCheckpoint,
            feed: feed,
            liveFeed: liveFeed
        )
    }

    /// Returns the changes that a migration would make, without making them.
    ///
    /// Use it to show what an update of the model does, or in a test of the migrations of released
    /// models. This is a dry run: it does the same work in a transaction that is rolled back, so it
    /// takes as long as the migration, and other writers wait for it. Anything that prevents the
    /// migration is listed in ``Migration/rejections``.
    ///
    /// ```swift
    /// let migration = try store.dryRunMigration(to: model)
    /// for rejection in migration.rejections { print(rejection) }
    /// print(migration.losesData ? "deletes data" : "keeps all data")
    /// ```
    ///
    /// - Parameters:
    ///   - model: The new model.
    ///   - changes: What happens to local changes that the new model cannot represent.
    /// - Returns: The steps and rejections; an empty migration if the store has the model.
    /// - Throws: `ModelError` if the model is not valid, ``StoreError`` if something other than the
    ///   rows prevents the migration, `DatabaseError`.
    public func dryRunMigration(
        to model: Model,
        unpushedChanges changes: UnpushedChangePolicy = .reject
    ) throws -> Migration {
        try migrate(
            to: StoreLayout(model),
            date: nil,
            .rollback,
            unpushedChanges: changes
        ).migration
    }

    /// Creates a copy of the store in a temporary file, which is deleted when the copy is released.
    ///
    /// Use it to try out changes without affecting this store, such as an import or a migration of
    /// real data. The copy contains the whole database, tables of the app included, and needs as
    /// much disk space.
    ///
    /// ```swift
    /// let copy = try store.temporaryCopy()
    /// try copy.write { writer in try writer.delete(RecordLocator("Film:4")) }
    /// print(try store.differences(from: copy))
    /// ```
    ///
    /// - Returns: The copy, with a connection of its own. It can be read and written; changes are
    ///   not copied back.
    /// - Throws: `DatabaseError`.
    public func temporaryCopy() throws -> Store {
        // SQLite stores a database without a name in a temporary file that only the connection can
        // access.
        let copy = try DatabaseQueue(path: "", configuration: Self.configuration)
        try writer.backup(to: copy)
        return Store(writer: copy, layout: layout, generation: generation, location: location)
    }

    /// Migrates the store, or does a dry run if `completion` is `.rollback`.
    ///
    /// - Parameters:
    ///   - layout: The new layout.
    ///   - date: The date to record; nil to record none.
    ///   - completion: Whether to commit the migration or to roll it back.
    ///   - changes: What happens to local changes that the new layout cannot represent.
    ///   - checkpoint: Called before each change, so that tests can interrupt a migration.
    ///   - willMigrate: Called with the changes before the commit.
    /// - Returns: What the migration did, and the number of migrations that the store has had.
    /// - Throws: ``StoreError``, `DatabaseError`, and errors that the closures throw.
    @discardableResult
    func migrate(
        to layout: StoreLayout,
        date: Date?,
        _ completion: Database.TransactionCompletion = .commit,
        unpushedChanges changes: UnpushedChangePolicy = .reject,
        checkpoint: () throws -> Void = {},
        willMigrate: (Migration) throws -> Void = { _ in }
    ) throws -> (migration: Migration, generation: Int) {
        try writer.writeWithoutTransaction { db in
            try withoutForeignKeys(db) {
                var outcome = (migration: Migration([]), generation: 0)
                // A deferred transaction that reads first fails with SQLITE_BUSY_SNAPSHOT when it
                // writes after another process did.
                try db.inTransaction(.immediate) {
                    let run = MigrationRun(
                        db: db,
                        layout: layout,
                        location: location,
                        isDryRun: completion == .rollback,
                        feed: feed,
                        liveFeed: liveFeed,
                        unpushedChanges: changes
                    )
                    let migration = try run.run(
                        date: date,
                        checkpoint: checkpoint,
                        willMigrate: willMigrate
                    )
                    outcome = (migration, try StoreMetadata.generation(db))
                    return completion
                }
                return outcome
            }
        }
    }

    /// Runs a body while foreign keys are disabled.
    ///
    /// A migration drops tables that others refer to. With foreign keys enabled, `DROP TABLE`
    /// deletes the rows first and so runs the foreign key actions of the referring rows. The
    /// setting has no effect inside a transaction.
    private func withoutForeignKeys<T>(_ db: Database, _ body: () throws -> T) throws -> T {
        // With `legacy_alter_table` on, RENAME does not update triggers and views that use a table.
        let settings = ["foreign_keys", "legacy_alter_table"]
        let before = try settings.map { try Int.fetchOne(db, sql: "PRAGMA \($0)") ?? 0 }
        let restore = {
            for (setting, value) in zip(settings, before) {
                try db.execute(sql: "PRAGMA \(setting) = \(value)")
            }
        }
        for setting in settings { try db.execute(sql: "PRAGMA \(setting) = OFF") }
        let result: T
        do {
            result = try body()
        } catch {
            try restore()
            throw error
        }
        try restore()
        return result
    }
}
