import GRDB

extension StoreWriter {
    /// Makes one row of two that turned out to be the same object.
    ///
    /// A pull may insert the object of a creation before the response to it is known: two rows then
    /// have one key. The row that the app has created stays, under the number that the app knows.
    /// It gets the links of the other one, and its values except those that the app has changed.
    ///
    /// - Parameters:
    ///   - duplicate: The row with the key, which is deleted.
    ///   - row: The row that stays.
    ///   - table: The index of their table.
    ///   - changed: The names of the columns that were changed locally.
    /// - Throws: `DatabaseError`.
    package func deduplicate(
        _ duplicate: Int64,
        into row: Int64,
        in table: Int,
        keeping changed: Set<String>
    ) throws {
        let values = try Row.fetchOne(
            db,
            sql: "SELECT * FROM \(name(of: table)) WHERE _id = ?",
            arguments: [duplicate]
        )
        guard let values else { return }
        // What refers to the duplicate refers to the object, whatever was changed locally.
        let conflicts = linkConflicts
        linkConflicts = nil
        defer { linkConflicts = conflicts }
        try Capture.of(db, layout)?.moveReferences(to: duplicate, in: table, to: row)
        try moveReferences(from: duplicate, to: row, in: table)
        try movePairs(from: duplicate, to: row, in: table)
        try moveUnresolved(from: duplicate, to: row, in: table)
        // Deleted first, because its key and its other unique values are copied.
        try remove(duplicate, from: table)
        changes(in: table).deleted.insert(duplicate)
        try copy(values, to: row, in: table, except: changed)
    }

    /// Clears the primary key of a row whose object the service has deleted, so that it can be
    /// created again.
    ///
    /// Some keys are kept: see ``Capture/keepsKey(of:)``.
    package func clearKey(of row: Int64, entity: String) throws {
        let entity = try layout.entity(entity)
        guard try !Capture(db: db, layout: layout).keepsKey(of: entity) else { return }
        let columns = entity.key.map { "\(name(of: $0, in: entity.table)) = NULL" }
        try db.execute(
            sql: """
                UPDATE \(name(of: entity.table)) SET \(columns.joined(separator: ", ")) \
                WHERE _id = ?
                """,
            arguments: [row]
        )
        var mask = ColumnMask()
        for column in entity.key { mask.insert(column) }
        changes(in: entity.table).update(row, columns: mask)
    }

    private func moveReferences(from duplicate: Int64, to row: Int64, in table: Int) throws {
        for relationship in relationships(to: table) {
            guard case .column(let column) = relationship.storage else { continue }
            for owner in try owners(of: relationship, pointingAt: duplicate) {
                try setReference(column, in: relationship.table, of: owner, to: row)
            }
        }
    }

    private func movePairs(from duplicate: Int64, to row: Int64, in table: Int) throws {
        for relationship in layout.relationships.values.sorted(by: { $0.identifier < $1.identifier }
        )
        where relationship.table == table {
            guard case .join = relationship.storage else { continue }
            // A row of another table may have the same number.
            let mayBeLinkedToItself = layout.entities[relationship.destination].table == table
            for other in try linked(relationship, of: duplicate)
            where !mayBeLinkedToItself || other != duplicate {
                try link(relationship, of: row, to: other)
            }
        }
        for relationship in relationships(to: table) {
            guard case .join = relationship.storage, layout.inverse(of: relationship) == nil else {
                continue
            }
            for owner in try owners(of: relationship, pointingAt: duplicate) {
                try link(relationship, of: owner, to: row)
            }
        }
        try removePairs(of: duplicate, in: table)
    }

    private func relationships(to table: Int) -> [RelationshipLayout] {
        layout.relationships.values
            .filter { layout.entities[$0.destination].table == table }
            .sorted { $0.identifier < $1.identifier }
    }

    private func moveUnresolved(from duplicate: Int64, to row: Int64, in table: Int) throws {
        for relationship in layout.relationships.values where relationship.table == table {
            try db.cachedStatement(
                sql: """
                    UPDATE OR IGNORE _tidemark_held SET owner = ? \
                    WHERE relationship = ? AND owner = ?
                    """
            ).execute(arguments: [row, relationship.identifier, duplicate])
            try discardUnresolved(relationship, of: duplicate)
        }
    }

    private func copy(
        _ values: Row,
        to row: Int64,
        in table: Int,
        except changed: Set<String>
    ) throws {
        // What the service does not have may be local alone.
        let copied = values.filter { name, value in
            name != "_id" && !value.isNull && !changed.contains(name)
        }
        guard !copied.isEmpty else { return }
        let list = copied.map { "\($0.0.quotedDatabaseIdentifier) = ?" }.joined(separator: ", ")
        try db.execute(
            sql: "UPDATE \(name(of: table)) SET \(list) WHERE _id = ?",
            arguments: StatementArguments(copied.map(\.1)) + [row]
        )
        var columns = ColumnMask()
        for (index, column) in layout.tables[table].columns.enumerated()
        where copied.contains(where: { $0.0 == column.name }) {
            columns.insert(index)
        }
        changes(in: table).update(row, columns: columns)
        recordKeyChange(of: row, in: table)
    }
}
