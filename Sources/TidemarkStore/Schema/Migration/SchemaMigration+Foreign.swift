import GRDB
import TidemarkModel

/// An index or trigger of the app or another program.
struct ForeignObject {
    let name: String
    let kind: String
    let table: String
    let statement: String
}

extension SchemaMigration {
    // MARK: On rebuilt tables

    /// Returns the app's objects on rebuilt tables of entities, which are found by their new names.
    func foreignObjectsOnTables() throws -> [ForeignObject] {
        let written = plan.tables.indices.filter { !plan.tables[$0].isKept }
        return try foreignObjects(on: written.map { plan.new.tables[$0].name })
    }

    /// Returns the app's objects on join tables that are rebuilt under the same name.
    func foreignObjectsOnPairs() throws -> [ForeignObject] {
        let names = Set(plan.new.joins.map(\.name)).subtracting(keptJoins().map(\.join.name))
        return try foreignObjects(on: plan.old.joins.map(\.name).filter(names.contains))
    }

    /// Throws if an object of the app is on a table that is dropped while its rows or pairs move to
    /// another one.
    ///
    /// An object on a table that is dropped with all its rows is dropped too.
    func rejectHomelessObjects() throws {
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
            name: object.name,
            reason: "is on the table \(object.table), which the model has no longer, "
                + "while its rows go on."
        )
    }

    /// Returns whether the new model keeps the links of an old join table.
    private func goesOn(_ join: Int) -> Bool {
        plan.links.flatMap(\.sources).contains { source in
            guard case .join(join, _) = source.relationship.storage else { return false }
            return true
        }
    }

    /// Returns the app's indexes and triggers on tables.
    ///
    /// Names are compared without case: SQLite stores a trigger's table as it is spelled in its
    /// statement. An index without a statement belongs to a constraint.
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

    /// Creates the objects again that were dropped with rebuilt tables.
    func restoreForeignObjects() throws {
        for object in foreignObjects {
            do {
                try execute(object.statement)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
                throw StoreError.foreignObject(
                    object.kind,
                    name: object.name,
                    reason:
                        "does not fit the table \(object.table) of the model: \(error.message ?? "")."
                )
            }
        }
    }

    // MARK: On any table

    /// Makes SQLite parse every trigger and view of the database, as it does when any table is
    /// renamed.
    func probe() throws {
        try execute("CREATE TABLE \"_tidemark_probe\" (\"x\")")
        try execute("ALTER TABLE \"_tidemark_probe\" RENAME TO \"_tidemark_probed\"")
        try execute("DROP TABLE \"_tidemark_probed\"")
    }

    /// Turns SQLite's errors about invalid triggers and views into
    /// ``StoreError/Code/migrationRejected``.
    func rejectingForeignFaults<T>(
        _ time: ForeignFault.Time,
        body: () throws -> T
    ) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            guard let fault = ForeignFault(error.message ?? "") else { throw error }
            throw StoreError(fault, at: time)
        }
    }
}

/// An invalid trigger or view, as in SQLite's message `error in view v after rename: no such
/// column`.
struct ForeignFault {
    /// When it was found: an error before the migration is not caused by it.
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
        name: String,
        reason: String
    ) -> StoreError {
        StoreError(
            .migrationRejected,
            "The \(kind) \(name) \(reason)",
            hint: "Drop it, and make it again after the migration."
        )
    }

    fileprivate init(_ fault: ForeignFault, at time: ForeignFault.Time) {
        switch time {
        case .before:
            self.init(
                .migrationRejected,
                "The \(fault.kind) \(fault.name) does not work: \(fault.reason).",
                hint: "Repair or drop it first."
            )
        case .after:
            self = .foreignObject(
                fault.kind,
                name: fault.name,
                reason: "does not fit the tables of the model: \(fault.reason)."
            )
        }
    }
}
