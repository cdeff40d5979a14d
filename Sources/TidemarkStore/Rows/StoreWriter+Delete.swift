import GRDB
import TidemarkModel

/// The result of a deletion.
package struct DeleteOutcome: Sendable {
    /// The numbers of deleted rows, by entity.
    package var deleted: [String: Int] = [:]

    /// The rows that were not deleted because of a delete rule.
    package var denials: [DeleteViolation] = []

    /// A row that a delete rule prevents from being deleted.
    package struct DeleteViolation: Sendable, Hashable {
        /// The row's table.
        package let table: String
        /// The row number.
        package let row: Int64
        /// The relationship with the rule, as `Entity.relationship`.
        package let relationship: String
    }
}

extension StoreWriter {
    /// Deletes rows of several tables at once and applies the delete rules of the model.
    ///
    /// A row that prevents the deletion of another by a `deny` rule may be deleted together with
    /// it.
    ///
    /// - Parameters:
    ///   - rows: The row numbers by table: its index in ``StoreLayout/tables``. Rows that do not
    ///     exist are ignored.
    ///   - isRemembered: Whether references from remaining rows to deleted rows are recorded as
    ///     unresolved, so that they are linked again if the row is inserted again. Pass true if a
    ///     service no longer lists the row, false if the user deletes it.
    ///   - kept: Rows, by table, that no cascade may delete, because the import has just seen them.
    /// - Returns: The numbers of deleted rows by entity, and the rows that a delete rule kept.
    /// - Throws: `DatabaseError`.
    package func delete(
        _ rows: [Int: [Int64]],
        isRemembered: Bool,
        keeping kept: [Int: RowSet] = [:]
    ) throws -> DeleteOutcome {
        // Rows that only a deleted row contains are deleted with it only if a service deleted it.
        // An app may have created such rows itself, so its deletions follow the delete rules alone.
        let graph = try DeleteGraph.resolve(
            deleting: rows,
            withContents: isRemembered,
            keeping: kept,
            with: self
        )
        return try delete(graph, isRemembered: isRemembered)
    }

    /// Deletes the rows of a delete graph.
    package func delete(_ graph: DeleteGraph, isRemembered: Bool) throws -> DeleteOutcome {
        var outcome = DeleteOutcome(denials: graph.denials)
        let order = DeleteOrder(layout)
        let doomed = order.sorted(graph.doomed)
        // All rows are counted before the first is deleted, because SQLite's foreign key actions
        // may delete others together with it.
        for (table, rows) in doomed {
            let pointers = pointers(to: table)
            let lists = importedLists(to: table)
            let own = layout.relationships.values.filter { $0.table == table }
            for row in rows.rows {
                guard let entity = try entityName(of: row, in: table) else { continue }
                outcome.deleted[entity, default: 0] += 1
                changes(in: table).deleted.insert(row)
                if isRemembered { try rememberMembership(of: row, in: lists, besides: graph) }
                try detach(row, from: pointers, isRemembered: isRemembered, in: graph)
                for relationship in own { try discardUnresolved(relationship, of: row) }
            }
        }
        // All circular references are cleared before the first row is deleted: the cascade of any
        // row could otherwise follow them.
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

    /// Removes all links to a row from rows that are not deleted.
    private func detach(
        _ row: Int64,
        from pointers: [RelationshipLayout],
        isRemembered: Bool,
        in graph: DeleteGraph
    ) throws {
        for relationship in pointers {
            for owner in try owners(of: relationship, pointingAt: row)
            where graph.doomed[relationship.table]?.contains(owner) != true {
                if isRemembered {
                    try recordUnresolvedLink(relationship, of: owner, to: row)
                }
                try removeLink(relationship, of: owner, to: row)
            }
        }
    }

    /// Records the lists that this transaction has imported and that contain a row, as unresolved
    /// references: a document names the row, and another shows that it is not stored any more.
    ///
    /// Without such a list, the reference to the parent is a property of the row alone.
    private func rememberMembership(
        of row: Int64,
        in lists: [RelationshipLayout],
        besides graph: DeleteGraph
    ) throws {
        for list in lists {
            for owner in try owners(of: list, pointingAt: row)
            where graph.doomed[list.table]?.contains(owner) != true
                && (rowsWithCompleteLinks(list).contains(owner) || addedMembers(list).contains(row))
            {
                try recordUnresolvedLink(list, of: owner, to: row)
            }
        }
    }

    /// Returns the lists of rows of a table that are stored as references in their members, and of
    /// which this transaction has imported some.
    ///
    /// Members whose key contains the reference are excluded: they keep it when a list lacks them.
    private func importedLists(to table: Int) -> [RelationshipLayout] {
        layout.relationships.values.filter { relationship in
            guard case .inverse = relationship.storage, relationship.relationship.isToMany,
                layout.entities[relationship.destination].table == table,
                !layout.isParentInKey(relationship)
            else { return false }
            return rowsWithCompleteLinks(relationship).count + addedMembers(relationship).count > 0
        }
        .sorted { $0.identifier < $1.identifier }
    }

    /// Returns the relationships that link other rows to rows of a table.
    ///
    /// Lists that are stored as references in their members are excluded: deleting a member deletes
    /// its reference to the parent.
    func pointers(to table: Int) -> [RelationshipLayout] {
        layout.relationships.values.filter { relationship in
            guard layout.entities[relationship.destination].table == table else { return false }
            switch relationship.storage {
            case .column, .join: return true
            // A one-to-one link counts in both directions, whichever side has the column.
            case .inverse: return !relationship.relationship.isToMany
            }
        }
        .sorted { $0.identifier < $1.identifier }
    }

    /// Returns the rows that a relationship links to a row.
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
        case .join(let index, let side):
            let join = layout.joins[index].name.quotedDatabaseIdentifier
            switch side {
            case .owner: return "SELECT owner FROM \(join) WHERE member = ?"
            case .member: return "SELECT member FROM \(join) WHERE owner = ?"
            case .either:
                return "SELECT owner FROM \(join) WHERE member = ?1 "
                    + "UNION SELECT member FROM \(join) WHERE owner = ?1"
            }
        }
    }

    /// Returns the entity of a row; nil if the row does not exist.
    private func entityName(of row: Int64, in table: Int) throws -> String? {
        let layout = layout.tables[table]
        let entity = layout.hasEntityColumn ? "_entity" : layout.name.quotedText
        return try String.fetchOne(
            db.cachedStatement(sql: "SELECT \(entity) FROM \(name(of: table)) WHERE _id = ?"),
            arguments: [row]
        )
    }

    /// Deletes the remaining pairs of a row in join tables and records them.
    ///
    /// SQLite's foreign key actions would delete them without recording them.
    func removePairs(of row: Int64, in table: Int) throws {
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

    /// Clears a reference in a row that will be deleted, so that SQLite does not follow a long
    /// chain of cascades.
    private func clear(_ column: Int, of row: Int64, in table: Int) throws {
        let column = name(of: column, in: table)
        try db.cachedStatement(
            sql:
                "UPDATE \(name(of: table)) SET \(column) = NULL WHERE _id = ? AND \(column) NOT NULL"
        ).execute(arguments: [row])
    }

    func remove(_ row: Int64, from table: Int) throws {
        try db.cachedStatement(sql: "DELETE FROM \(name(of: table)) WHERE _id = ?")
            .execute(arguments: [row])
        try discardKeyless(row, in: table)
    }
}
