import Foundation
import GRDB
import TidemarkModel

/// One migration or dry run of a store, inside a transaction.
struct MigrationRun {
    let db: Database
    let layout: StoreLayout

    /// The name of the store in error messages.
    let location: String

    /// Whether this is a dry run, which the caller rolls back.
    let isDryRun: Bool

    /// The recorder of row changes.
    let feed: ChangeFeed
    let liveFeed: LiveFeed

    /// What happens to local changes that the new model cannot represent.
    let unpushedChanges: UnpushedChangePolicy

    /// Migrates the store, unless it already has the model: another process may have migrated it
    /// first.
    func run(
        date: Date?,
        checkpoint: () throws -> Void,
        willMigrate: (Migration) throws -> Void
    ) throws -> Migration {
        let model = try StoreMetadata.model(db, location: location)
        guard model != layout.model else { return Migration([]) }
        let plan = try MigrationPlan(from: StoreLayout(model), to: layout)
        return try withConversions(of: plan) {
            // Of all rows that are numbered above the watermarks, which the new tables do not have.
            try Capture.of(db, plan.old)?.collect()
            var check = MigrationCheck(db, plan)
            try check.run()
            try check.checkChanges(unpushedChanges)
            let steps = try check.steps()
            let blocked = Migration(steps, rejections: check.rejections)
            // A dry run reports all rejections; a migration throws the first.
            if !blocked.rejections.isEmpty, isDryRun { return blocked }
            if let rejection = blocked.rejection(of: location) { throw rejection }
            // The changes of rows are recorded while the old tables exist. Triggers that name old
            // columns would fail while the tables are rebuilt.
            try liveFeed.willMigrate(db)
            let resumeRecording = try feed.migrate(db, plan)
            let isCaptured = try Capture.isInstalled(db)
            // They would record what the migration itself changes.
            if isCaptured { try Capture.dropTriggers(db) }
            let discarded = try migrate(plan, checkpoint: checkpoint)
            if isCaptured { try Capture.resume(db, layout) }
            try resumeRecording(db)
            let migration = Migration(steps, discarded: discarded)
            // Last, because the number of deleted references is known only now. An error rolls all
            // back.
            try willMigrate(migration)
            try StoreMetadata.record(db, migration, model: layout.model, date: date)
            // A rebuilt table is filled under another name, which GRDB's observations do not track.
            if !isDryRun { try db.notifyChanges(in: .fullDatabase) }
            return migration
        }
    }

    private func migrate(
        _ plan: MigrationPlan,
        checkpoint: () throws -> Void
    ) throws -> SchemaMigration.Discarded {
        try withoutActuallyEscaping(checkpoint) { checkpoint in
            try SchemaMigration(db, plan, checkpoint: checkpoint).run()
        }
    }

    /// Registers the conversions of a plan as SQL functions while a body runs.
    private func withConversions<T>(of plan: MigrationPlan, body: () throws -> T) throws -> T {
        let conversions = plan.conversions
        let functions = [
            DatabaseFunction(MigrationSQL.convert, argumentCount: 2, pure: true) { values in
                guard let number = Int.fromDatabaseValue(values[0]) else { return nil }
                return try conversions[number].convert(values[1])
            },
            DatabaseFunction(MigrationSQL.fails, argumentCount: 2, pure: true) { values in
                guard let number = Int.fromDatabaseValue(values[0]) else { return nil }
                return conversions[number].failure(values[1]) != nil
            },
        ]
        for function in functions { db.add(function: function) }
        defer { for function in functions { db.remove(function: function) } }
        return try body()
    }
}
