import Foundation
import GRDB
import TidemarkModel

/// One attempt to bring a store to a model, inside a transaction.
struct MigrationRun {
    let db: Database
    let layout: StoreLayout

    /// How the store is called in errors.
    let place: String

    /// Whether everything is rolled back afterwards.
    let isRehearsal: Bool

    /// What records the changes of rows.
    let feed: ChangeFeed

    init(
        _ db: Database,
        _ layout: StoreLayout,
        place: String,
        isRehearsal: Bool,
        feed: ChangeFeed
    ) {
        self.db = db
        self.layout = layout
        self.place = place
        self.isRehearsal = isRehearsal
        self.feed = feed
    }

    /// Migrates, unless the store has the model already: another process may have been faster.
    func run(
        _ date: Date?,
        _ checkpoint: () throws -> Void,
        _ willMigrate: (Migration) throws -> Void
    ) throws -> Migration {
        let model = try StoreMetadata.model(db, place: place)
        guard model != layout.model else { return Migration([]) }
        let plan = try MigrationPlan(StoreLayout(model), layout)
        return try withConversions(plan) {
            var check = MigrationCheck(db, plan)
            try check.run()
            let steps = try check.steps()
            let refused = Migration(steps, refusals: check.refusals)
            if !refused.refusals.isEmpty, isRehearsal { return refused }
            if let refusal = refused.refusal(of: place) { throw refusal }
            let resumeRecording = try feed.migrate(db, plan)
            let forgotten = try migrate(plan, checkpoint)
            try resumeRecording(db)
            let migration = Migration(steps, forgotten: forgotten)
            try willMigrate(migration)
            try StoreMetadata.record(db, migration, layout.model, date)
            if !isRehearsal { try db.notifyChanges(in: .fullDatabase) }
            return migration
        }
    }

    private func migrate(_ plan: MigrationPlan, _ checkpoint: () throws -> Void) throws -> Int {
        try withoutActuallyEscaping(checkpoint) { checkpoint in
            try SchemaMigration(db, plan, checkpoint: checkpoint).run()
        }
    }

    /// Makes the conversions of a plan known to SQLite while a body runs.
    private func withConversions<T>(_ plan: MigrationPlan, _ body: () throws -> T) throws -> T {
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
