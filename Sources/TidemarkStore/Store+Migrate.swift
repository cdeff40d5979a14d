import Foundation
import GRDB
public import TidemarkModel

extension Store {
    /// Changes the store to another model, in place and in one transaction, and returns it.
    ///
    /// What can be kept is kept: rows with their numbers, values that convert, links, references
    /// that wait for their rows. What the new model has no place for is dropped, and told in the
    /// steps; what could only be had by losing something else is refused. A migration that fails or
    /// is interrupted leaves the store as it was. With the model that it has, nothing happens.
    ///
    /// ``open(at:model:environment:willMigrate:)`` does this for a model that differs.
    ///
    /// - Parameters:
    ///   - model: what the store is to hold from now on.
    ///   - environment: where the date of the record comes from; without it there is none.
    ///   - willMigrate: called inside the transaction with what will be done; nothing is when it
    ///     throws.
    /// - Returns: the store with the new model. This one fails from now on, as does every other
    ///   that was opened before: ``StoreError/Code/outdated``.
    /// - Throws: ``StoreError/Code/migrationRefused``, `ModelError` when the model is not valid,
    ///   `DatabaseError`.
    public func migrated(
        to model: Model,
        environment: SystemEnvironment? = nil,
        willMigrate: (Migration) throws -> Void = { _ in }
    ) throws -> Store {
        let layout = try StoreLayout(model)
        let (_, generation) = try migrate(
            to: layout,
            date: environment?.now(),
            willMigrate: willMigrate
        )
        return Store(
            writer: writer,
            layout: layout,
            generation: generation,
            place: place,
            checkpoint: backgroundCheckpoint,
            feed: feed
        )
    }

    /// Tells what a migration would do, and changes nothing.
    ///
    /// It is the same work, in a transaction that is rolled back; what stands in the way of it is
    /// told in ``Migration/refusals``.
    ///
    /// - Throws: `ModelError` when the model is not valid, ``StoreError`` when something other than
    ///   the rows is in the way, `DatabaseError`.
    public func rehearseMigration(to model: Model) throws -> Migration {
        try migrate(to: StoreLayout(model), date: nil, .rollback).migration
    }

    /// A copy of the store in a temporary file, gone when it is released.
    ///
    /// What is tried out there leaves no trace here.
    public func temporaryCopy() throws -> Store {
        // SQLite keeps a database without a name in a file that nobody sees.
        let copy = try DatabaseQueue(path: "", configuration: Self.configuration)
        try writer.backup(to: copy)
        return Store(writer: copy, layout: layout, generation: generation, place: place)
    }

    /// Migrates, or only rehearses it, and returns what was done with the number of migrations
    /// that the store has behind it; the checkpoint is called before each change.
    @discardableResult
    func migrate(
        to layout: StoreLayout,
        date: Date?,
        _ completion: Database.TransactionCompletion = .commit,
        checkpoint: () throws -> Void = {},
        willMigrate: (Migration) throws -> Void = { _ in }
    ) throws -> (migration: Migration, generation: Int) {
        try writer.writeWithoutTransaction { db in
            try withoutForeignKeys(db) {
                var outcome = (migration: Migration([]), generation: 0)
                try db.inTransaction(.immediate) {
                    let run = MigrationRun(
                        db,
                        layout,
                        place: place,
                        isRehearsal: completion == .rollback,
                        feed: feed
                    )
                    let migration = try run.run(date, checkpoint, willMigrate)
                    outcome = (migration, try StoreMetadata.generation(db))
                    return completion
                }
                return outcome
            }
        }
    }

    /// Runs a body while foreign keys are off, which can only be changed outside of a transaction.
    private func withoutForeignKeys<T>(_ db: Database, _ body: () throws -> T) throws -> T {
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
