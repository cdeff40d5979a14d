import GRDB
import TidemarkModel

/// An index or trigger that is not ours.
struct ForeignObject {
    let name: String
    let kind: String
    let table: String
    let statement: String
}

extension SchemaMigration {
    // MARK: On tables that are written anew

    /// What is on tables of entities that are written anew; the names are the new ones already.
    func foreignObjectsOnTables() throws -> [ForeignObject] {
        let written = plan.tables.indices.filter { !plan.tables[$0].isKept }
        return try foreignObjects(on: written.map { plan.new.tables[$0].name })
    }

    /// What is on tables of pairs that are written anew under the name they had.
    func foreignObjectsOnPairs() throws -> [ForeignObject] {
        let names = Set(plan.new.joins.map(\.name)).subtracting(keptJoins().map(\.join.name))
        return try foreignObjects(on: plan.old.joins.map(\.name).filter(names.contains))
    }

    /// Refuses to lose what is on a table that goes while its rows, or its pairs, go on elsewhere.
    ///
    /// What is on a table that goes with all its rows goes with it.
    func refuseHomelessObjects() throws {
        let tables = plan.old.tables.indices.filter { table in
            plan.successor(ofTable: table) == nil
                && plan.tables.contains { $0.sources.contains { $0.table == table } }
        }
        let kept = keptJoins().map(\.former.name) + plan.new.joins.map(\.name)
        let joins = plan.old.joins.indices.filter { join in
            !kept.contains(plan.old.joins[join].name) && goesOn(join)
        }
        let names = tables.map { plan.old.tables[$0].name } + joins.map { plan.old.joins[$0].name }
        guard let object = try foreignObjects(on: names).first else { return }
        throw StoreError.foreignObject(
            object.kind,
            object.name,
            "is on the table \(object.table), which the model has no longer, "
                + "while its rows go on."
        )
    }

    /// Whether the pairs of an old table are links of the new model.
    private func goesOn(_ join: Int) -> Bool {
        plan.links.flatMap(\.sources).contains { source in
            guard case .join(join, _) = source.relationship.storage else { return false }
            return true
        }
    }

    /// SQLite keeps the name of a trigger's table as somebody wrote it.
    private func foreignObjects(on tables: [String]) throws -> [ForeignObject] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT name, type, tbl_name, sql FROM sqlite_master \
                WHERE type IN ('index', 'trigger') AND sql IS NOT NULL \
                AND name NOT LIKE '\\_tidemark\\_%' ESCAPE '\\' AND tbl_name COLLATE NOCASE IN \
                (\(tables.map(\.quotedText).joined(separator: ", "))) ORDER BY rowid
                """
        )
        .map { ForeignObject(name: $0[0], kind: $0[1], table: $0[2], statement: $0[3]) }
    }

    /// Makes again what went with tables that were written anew.
    func restoreForeignObjects() throws {
        for object in foreignObjects {
            do {
                try execute(object.statement)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
                throw StoreError.foreignObject(
                    object.kind,
                    object.name,
                    "does not fit the table \(object.table) of the model: \(error.message ?? "")."
                )
            }
        }
    }

    // MARK: Anywhere

    /// Lets SQLite read every trigger and view of the database again: it does so when a table is
    /// renamed, whichever it is.
    func probe() throws {
        try execute("CREATE TABLE \"_tidemark_probe\" (\"x\")")
        try execute("ALTER TABLE \"_tidemark_probe\" RENAME TO \"_tidemark_probed\"")
        try execute("DROP TABLE \"_tidemark_probed\"")
    }

    /// Turns what SQLite says of triggers and views that do not work into refusals.
    func refusingForeignFaults<T>(
        _ time: ForeignFault.Time,
        _ body: () throws -> T
    ) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            guard let fault = ForeignFault(error.message ?? "") else { throw error }
            throw StoreError(fault, time)
        }
    }
}

/// What SQLite finds wrong with a trigger or view: `error in view v after rename: no such column`.
struct ForeignFault {
    /// When it was found: a fault that was there before is not the migration's.
    enum Time {
        case before
        case after
    }

    let kind: String
    let name: String
    let reason: String

    init?(_ message: String) {
        guard message.hasPrefix("error in "), let colon = message.firstRange(of: ": ") else {
            return nil
        }
        var words = message[..<colon.lowerBound].dropFirst("error in ".count)
        let suffix = " after rename"
        if words.hasSuffix(suffix) { words = words.dropLast(suffix.count) }
        guard let space = words.firstIndex(of: " ") else { return nil }
        kind = String(words[..<space])
        name = String(words[words.index(after: space)...])
        reason = String(message[colon.upperBound...])
    }
}

extension StoreError {
    fileprivate static func foreignObject(
        _ kind: String,
        _ name: String,
        _ reason: String
    ) -> StoreError {
        StoreError(
            .migrationRefused,
            "The \(kind) \(name) \(reason)",
            hint: "Drop it, and make it again after the migration."
        )
    }

    fileprivate init(_ fault: ForeignFault, _ time: ForeignFault.Time) {
        switch time {
        case .before:
            self.init(
                .migrationRefused,
                "The \(fault.kind) \(fault.name) does not work: \(fault.reason).",
                hint: "Mend or drop it first."
            )
        case .after:
            self = .foreignObject(
                fault.kind,
                fault.name,
                "does not fit the tables of the model: \(fault.reason)."
            )
        }
    }
}
