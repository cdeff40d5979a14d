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
        let lost = try links(of: row, from: old, to: new)
        // The references of other rows are handled first: removing the links of this row would also
        // remove their inverses, without recording them as unresolved references.
        try removeReferences(to: row, of: new)
        try removeLinks(lost, of: row)
        try write(row, from: old, to: new)
        // Unresolved references to the new entity may refer to the key of this row.
        recordKeyChange(of: row, in: new.table)
        return lost
    }

    /// Removes the links of retyped rows that are not valid for their entity.
    ///
    /// A document may contain a row twice, as objects of two entities of which one is nested in the
    /// other. Links of the outer object that were resolved before the row changed its entity are
    /// written after that.
    func removeLinksOfRetyped() throws {
        for (table, tableLayout) in layout.tables.enumerated() where tableLayout.hasEntityColumn {
            guard let rows = changes(ifAnyIn: table)?.retyped.keys.sorted() else { continue }
            for row in rows {
                guard let entity = try entity(of: row, in: table) else { continue }
                try removeReferences(to: row, of: entity)
                for other in layout.entities where other.table == table {
                    try removeLinks(links(of: row, from: other, to: entity), of: row)
                }
            }
        }
    }

    /// Removes the links from other rows to a row that are not valid for its entity, and records
    /// them as unresolved references.
    private func removeReferences(to row: Int64, of entity: EntityLayout) throws {
        for relationship in pointers(to: entity.table) where !leads(relationship, to: entity) {
            for owner in try owners(of: relationship, pointingAt: row) {
                try recordUnresolvedLink(relationship, of: owner, to: row)
                try removeLink(relationship, of: owner, to: row)
            }
        }
    }

    /// Returns the links of a row by the relationships that its old entity has and its new one
    /// lacks.
    private func links(
        of row: Int64,
        from old: EntityLayout,
        to new: EntityLayout
    ) throws -> [(relationship: RelationshipLayout, rows: [Int64])] {
        try old.relationships
            .filter { new.relationship($0.relationship.name)?.identifier != $0.identifier }
            .map { (relationship: $0, rows: try linked($0, of: row)) }
    }

    private func removeLinks(
        _ links: [(relationship: RelationshipLayout, rows: [Int64])],
        of row: Int64
    ) throws {
        for (relationship, rows) in links {
            for linked in rows { try removeLink(relationship, of: row, to: linked) }
            try discardUnresolved(relationship, of: row)
        }
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
