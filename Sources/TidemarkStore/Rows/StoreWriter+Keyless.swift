import GRDB
import TidemarkModel

/// Rows of entities without a key, which a service knows only as part of the objects that contain
/// them.
extension StoreWriter {
    /// Whether a row contains another: a relationship leads to it, and that is not just the way
    /// back from a row that the other contains itself.
    package func isContained(_ row: Int64, in table: Int) throws -> Bool {
        for relationship in containers(of: table) {
            guard try owners(of: relationship, pointingAt: row).isEmpty else { return true }
        }
        return false
    }

    /// The relationships by which rows of a table are contained in others.
    private func containers(of table: Int) -> [RelationshipLayout] {
        layout.relationships.values.filter { relationship in
            guard layout.entities[relationship.destination].table == table else { return false }
            guard let inverse = layout.inverse(of: relationship), inverse.relationship.isToMany,
                case .inverse = inverse.storage
            else { return true }
            // A member of the row's own list goes with the row, unless it has a key and the row may
            // get one.
            let mayHaveKey = !layout.tables[table].keys.isEmpty
            return (mayHaveKey || inverse.relationship.deleteRule != .cascade)
                && !layout.tables[relationship.table].keys.isEmpty
        }
        .sorted { $0.identifier < $1.identifier }
    }

    /// The rows without a key that others without one contain which are to be deleted, by table.
    ///
    /// Of rows with a key the delete rules alone decide: what has no key may be the app's own.
    func keylessRows(linkedTo doomed: [Int: RowSet]) throws -> [Int: RowSet] {
        var result: [Int: RowSet] = [:]
        for relationship in layout.relationships.values {
            let table = layout.entities[relationship.destination].table
            guard layout.tables[table].keys.isEmpty,
                layout.tables[relationship.table].keys.isEmpty,
                relationship.relationship.deleteRule != .deny,
                relationship.relationship.orphans == .delete, let rows = doomed[relationship.table]
            else { continue }
            for row in rows.rows {
                for linked in try reader.linked(relationship, of: row)
                where doomed[table]?.contains(linked) != true {
                    if result[table] == nil { result[table] = RowSet() }
                    result[table]?.insert(linked)
                }
            }
        }
        return result
    }
}

/// Rows of entities with a key that an import made from objects without one.
///
/// Only the row that is linked to such a row leads to it. The store records them, as a row without
/// a key that a user made must not be deleted by an import.
extension StoreWriter {
    /// Whether the store has any such rows.
    package func hasKeylessRows() throws -> Bool {
        if let isAnythingKeyless { return isAnythingKeyless }
        // A store of an earlier revision lacks the table until it is needed.
        let isThere = try db.tableExists("_tidemark_keyless")
        let found =
            try isThere
            && Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM _tidemark_keyless)") == true
        isAnythingKeyless = found
        return found
    }

    /// Records that an import made a row from an object without a key.
    package func markKeyless(_ row: Int64, in table: Int) throws {
        if isAnythingKeyless != true { try db.execute(sql: SystemTables.keyless) }
        isAnythingKeyless = true
        try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO _tidemark_keyless (entity, row) VALUES (?, ?)"
        )
        .execute(arguments: [layout.tables[table].name, row])
    }

    /// Whether an import made a row from an object without a key.
    package func isKeyless(_ row: Int64, in table: Int) throws -> Bool {
        guard try hasKeylessRows() else { return false }
        return try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM _tidemark_keyless WHERE entity = ? AND row = ?)"
            ),
            arguments: [layout.tables[table].name, row]
        ) == true
    }

    /// Forgets a row that is deleted.
    func forgetKeyless(_ row: Int64, in table: Int) throws {
        guard try hasKeylessRows() else { return }
        try db.cachedStatement(sql: "DELETE FROM _tidemark_keyless WHERE entity = ? AND row = ?")
            .execute(arguments: [layout.tables[table].name, row])
    }
}
