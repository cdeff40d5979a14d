import GRDB
import TidemarkModel
import TidemarkStore

/// A row, with the values of columns that the service knows although the row has others.
struct KnownRow {
    var number: Int64
    var table: Int
    var base: [String: DatabaseValue] = [:]
}

extension KnownRow {
    /// The row of a change.
    init(_ change: CapturedChange) {
        // Those of a creation are links that its request has omitted.
        let base = change.kind == .create ? [] : change.base
        let values = base.compactMap { base -> (String, DatabaseValue)? in
            guard case .column(let name) = base.property, base.member == 0 else { return nil }
            return (name, base.value)
        }
        self.init(
            number: change.row.number,
            table: change.table,
            base: Dictionary(values, uniquingKeysWith: { first, _ in first })
        )
    }
}

/// The keys of rows as the service knows them.
extension StoreReader {
    /// Returns the key under which the service knows the object; nil if it has none yet.
    func knownKey(of change: CapturedChange, _ entity: EntityLayout) throws -> [Value]? {
        guard change.kind != .delete else { return try key(of: KnownRow(change), entity) }
        guard let stored = try key(of: change.row.number, entity) else {
            // The row may have been deleted since its request was sent.
            let later = try changeAfterRequest(of: change)
            return try later.flatMap { try $0.kind == .delete ? knownKey(of: $0, entity) : nil }
        }
        guard change.kind == .update, changesKey(change, entity) else { return stored.parts }
        return try key(of: KnownRow(change), entity)
    }

    /// Returns the key of an object if the service has applied an update of it.
    func sentKey(of update: CapturedChange, _ entity: EntityLayout) throws -> [Value]? {
        guard let later = try changeAfterRequest(of: update) else {
            return try key(of: update.row.number, entity)?.parts
        }
        return try knownKey(of: later, entity)
    }

    /// Returns the key under which the service is known to have the object of a row.
    ///
    /// - Parameters:
    ///   - number: The row.
    ///   - entity: Its entity.
    /// - Returns: The key, without changes that were not confirmed; nil if a part of it is missing.
    /// - Throws: `DatabaseError`.
    func knownKey(ofRow number: Int64, _ entity: EntityLayout) throws -> [Value]? {
        var known = KnownRow(number: number, table: entity.table)
        guard try Capture.isInstalled(db) else { return try key(of: known, entity) }
        let base = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT property, value FROM _tidemark_change JOIN _tidemark_base \
                    ON change = _id WHERE tree = ? AND row = ? AND kind = 'update' AND member = 0 \
                    ORDER BY frozen
                    """
            ),
            arguments: [layout.tables[entity.table].name, number]
        )
        // What was sent comes last: the service had it before the edits since.
        for value in base { known.base[value[0] as String] = value[1] as DatabaseValue }
        return try key(of: known, entity)
    }

    /// Returns whether an update changes the key of its row.
    func changesKey(_ change: CapturedChange, _ entity: EntityLayout) -> Bool {
        let columns = layout.tables[entity.table].columns
        return change.base.contains { base in
            guard case .column(let name) = base.property, base.member == 0 else { return false }
            return entity.keyParts.contains {
                columns[$0.references.first?.column ?? $0.column].name == name
            }
        }
    }

    /// Returns the key that a row has at the service; nil if a part of it is missing.
    func key(of row: KnownRow, _ entity: EntityLayout) throws -> [Value]? {
        var parts: [Value] = []
        for part in entity.keyParts {
            var current = row
            for reference in part.references {
                let next = try value(of: reference.column, in: current)
                guard let number = next.flatMap(Int64.fromDatabaseValue) else { return nil }
                current = KnownRow(number: number, table: reference.table)
            }
            guard let value = try value(of: part.column, in: current), !value.isNull else {
                return nil
            }
            parts.append(Value(value, type: part.attribute.type))
        }
        return parts.isEmpty ? nil : parts
    }

    /// Returns the value that the service knows of a column, also of a row that was deleted; nil if
    /// there was no such row.
    func value(of column: Int, in row: KnownRow) throws -> DatabaseValue? {
        let table = layout.tables[row.table]
        let name = table.columns[column].name
        if let base = row.base[name] { return base }
        let find = try valueStatement(ofColumn: column, in: row.table)
        find.bind(row.number, at: 1)
        defer { find.reset() }
        if try find.step() { return find.value(at: 0).databaseValue }
        return try DatabaseValue.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT value FROM _tidemark_change c JOIN _tidemark_base ON change = c._id \
                    WHERE tree = ? AND row = ? AND kind = 'delete' AND property = ? \
                    AND member = 0
                    """
            ),
            arguments: [table.name, row.number, name]
        )
    }
}
