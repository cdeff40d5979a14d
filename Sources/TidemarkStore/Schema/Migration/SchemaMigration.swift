import Foundation
import GRDB
import TidemarkModel

/// The statements of one migration, inside the transaction of the caller.
///
/// Foreign keys must be off: a rebuilt table is dropped and renamed while its rows are referred to,
/// and DROP TABLE would run the actions of these references. They are checked at the end.
final class SchemaMigration {
    let db: Database
    let plan: MigrationPlan
    let sql: MigrationSQL

    /// Called before each statement that changes the database.
    private let checkpoint: () throws -> Void

    /// The current name of each old table.
    var names: [String]

    /// The highest row number that each old table has assigned.
    private var sequences: [Int64?] = []

    /// Indexes and triggers of the app on rebuilt tables.
    var foreignObjects: [ForeignObject] = []

    init(_ db: Database, _ plan: MigrationPlan, checkpoint: @escaping () throws -> Void) {
        self.db = db
        self.plan = plan
        self.checkpoint = checkpoint
        sql = MigrationSQL(plan: plan)
        names = plan.old.tables.map(\.name)
    }

    /// What a migration had to delete besides values and rows.
    struct Discarded {
        /// The unresolved references.
        var references = 0
        /// The local changes that were not pushed.
        var changes = 0
    }

    /// Changes the tables, and returns what had to be deleted.
    ///
    /// The app's triggers and views must be valid before and after.
    func run() throws -> Discarded {
        try rejectingForeignFaults(.before, body: probe)
        return try rejectingForeignFaults(.after) {
            let discarded = try change()
            try probe()
            return discarded
        }
    }

    private func change() throws -> Discarded {
        sequences = try plan.old.tables.map { try sequence($0.name) }
        // Links and unresolved references are read from the old tables, under their old names.
        try stageLinks()
        var discarded = Discarded()
        discarded.references = try moveUnresolvedReferences()
        discarded.changes = try moveChanges()
        try moveImportSessions()
        try discardKeylessRows()
        try rejectHomelessObjects()
        foreignObjects = try foreignObjectsOnPairs()
        try dropJoins()
        try renameTables()
        try changeKeptTables()
        // From here on RENAME neither rewrites nor checks references in tables, triggers and views:
        // a rebuilt table gets the name to which they refer already.
        try execute("PRAGMA legacy_alter_table = ON")
        foreignObjects += try foreignObjectsOnTables()
        try writeTables()
        try dropTables()
        try placeLinks()
        try restoreSequences()
        try makeIndexes()
        try restoreForeignObjects()
        try execute("PRAGMA legacy_alter_table = OFF")
        try checkReferences()
        return discarded
    }

    func execute(_ statement: String, arguments: StatementArguments = StatementArguments()) throws {
        try checkpoint()
        try db.execute(sql: statement, arguments: arguments)
    }

    // MARK: Names

    /// Returns the temporary name of an old table while tables are renamed.
    private func aside(_ table: Int) -> String { "_tidemark_old_\(table)" }

    /// Returns the name of a rebuilt table until the old one is dropped.
    private func ahead(_ table: Int) -> String { "_tidemark_new_\(table)" }

    /// Renames the old tables that become new ones.
    ///
    /// SQLite also renames them in the references of other tables.
    private func renameTables() throws {
        try clearNames()
        // By way of temporary names, because two tables may exchange theirs.
        var renamings: [(table: Int, name: String)] = []
        for table in plan.old.tables.indices {
            guard let successor = plan.successor(ofTable: table) else { continue }
            let name = plan.new.tables[successor].name
            guard name != names[table] else { continue }
            renamings.append((table, name))
            try rename(table, to: aside(table))
        }
        for (table, name) in renamings { try rename(table, to: name) }
        try renameJoins()
    }

    /// Renames dropped tables whose names other tables get.
    ///
    /// References to them keep the name, and are checked at the end: they may belong to the app.
    private func clearNames() throws {
        let taken = Set(plan.new.tables.map { $0.name.lowercased() })
        try execute("PRAGMA legacy_alter_table = ON")
        for table in plan.old.tables.indices
        where plan.successor(ofTable: table) == nil && taken.contains(names[table].lowercased()) {
            try rename(table, to: aside(table))
        }
        try execute("PRAGMA legacy_alter_table = OFF")
    }

    private func rename(_ table: Int, to name: String) throws {
        try rename(names[table], to: name)
        names[table] = name
    }

    private func rename(_ table: String, to name: String) throws {
        try execute(
            "ALTER TABLE \(table.quotedDatabaseIdentifier) "
                + "RENAME TO \(name.quotedDatabaseIdentifier)"
        )
    }

    private func renameJoins() throws {
        var renamings: [(String, String)] = []
        for (former, join) in keptJoins() where former.name != join.name {
            let aside = "_tidemark_old_join_\(renamings.count)"
            try rename(former.name, to: aside)
            renamings.append((aside, join.name))
        }
        for (aside, name) in renamings { try rename(aside, to: name) }
    }

    /// Returns the join tables that are kept, with their new layouts.
    func keptJoins() -> [(former: JoinLayout, join: JoinLayout)] {
        plan.links.compactMap { link in
            guard case .join(let former) = link.way,
                case .join(let join, _) = link.relationship.storage
            else { return nil }
            return (plan.old.joins[former], plan.new.joins[join])
        }
    }

    // MARK: Tables

