import GRDB
import TidemarkModel

/// What a deletion did.
public struct DeleteOutcome: Sendable {
    /// How many rows went, by entity.
    public var deleted: [String: Int] = [:]

    /// The rows that could not go.
    public var denials: [DeleteViolation] = []

    /// A row that a delete rule keeps.
    public struct DeleteViolation: Sendable, Hashable {
        /// The row's table.
        public let table: String
        /// Its row number.
        public let row: Int64
        /// `Entity.relationship`: the relationship that denies it.
        public let relationship: String
    }
}

extension StoreWriter {
    /// Deletes rows of a table, and what goes with them by the model's delete rules.
    ///
    /// - Parameters:
    ///   - rows: the row numbers; a row that is gone already is passed over.
    ///   - table: the table's place in the layout.
    ///   - isRemembered: whether rows that pointed at a deleted one are linked again if it comes
    ///     back: so when a service no longer names a row, not when somebody deletes it here.
    ///   - kept: rows by table that none takes along, for they were named just now.
    /// - Returns: how many rows went, by entity, and the rows that a delete rule kept.
    /// - Throws: `DatabaseError`.
    public func delete(
        _ rows: [Int64],
        from table: Int,
        isRemembered: Bool,
        keeping kept: [Int: RowSet] = [:]
    ) throws -> DeleteOutcome {
        try delete([table: rows], isRemembered: isRemembered, keeping: kept)
    }

    /// Deletes rows of several tables at once: what keeps a row may go with the others.
    package func delete(
        _ rows: [Int: [Int64]],
        isRemembered: Bool,
        keeping kept: [Int: RowSet] = [:]
    ) throws -> DeleteOutcome {
        // A service deletes rows with what only they contain; an app deletes what it means to.
        let graph = try DeleteGraph(
            self,
            deleting: rows,
            withContents: isRemembered,
            keeping: kept
        )
        return try delete(graph, isRemembered: isRemembered)
    }

    /// Deletes the rows of a graph.
    package func delete(_ graph: DeleteGraph, isRemembered: Bool) throws -> DeleteOutcome {
        var outcome = DeleteOutcome(denials: graph.denials)
        let order = DeleteOrder(layout)
        let doomed = order.sorted(graph.doomed)
        // All are counted before the first goes: it may take others along by SQLite's own actions.
        for (table, rows) in doomed {
            let pointers = pointers(to: table)
            let own = layout.relationships.values.filter { $0.table == table }
            for row in rows.rows {
                guard let entity = try entityName(of: row, in: table) else { continue }
                outcome.deleted[entity, default: 0] += 1
                changes(in: table).deleted.insert(row)
                try detach(row, from: pointers, isRemembered: isRemembered, graph)
                for relationship in own { try release(relationship, of: row) }
            }
        }
        for (table, rows) in doomed {
            for row in rows.rows { try removePairs(of: row, in: table) }
            for column in order.circular[table] ?? [] {
                for row in rows.rows { try clear(column, of: row, in: table) }
            }
        }
        for (table, rows) in doomed {
            for row in rows.rows { try remove(row, from: table) }
        }
        return outcome
    }

    /// Clears every link to a row from rows that stay.
    private func detach(
        _ row: Int64,
        from pointers: [RelationshipLayout],
        isRemembered: Bool,
        _ graph: DeleteGraph
    ) throws {
        for relationship in pointers {
            for owner in try owners(of: relationship, pointingAt: row)
            where graph.doomed[relationship.table]?.contains(owner) != true {
                if isRemembered {
                    try holdPointer(relationship, of: owner, to: row)
                }
                try removeLink(relationship, of: owner, to: row)
            }
        }
    }

    /// The relationships by which rows point at those of a table; a list of children is none, as
    /// each of them points at its parent.
    func pointers(to table: Int) -> [RelationshipLayout] {
        layout.relationships.values.filter { relationship in
            guard layout.entities[relationship.destination].table == table else { return false }
            switch relationship.storage {
            case .column, .join: return true
            // Of one link each, which side has the column is no matter.
            case .inverse: return !relationship.relationship.isToMany
            }
        }
        .sorted { $0.identifier < $1.identifier }
    }

    /// The rows that a relationship links to a row.
    package func owners(
        of relationship: RelationshipLayout,
        pointingAt row: Int64
    ) throws -> [Int64] {
        let statement = try statement(ownersSQL(relationship))
        statement.bind(row, at: 1)
        defer { statement.reset() }
        var owners: [Int64] = []
        while try statement.step() {
            owners.append(statement.integer(at: 0))
        }
        return owners
    }

    private func ownersSQL(_ relationship: RelationshipLayout) -> String {
        switch relationship.storage {
        case .column(let column):
            let table = relationship.table
            return "SELECT _id FROM \(name(of: table)) WHERE \(name(of: column, in: table)) = ?"
        case .inverse(let table, let column, _):
            let column = name(of: column, in: table)
            return
                "SELECT \(column) FROM \(name(of: table)) WHERE _id = ? AND \(column) IS NOT NULL"
        case .join(let place, let side):
            let join = layout.joins[place].name.quotedDatabaseIdentifier
            switch side {
            case .owner: return "SELECT owner FROM \(join) WHERE member = ?"
            case .member: return "SELECT member FROM \(join) WHERE owner = ?"
            case .either:
                return "SELECT owner FROM \(join) WHERE member = ?1 "
                    + "UNION SELECT member FROM \(join) WHERE owner = ?1"
            }
        }
    }

    /// The entity of a row; nil when it is gone.
    private func entityName(of row: Int64, in table: Int) throws -> String? {
        let layout = layout.tables[table]
        let entity = layout.hasEntityColumn ? "_entity" : layout.name.quotedText
        return try String.fetchOne(
            db.cachedStatement(sql: "SELECT \(entity) FROM \(name(of: table)) WHERE _id = ?"),
            arguments: [row]
        )
    }

    /// Removes the pairs that are left of a row, which SQLite would do too, but tell nobody.
    private func removePairs(of row: Int64, in table: Int) throws {
        let name = layout.tables[table].name
        for join in layout.joins {
            for (end, owner) in [("owner", join.ownerTable), ("member", join.memberTable)]
            where owner == name {
                let delete = try statement(
                    """
                    DELETE FROM \(join.name.quotedDatabaseIdentifier) WHERE \(end) = ? \
                    RETURNING _id
                    """
                )
                delete.bind(row, at: 1)
                defer { delete.reset() }
                while try delete.step() {
                    changes.table(join.name).deleted.insert(delete.integer(at: 0))
                }
            }
        }
    }

    /// Clears a reference of a row that goes, so that SQLite follows no long chain of cascades.
    private func clear(_ column: Int, of row: Int64, in table: Int) throws {
        let column = name(of: column, in: table)
        try db.cachedStatement(
            sql:
                "UPDATE \(name(of: table)) SET \(column) = NULL WHERE _id = ? AND \(column) NOT NULL"
        ).execute(arguments: [row])
    }

    private func remove(_ row: Int64, from table: Int) throws {
        try db.cachedStatement(sql: "DELETE FROM \(name(of: table)) WHERE _id = ?")
            .execute(arguments: [row])
        try forgetKeyless(row, in: table)
    }
}
