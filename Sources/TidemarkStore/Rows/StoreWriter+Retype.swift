import TidemarkModel

extension StoreWriter {
    /// Changes the entity of a row to another entity of its tree.
    ///
    /// The row keeps its number, its primary key and all properties that both entities have.
    /// Properties that only the old entity has are removed as if the row had been deleted: values,
    /// links, and references of other rows that can only refer to the old entity. Those references
    /// become unresolved until a row of the old entity has the key.
    ///
    /// - Returns: The rows that were linked by relationships which only the old entity has.
    /// - Throws: `DatabaseError`.
    @discardableResult
    package func retype(
        _ row: Int64,
        from old: EntityLayout,
        to new: EntityLayout
    ) throws -> [(relationship: RelationshipLayout, rows: [Int64])] {
        for part in try contents(of: TableRow(table: old.table, number: row)) {
            unlinked(in: part.table).insert(part.number)
        }
        let lost = try old.relationships
            .filter { new.relationship($0.relationship.name)?.identifier != $0.identifier }
            .map { (relationship: $0, rows: try linked($0, of: row)) }
        // The references of other rows are handled first: removing the links of this row would also
        // remove their inverses, without recording them as unresolved references.
        for relationship in pointers(to: old.table) where !leads(relationship, to: new) {
            for owner in try owners(of: relationship, pointingAt: row) {
                try recordUnresolvedLink(relationship, of: owner, to: row)
                try removeLink(relationship, of: owner, to: row)
            }
        }
        for (relationship, rows) in lost {
            for linked in rows { try removeLink(relationship, of: row, to: linked) }
            try discardUnresolved(relationship, of: row)
        }
        try write(row, from: old, to: new)
        // Unresolved references to the new entity may refer to the key of this row.
        recordKeyChange(of: row, in: new.table)
        return lost
    }

    private func leads(_ relationship: RelationshipLayout, to entity: EntityLayout) -> Bool {
        layout.entities[relationship.destination].family?.contains(entity.name) ?? true
    }

    private func write(
        _ row: Int64,
        from old: EntityLayout,
        to new: EntityLayout
    ) throws {
        let columns = old.columnsMissing(in: new)
        let cleared = try columnsWithValues(among: columns, of: row, in: new.table)
        let list = columns.map { ", \(name(of: $0, in: new.table)) = NULL" }.joined()
        let sql =
            "UPDATE \(name(of: new.table)) SET _entity = \(new.name.quotedText)\(list)"
            + " WHERE _id = ?"
        let statement = try statement(sql)
        statement.bind(row, at: 1)
        try statement.run()
        changes(in: new.table).retype(row, from: old.name, clearing: cleared)
    }

    private func columnsWithValues(
        among columns: [Int],
        of row: Int64,
        in table: Int
    ) throws -> ColumnMask {
        var mask = ColumnMask()
        guard !columns.isEmpty else { return mask }
        let list = columns.map { name(of: $0, in: table) }.joined(separator: ", ")
        let statement = try statement("SELECT \(list) FROM \(name(of: table)) WHERE _id = ?")
        statement.bind(row, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { return mask }
        for (index, column) in columns.enumerated() where !statement.isNull(at: index) {
            mask.insert(column)
        }
        return mask
    }
}

extension EntityLayout {
    /// Returns the columns of attributes that another entity of the tree does not have.
    package func columnsMissing(in other: EntityLayout) -> [Int] {
        let shared = Set(other.attributes.map(\.column))
        return attributes.map(\.column).filter { !shared.contains($0) }
    }
}
