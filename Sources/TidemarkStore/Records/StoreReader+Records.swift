import GRDB
public import TidemarkModel

extension StoreReader {
    /// The record of a row, or nil when there is no such row of the entity or of one that inherits
    /// from it.
    public func record(_ entity: EntityLayout, _ number: Int64) throws -> StoredRecord? {
        let own = try self.entity(of: number, in: entity.table)
        guard let own, entity.family?.contains(own.name) ?? true else { return nil }
        let columns = own.attributes.map { layout.name(of: $0.column, in: own.table) }
        let list = (["_id"] + columns).joined(separator: ", ")
        let statement = try statement(
            "SELECT \(list) FROM \(layout.name(of: own.table)) WHERE _id = ?"
        )
        statement.bind(number, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        var values: [String: Value] = [:]
        for (index, attribute) in own.attributes.enumerated() {
            values[attribute.attribute.name] = Value(
                statement.value(at: index + 1),
                type: attribute.attribute.type
            )
        }
        return StoredRecord(
            reference: RowReference(own.name, number),
            values: values,
            links: try links(own, number)
        )
    }

    private func links(
        _ entity: EntityLayout,
        _ number: Int64
    ) throws -> [String: [RowReference]] {
        var links: [String: [RowReference]] = [:]
        for relationship in entity.relationships {
            links[relationship.relationship.name] = try linked(relationship, of: number).map {
                try reference(to: $0, in: layout.entities[relationship.destination].table)
            }
        }
        return links
    }

    /// The most derived entity of a row.
    public func entity(of number: Int64, in table: Int) throws -> EntityLayout? {
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

    /// How many rows there are of each entity, among some rows of a table with several.
    ///
    /// - Parameters:
    ///   - rows: the rows; those that are not there count nothing.
    ///   - table: the table's place in the layout.
    ///   - isCounted: whether a row counts.
    /// - Returns: the counts by entity.
    /// - Throws: `DatabaseError`.
    package func countEntities(
        of rows: RowSet,
        in table: Int,
        where isCounted: (Int64) -> Bool
    ) throws -> [String: Int] {
        guard let first = rows.first, let last = rows.last else { return [:] }
        let name = layout.name(of: table)
        var counts: [(name: [UInt8], count: Int)] = []
        func count(_ statement: RowStatement) {
            guard case .text(let entity) = statement.value(at: 1) else { return }
            if let place = counts.firstIndex(where: { $0.name.elementsEqual(entity) }) {
                counts[place].count += 1
            } else {
                counts.append((Array(entity), 1))
            }
        }
        // Most rows of a range are read quicker one after the other than by their numbers.
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

    /// The local name of a row that is known to be there.
    func reference(to number: Int64, in table: Int) throws -> RowReference {
        guard let entity = try entity(of: number, in: table) else {
            throw StoreError.rowNotFound("\(layout.tables[table].name)#\(number)")
        }
        return RowReference(entity.name, number)
    }

    /// The number of the row that a name means, or nil when there is none.
    ///
    /// - Throws: ``StoreError`` when the entity does not exist or the key does not fit it.
    public func find(_ name: RecordLocator) throws -> Int64? {
        let entity = try layout.entity(name.entity)
        switch name.place {
        case .number(let number):
            return try record(entity, number).map(\.reference.number)
        case .key(let text):
            guard !entity.key.isEmpty else {
                throw StoreError(
                    .invalidReference,
                    "\(entity.name) has no primary key, so \(name) names no row.",
                    hint: "Name it by its number: \(entity.name)#1."
                )
            }
            return try find(entity, entity.recordKey(text))
        }
    }

    /// The number of the row with a primary key, or nil when there is none.
    public func find(_ entity: EntityLayout, _ key: RecordKey) throws -> Int64? {
        let table = layout.name(of: entity.table)
        let marks = entity.keyParts.map { _ in "?" }
        let sql =
            "SELECT _id FROM \(table) WHERE \(layout.keyCondition(of: entity, in: table, marks))"
            + entity.familyCondition
        return try Int64.fetchOne(
            db,
            sql: sql,
            arguments: StatementArguments(key.parts.map(\.databaseValue))
        )
    }

    /// The primary key of a row, the values of its parent's key among them where it contains that.
    ///
    /// - Returns: the key; nil where the row lacks a value of it, or its entity has none.
    /// - Throws: `DatabaseError`.
    public func key(of number: Int64, _ entity: EntityLayout) throws -> RecordKey? {
        guard !entity.keyParts.isEmpty else { return nil }
        let table = layout.name(of: entity.table)
        let values = layout.keyExpressions(of: entity, in: table).joined(separator: ", ")
        let find = try statement("SELECT \(values) FROM \(table) WHERE _id = ?")
        find.bind(number, at: 1)
        defer { find.reset() }
        guard try find.step() else { return nil }
        let parts = entity.keyParts.enumerated().map { place, part in
            Value(find.value(at: place), type: part.attribute.type)
        }
        return parts.contains(.null) ? nil : RecordKey(parts)
    }

    /// The record that a name means.
    ///
    /// - Throws: ``StoreError/Code/rowNotFound``.
    public func record(_ name: RecordLocator) throws -> StoredRecord {
        let entity = try layout.entity(name.entity)
        guard let number = try find(name), let record = try record(entity, number) else {
            throw StoreError.rowNotFound(name.description)
        }
        return record
    }
}

extension EntityLayout {
    /// What restricts a query over the table to this entity's rows.
    package var familyCondition: String {
        family.map { names in
            " AND _entity IN (\(names.map(\.quotedText).joined(separator: ", ")))"
        } ?? ""
    }

    /// The condition that restricts a query over the table to rows of just this entity, without
    /// those of entities that inherit from it.
    package func ownCondition(in layout: StoreLayout) -> String {
        layout.tables[table].hasEntityColumn ? " AND _entity = \(name.quotedText)" : ""
    }

    /// The key that a text stands for.
    func recordKey(_ text: String) throws -> RecordKey {
        let attributes = keyParts.map(\.attribute)
        guard let key = RecordKey(text: text, of: attributes) else {
            throw StoreError(
                .invalidReference,
                "\(text) is no primary key of \(name).",
                hint: attributes.count > 1
                    ? "Write all its parts: \(name):[1,\"A-7\"]."
                    : "It is of type \(attributes.first?.type.rawValue ?? "")."
            )
        }
        return key
    }
}

extension RowStatement {
    /// The text in a column; empty where there is none.
    func string(at column: Int) -> String {
        guard case .text(let bytes) = value(at: column) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}
