import GRDB
import TidemarkModel

/// The rows without a primary key that a relationship of a row contains, as they are stored.
///
/// They are a part of their row's value, so that an import that may not change them writes them
/// back.
package struct StoredParts: Hashable, Sendable {
    /// A contained row.
    struct Part: Hashable, Sendable {
        let row: TableRow

        /// The values of all columns, by name.
        let values: [String: DatabaseValue]
    }

    /// A pair of a join table.
    struct Pair: Hashable, Sendable {
        let join: Int
        let values: [String: DatabaseValue]
    }

    /// The contained rows, each after the one that contains it.
    fileprivate(set) var parts: [Part] = []

    fileprivate(set) var pairs: Set<Pair> = []

    /// The reference to the contained row, if a column of the row itself has it.
    fileprivate(set) var reference: DatabaseValue?

    /// The contained rows.
    var rows: Set<TableRow> { Set(parts.map(\.row)) }

    /// Whether nothing is contained.
    package var isEmpty: Bool { parts.isEmpty }
}

extension StoreReader {
    /// Reads the rows that a relationship of a row contains.
    ///
    /// - Parameters:
    ///   - relationship: A relationship to an entity without a primary key.
    ///   - row: The number of the row.
    /// - Returns: The rows.
    /// - Throws: `DatabaseError`.
    package func parts(_ relationship: RelationshipLayout, of row: Int64) throws -> StoredParts {
        var stored = StoredParts()
        if case .column(let column) = relationship.storage {
            let name = layout.tables[relationship.table].columns[column].name
            stored.reference = try values(of: row, in: relationship.table)?[name]
        }
        let paths = CapturePlan(layout).parts.map(\.path)
            .filter { $0[0].identifier == relationship.identifier }
        try read(relationship, of: row, below: paths, depth: 1, into: &stored)
        return stored
    }

    /// Returns whether a change may have changed the rows that a relationship contains.
    package func changesParts(
        _ change: CapturedChange,
        of relationship: RelationshipLayout
    ) -> Bool {
        guard layout.entities[relationship.destination].key.isEmpty else { return false }
        let paths = CapturePlan(layout).parts.map(\.path)
            .filter { $0[0].identifier == relationship.identifier }
        return change.base.contains { $0.isPart(of: relationship, paths, in: layout) }
    }