    private func dropJoins() throws {
        let kept = Set(keptJoins().map(\.former.name))
        for join in plan.old.joins where !kept.contains(join.name) {
            try execute("DROP TABLE \(join.name.quotedDatabaseIdentifier)")
        }
    }

    /// Creates and fills the tables that cannot be altered in place.
    private func writeTables() throws {
        for (target, move) in plan.tables.enumerated() where !move.isKept {
            let name = ahead(target)
            let table = plan.new.tables[target]
            try execute(table.creation(as: name))
            for source in move.sources { try copy(source, to: target, named: name) }
        }
    }

    private func copy(_ source: TableSource, to target: Int, named name: String) throws {
        let table = plan.new.tables[target]
        let own = table.hasEntityColumn ? ["\"_entity\""] : []
        let columns =
            ["_id"] + own + table.columns.map(\.name.quotedDatabaseIdentifier)
        let values =
            ["_id"] + own.map { _ in sql.entity(source) } + sql.expressions(source, of: target)
        try execute(
            """
            INSERT INTO \(name.quotedDatabaseIdentifier) (\(columns.joined(separator: ", "))) \
            SELECT \(values.joined(separator: ", ")) \
            FROM \(names[source.table].quotedDatabaseIdentifier)\
            \(sql.filter(source).map { " WHERE \($0)" } ?? "") ORDER BY _id
            """
        )
    }

    private func dropTables() throws {
        for table in plan.old.tables.indices {
            if let successor = plan.successor(ofTable: table), plan.tables[successor].isKept {
                continue
            }
            try execute("DROP TABLE \(names[table].quotedDatabaseIdentifier)")
        }
        for (target, move) in plan.tables.enumerated() where !move.isKept {
            try rename(ahead(target), to: plan.new.tables[target].name)
        }
        for join in plan.new.joins where !keptJoins().contains(where: { $0.join.name == join.name })
        {
            try execute(join.tableCreation)
        }
    }

    private func makeIndexes() throws {
        // Indexes whose text is unchanged are kept: to build one reads the whole table.
        let wanted =
            plan.new.tables.flatMap(\.indexCreation) + plan.new.joins.flatMap(\.indexCreation)
        let tables = plan.new.tables.map(\.name) + plan.new.joins.map(\.name)
        let found = try Row.fetchAll(
            db,
            sql: """
                SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL \
                AND name LIKE '\\_tidemark\\_%' ESCAPE '\\' \
                AND tbl_name COLLATE NOCASE IN \
                (\(tables.map(\.quotedText).joined(separator: ", ")))
                """
        )
        var known: Set<String> = []
        for row in found {
            let name: String = row[0]
            let text: String = row[1]
            if wanted.contains(text) {
                known.insert(text)
            } else {
                try execute("DROP INDEX \(name.quotedDatabaseIdentifier)")
            }
        }
        for statement in wanted where !known.contains(statement) { try execute(statement) }
    }

    // MARK: Row numbers

    private func sequence(_ table: String) throws -> Int64? {
        try Int64.fetchOne(
            db,
            sql: "SELECT seq FROM sqlite_sequence WHERE name = ?",
            arguments: [table]
        )
    }

    /// Restores the highest assigned row number of each rebuilt table, so that none is assigned
    /// twice, even if its row was deleted or came from another table.
    private func restoreSequences() throws {
        for (target, move) in plan.tables.enumerated() where !move.isKept {
            let former = (move.sources.map(\.table) + (move.base.map { [$0] } ?? []))
                .compactMap { sequences[$0] }.max()
            guard let former else { continue }
            let name = plan.new.tables[target].name
            // SQLite adds the entry of a table with its first row.
            if try sequence(name) == nil {
                try execute(
                    "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)",
                    arguments: [name, former]
                )
            } else {
                try execute(
                    "UPDATE sqlite_sequence SET seq = ? WHERE name = ?",
                    arguments: [former, name]
                )
            }
        }
    }

    /// Checks the foreign keys of all tables that refer to the store's.
    ///
    /// A broken one was broken before the migration, or refers to a row that is dropped.
    private func checkReferences() throws {
        // With the old names, because a table of the app may refer to one that is dropped.
        let tables = Set((plan.new.tables + plan.old.tables).map(\.name))
        let referring = try String.fetchAll(
            db,
            sql: """
                SELECT DISTINCT m.name FROM sqlite_master m, pragma_foreign_key_list(m.name) f \
                WHERE m.type = 'table' AND f."table" COLLATE NOCASE IN \
                (\(tables.map(\.quotedText).sorted().joined(separator: ", ")))
                """
        )
        for table in referring {
            guard let broken = try brokenReference(of: table) else { continue }
            let row: Int64? = broken[1]
            let parent: String = broken[2]
            throw StoreError(
                .migrationRejected,
                "Row \(row.map(String.init) ?? "") of \(table) refers to a row of \(parent) "
                    + "that is not there.",
                hint: "Clear the reference first."
            )
        }
    }
    private func brokenReference(of table: String) throws -> Row? {
        do {
            return try Row.fetchOne(
                db,
                sql: "PRAGMA foreign_key_check(\(table.quotedDatabaseIdentifier))"
            )
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            // The columns that it refers to are missing, or not unique.
            throw StoreError(
                .migrationRejected,
                "A reference of the table \(table) does not fit the tables of the model: "
                    + "\(error.message ?? "").",
                hint: "Let it refer to the column _id."
            )
        }
    }
}
