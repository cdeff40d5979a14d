import GRDB
package import TidemarkModel

extension StoreReader {
    /// Returns the record that a locator identifies, with all its links.
    ///
    /// Use it for one row. For many, `fetch(_:)` reads only the links that are requested. If the
    /// row may be missing, use ``rowReference(for:)`` first, or handle the error.
    ///
    /// ```swift
    /// let film = try store.read { reader in try reader.record(RecordLocator("Film:4")) }
    /// print(film["title"], film.links["characters"] ?? [])
    /// ```
    ///
    /// - Parameter locator: The row number or the primary key of the row.
    /// - Returns: The record, of the most derived entity of the row.
    /// - Throws: ``StoreError/Code/rowNotFound``, ``StoreError/Code/invalidLocator``,
    ///   ``StoreError/Code/unknownEntity``, `DatabaseError`.
    public func record(_ locator: RecordLocator) throws -> StoredRecord {
        try record(locator, links: .all)
    }

    /// Returns the record that a locator identifies, with some of its links: a list may be long.
    package func record(
        _ locator: RecordLocator,
        links: RecordRequest.Links
    ) throws -> StoredRecord {
        let entity = try layout.entity(locator.entity)
        guard let number = try rowNumber(for: locator),
            let record = try record(number, of: entity, links: links)
        else {
            throw StoreError.rowNotFound(locator.description)
        }
        return record
    }