    private func read(
        _ relationship: RelationshipLayout,
        of row: Int64,
        below paths: [[RelationshipLayout]],
        depth: Int,
        into stored: inout StoredParts
    ) throws {
        if case .join(let join, let side) = relationship.storage {
            let pairs = try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM \(layout.joins[join].name.quotedDatabaseIdentifier) \
                    WHERE "\(side.ownColumn)" = ?
                    """,
                arguments: [row]
            )
            for pair in pairs { stored.pairs.insert(.init(join: join, values: pair.values)) }
        }
        let table = layout.entities[relationship.destination].table
        let contained = paths.filter { $0.count > depth }
        let next = Dictionary(grouping: contained, by: { $0[depth].identifier })
        for number in try linked(relationship, of: row) {
            guard let values = try values(of: number, in: table) else { continue }
            let part = TableRow(table: table, number: number)
            stored.parts.append(.init(row: part, values: values))
            for paths in next.values.sorted(by: {
                $0[0][depth].identifier < $1[0][depth].identifier
            }) {
                try read(paths[0][depth], of: number, below: paths, depth: depth + 1, into: &stored)
            }
        }
    }

    fileprivate func values(of row: Int64, in table: Int) throws -> [String: DatabaseValue]? {
        let name = layout.tables[table].name.quotedDatabaseIdentifier
        return try Row.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM \(name) WHERE _id = ?"),
            arguments: [row]
        )?.values
    }
}

extension Row {
    /// The values by the name of their column, without the row number.
    fileprivate var values: [String: DatabaseValue] {
        Dictionary(
            filter { $0.0 != "_id" }.map { ($0.0, $0.1) },
            uniquingKeysWith: { first, _ in first }
        )
    }
}

extension StoreWriter {
    /// Undoes a change of contained rows for as long as a body runs.
    ///
    /// - Parameters:
    ///   - relationship: A relationship to an entity without a primary key.
    ///   - change: The change of the row that has the relationship.
    ///   - store: The writer's store.
    ///   - body: Reads the rows as the service knows them.
    /// - Returns: The contained rows, and the value that `body` returns.
    /// - Throws: Errors that `body` throws; `DatabaseError`.
    package func knownParts<T>(
        _ relationship: RelationshipLayout,
        before change: CapturedChange,
        in store: Store,
        _ body: (StoreReader) throws -> T
    ) throws -> (parts: StoredParts, value: T) {
        let paths = CapturePlan(layout).parts.map(\.path)
            .filter { $0[0].identifier == relationship.identifier }
        let undone = change.restricted(to: relationship, paths, in: layout)
        var result: (parts: StoredParts, value: T)?
        try db.inSavepoint {
            // Another writer, because this one would count rows as changed that are not.
            let writer = try StoreWriter.prepare(db, in: store)
            try writer.discard([undone])
            let parts = try writer.parts(relationship, of: change.row.number)
            result = (parts, try body(writer))
            return .rollback
        }
        guard let result else {
            throw DatabaseError(resultCode: .SQLITE_ABORT, message: "the savepoint was not run")
        }
        return result
    }

    /// Replaces the rows that a relationship of a row contains by former ones.
    ///
    /// - Parameters:
    ///   - relationship: A relationship to an entity without a primary key.
    ///   - row: The number of the row.
    ///   - former: What ``StoreReader/parts(_:of:)`` has returned before.
    /// - Throws: `DatabaseError`.
    package func replaceParts(
        _ relationship: RelationshipLayout,
        of row: Int64,
        with former: StoredParts
    ) throws {
        let present = try parts(relationship, of: row)
        let values = Dictionary(
            present.parts.map { ($0.row, $0.values) },
            uniquingKeysWith: { first, _ in first }
        )
        for part in former.parts {
            if let stored = try values[part.row]
                ?? self.values(of: part.row.number, in: part.row.table)
            {
                let differing = part.values.filter { stored[$0.key] != $0.value }
                try assign(differing.sortedByName, to: part.row.number, in: part.row.table)
            } else {
                try insert(part.values.sortedByName, as: part.row.number, in: part.row.table)
            }
        }
        if case .column(let column) = relationship.storage, let reference = former.reference,
            reference != present.reference
        {
            let name = layout.tables[relationship.table].columns[column].name
            try assign([(name, reference)], to: row, in: relationship.table)
        }
        for pair in present.pairs.subtracting(former.pairs) { try delete(pair) }
        for pair in former.pairs.subtracting(present.pairs) { try insert(pair) }
        let kept = former.rows
        let contained = CapturePlan(layout).parts
            .filter { $0.path[0].identifier == relationship.identifier }
        for part in present.parts where !kept.contains(part.row) {
            for case .inverse(let table, let column, _) in contained.map(\.relationship.storage)
            where table == part.row.table {
                let name = layout.tables[table].columns[column].name
                try assign([(name, .null)], to: part.row.number, in: table)
            }
        }
        try deleteParts(present, exceptThoseIn: former)
    }

    /// Deletes contained rows that were removed, and that nothing contains any more.
    ///
    /// - Parameters:
    ///   - former: The rows before.
    ///   - present: The rows that are left.
    /// - Throws: `DatabaseError`.
    package func deleteParts(_ former: StoredParts, exceptThoseIn present: StoredParts) throws {
        let kept = present.rows
        for part in former.parts.reversed() where !kept.contains(part.row) {
            guard try exists(part.row.number, in: part.row.table), try !isContained(part.row) else {
                continue
            }
            _ = try delete([part.row.table: [part.row.number]], isRemembered: false)
        }
    }

    private func delete(_ pair: StoredParts.Pair) throws {
        try db.execute(
            sql: """
                DELETE FROM \(layout.joins[pair.join].name.quotedDatabaseIdentifier) \
                WHERE owner = ? AND member = ?
                """,
            arguments: [pair.values["owner"], pair.values["member"]]
        )
    }

    private func insert(_ pair: StoredParts.Pair) throws {
        let values = pair.values.sortedByName
        let columns = values.map(\.name.quotedDatabaseIdentifier).joined(separator: ", ")
        try db.execute(
            sql: """
                INSERT INTO \(layout.joins[pair.join].name.quotedDatabaseIdentifier) (\(columns)) \
                VALUES (\(databaseQuestionMarks(count: values.count)))
                """,
            arguments: StatementArguments(values.map(\.value))
        )
    }
}

extension [String: DatabaseValue] {
    fileprivate var sortedByName: [(name: String, value: DatabaseValue)] {
        map { ($0.key, $0.value) }.sorted { $0.name < $1.name }
    }
}

extension CapturedChange {
    /// Returns the change with the base values of contained rows alone.
    fileprivate func restricted(
        to relationship: RelationshipLayout,
        _ paths: [[RelationshipLayout]],
        in layout: StoreLayout
    ) -> CapturedChange {
        var change = self
        change.base = base.filter { $0.isPart(of: relationship, paths, in: layout) }
        return change
    }
}

extension BaseValue {
    /// Whether the value may belong to a row that a relationship contains.
    ///
    /// A contained row is known by its table alone here.
    fileprivate func isPart(
        of relationship: RelationshipLayout,
        _ paths: [[RelationshipLayout]],
        in layout: StoreLayout
    ) -> Bool {
        let tables = Set(
            paths.joined().map { layout.tables[layout.entities[$0.destination].table].name }
        )
        switch property {
        case .column(let name):
            guard case .column(let column) = relationship.storage else { return false }
            return layout.tables[relationship.table].columns[column].name == name
        case .links(let identifier), .position(of: let identifier, column: _):
            return identifier == relationship.identifier
                || paths.joined().contains { $0.identifier == identifier && layout.isNested($0) }
        case .part(let table, column: _): return tables.contains(table)
        case .ofPart: return true
        }
    }
}