    /// Returns the record of a row; nil if it does not exist or belongs neither to the entity nor
    /// to one that inherits from it.
    package func record(
        _ number: Int64,
        of entity: EntityLayout,
        links: RecordRequest.Links = .all
    ) throws -> StoredRecord? {
        guard let own = try self.entity(of: number, amongThoseOf: entity) else { return nil }
        let statement = try attributesStatement(of: own)
        statement.bind(number, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        var values: [String: Value] = [:]
        values.reserveCapacity(own.attributes.count)
        for (index, attribute) in own.attributes.enumerated() {
            values[attribute.attribute.name] = Value(
                statement.value(at: index + 1),
                type: attribute.attribute.type
            )
        }
        return StoredRecord(
            reference: RowReference(own.name, number),
            values: values,
            links: try self.links(links, of: number, entity: own)
        )
    }

    /// Returns the statement that selects the number and the attributes of a row, whose number is
    /// its argument.
    func attributesStatement(of entity: EntityLayout) throws -> RowStatement {
        try statement(for: .attributes(entity.name), sql: attributesSQL(entity))
    }

    private func attributesSQL(_ entity: EntityLayout) -> String {
        let columns = entity.attributes.map { layout.name(of: $0.column, in: entity.table) }
        let list = (["_id"] + columns).joined(separator: ", ")
        return "SELECT \(list) FROM \(layout.name(of: entity.table)) WHERE _id = ?"
    }

    /// Returns the most derived entity of a row; nil if that is neither the given entity nor one
    /// that inherits from it.
    private func entity(
        of number: Int64,
        amongThoseOf entity: EntityLayout
    ) throws -> EntityLayout? {
        let own = try self.entity(of: number, in: entity.table)
        return own.flatMap { entity.family?.contains($0.name) ?? true ? $0 : nil }
    }

    private func links(
        _ links: RecordRequest.Links,
        of number: Int64,
        entity: EntityLayout
    ) throws -> [String: [RowReference]] {
        var rows: [String: [RowReference]] = [:]
        for relationship in entity.relationships
        where links.contains(relationship.relationship.name) {
            rows[relationship.relationship.name] = try linked(relationship, of: number).map {
                try reference(to: $0, in: layout.entities[relationship.destination].table)
            }
        }
        return rows
    }

    /// Returns the most derived entity of a row; nil if the row does not exist.
    ///
    /// If all rows of the table have the same entity, that entity is returned without reading the
    /// row.
    package func entity(of number: Int64, in table: Int) throws -> EntityLayout? {
        let tableLayout = layout.tables[table]
        guard tableLayout.hasEntityColumn else {
            return try layout.entity(tableLayout.name)
        }
        let statement = try statement("SELECT _entity FROM \(layout.name(of: table)) WHERE _id = ?")
        statement.bind(number, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return try layout.entity(statement.string(at: 0))
    }

    /// Counts rows by entity, in a table that has several entities.
    ///
    /// - Parameters:
    ///   - rows: The rows. Rows that do not exist are not counted.
    ///   - table: The index of the table in ``StoreLayout/tables``.
    ///   - isCounted: Whether to count a row.
    /// - Returns: The counts by entity.
    /// - Throws: `DatabaseError`.
    package func countEntities(
        of rows: RowSet,
        in table: Int,
        where isCounted: (Int64) -> Bool
    ) throws -> [String: Int] {
        guard let first = rows.first, let last = rows.last else { return [:] }
        let name = layout.name(of: table)
        // Few entities share a table, so comparing bytes is faster than a string for each row.
        var counts: [(name: [UInt8], count: Int)] = []
        func count(_ statement: RowStatement) {
            guard case .text(let entity) = statement.value(at: 1) else { return }
            if let index = counts.firstIndex(where: { $0.name.elementsEqual(entity) }) {
                counts[index].count += 1
            } else {
                counts.append((Array(entity), 1))
            }
        }
        // If at least one of 16 rows in the range is counted, a range scan is faster than lookups.
        let isDense = Int64(rows.count) > (last - first) / 16
        let find = try statement(
            "SELECT _id, _entity FROM \(name) WHERE _id \(isDense ? "BETWEEN ? AND ?" : "= ?")"
        )
        defer { find.reset() }
        if isDense {
            find.bind(first, at: 1)
            find.bind(last, at: 2)
            while try find.step() {
                let row = find.integer(at: 0)
                if rows.contains(row), isCounted(row) { count(find) }
            }
        } else {
            for row in rows.rows where isCounted(row) {
                find.bind(row, at: 1)
                if try find.step() { count(find) }
                find.reset()
            }
        }
        return Dictionary(
            uniqueKeysWithValues: counts.map {
                (String(decoding: $0.name, as: UTF8.self), $0.count)
            }
        )
    }

    /// Returns the reference to a row that must exist.
    ///
    /// - Throws: ``StoreError/Code/rowNotFound``, `DatabaseError`.
    func reference(to number: Int64, in table: Int) throws -> RowReference {
        guard let entity = try entity(of: number, in: table) else {
            throw StoreError.rowNotFound("\(layout.tables[table].name)#\(number)")
        }
        return RowReference(entity.name, number)
    }

    /// Returns the reference to the row that a locator identifies; nil if no such row exists.
    ///
    /// Use it to test whether a row is stored, or to get its row number, without reading it.
    ///
    /// ```swift
    /// let isStored = try store.read { reader in
    ///     try reader.rowReference(for: RecordLocator("Film", key: 4)) != nil
    /// }
    /// ```
    ///
    /// - Parameter locator: The row number or the primary key of the row.
    /// - Returns: The reference, with the most derived entity of the row.
    /// - Throws: ``StoreError`` if the entity does not exist, has no primary key, or the key is not
    ///   a valid one of it; `DatabaseError`.
    public func rowReference(for locator: RecordLocator) throws -> RowReference? {
        let table = try layout.entity(locator.entity).table
        return try rowNumber(for: locator).map { try reference(to: $0, in: table) }
    }

    /// Returns the number of the row that a locator identifies; nil if no such row exists.
    func rowNumber(for locator: RecordLocator) throws -> Int64? {
        let entity = try layout.entity(locator.entity)
        switch locator.identifier {
        case .number(let number):
            return try exists(number, of: entity) ? number : nil
        case .key(let key):
            guard !entity.key.isEmpty else {
                throw StoreError(
                    .invalidLocator,
                    "\(entity.name) has no primary key, so \(locator) names no row.",
                    hint: "Name it by its number: \(entity.name)#1."
                )
            }
            return try rowNumber(forKey: entity.recordKey(key), of: entity)
        }
    }

    /// Returns whether a row exists: another program may have deleted one that is referred to.
    func exists(_ number: Int64, in table: Int) throws -> Bool {
        let find = try statement(
            for: .row(table: table),
            sql: "SELECT 1 FROM \(layout.name(of: table)) WHERE _id = ?"
        )
        find.bind(number, at: 1)
        defer { find.reset() }
        return try find.step()
    }

    /// Returns whether a row belongs to an entity or to one that inherits from it.
    package func exists(_ number: Int64, of entity: EntityLayout) throws -> Bool {
        let find = try statement(
            for: .member(entity.name),
            sql:
                "SELECT 1 FROM \(layout.name(of: entity.table)) WHERE _id = ?\(entity.familyCondition)"
        )
        find.bind(number, at: 1)
        defer { find.reset() }
        return try find.step()
    }

    /// Returns the number of the row with a primary key; nil if no such row exists.
    private func rowNumber(forKey key: RecordKey, of entity: EntityLayout) throws -> Int64? {
        let table = layout.name(of: entity.table)
        let marks = entity.keyParts.map { _ in "?" }
        let condition = layout.keyCondition(of: entity, in: table, marks)
        return try Int64.fetchOne(
            db.cachedStatement(
                sql: "SELECT _id FROM \(table) WHERE \(condition)\(entity.familyCondition)"
            ),
            arguments: StatementArguments(key.parts.map(\.databaseValue))
        )
    }

    /// Returns the primary key of a row.
    ///
    /// If the key contains that of a parent, the result includes the values of the parent's key.
    ///
    /// - Returns: The key; nil if one of its values is missing, or if the entity has no primary
    ///   key.
    /// - Throws: `DatabaseError`.
    package func key(of number: Int64, _ entity: EntityLayout) throws -> RecordKey? {
        guard !entity.keyParts.isEmpty else { return nil }
        let find = try statement(for: .key(entity.name), sql: keySQL(entity))
        find.bind(number, at: 1)
        defer { find.reset() }
        guard try find.step() else { return nil }
        let parts = entity.keyParts.enumerated().map { index, part in
            Value(find.value(at: index), type: part.attribute.type)
        }
        return parts.contains(.null) ? nil : RecordKey(parts)
    }

    private func keySQL(_ entity: EntityLayout) -> String {
        let table = layout.name(of: entity.table)
        let values = layout.keyExpressions(of: entity, in: table).joined(separator: ", ")
        return "SELECT \(values) FROM \(table) WHERE _id = ?"
    }
}

extension EntityLayout {
    /// The SQL condition, beginning with `AND`, that restricts a query to the rows of this entity
    /// and of those that inherit from it; empty if that is the whole table.
    package var familyCondition: String {
        family.map { names in
            " AND _entity IN (\(names.map(\.quotedText).joined(separator: ", ")))"
        } ?? ""
    }

    /// Returns the SQL condition, beginning with `AND`, that restricts a query to the rows of this
    /// entity, without those that inherit from it; empty if the table has only one entity.
    package func ownCondition(in layout: StoreLayout) -> String {
        layout.tables[table].hasEntityColumn ? " AND _entity = \(name.quotedText)" : ""
    }

    /// Returns the primary key that a locator contains, as text or as values.
    ///
    /// - Throws: ``StoreError/Code/invalidLocator``.
    package func recordKey(_ key: RecordLocator.Key) throws -> RecordKey {
        let attributes = keyParts.map(\.attribute)
        let parsed: RecordKey? =
            switch key {
            case .text(let text): RecordKey(text: text, of: attributes)
            // SQLite converts a value to the type of the column that it is compared with.
            case .values(let key): key.parts.count == attributes.count ? key : nil
            }
        guard let parsed else {
            throw StoreError(
                .invalidLocator,
                "\(key) is not a primary key of \(name).",
                hint: attributes.count > 1
                    ? "Write all its parts: \(name):[1,\"A-7\"]."
                    : "It is of type \(attributes.first?.type.rawValue ?? "")."
            )
        }
        return parsed
    }
}

extension RowStatement {
    /// Returns the text in a column; empty if the column contains no text.
    func string(at column: Int) -> String {
        guard case .text(let bytes) = value(at: column) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}
