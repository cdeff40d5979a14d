import GRDB
import TidemarkModel
import TidemarkStore

/// Resolves conflicts between rows that take over each other's unique values: two rows that swap
/// them, or many that move up by one.
///
/// No order of single updates avoids a constraint failure then. So each row whose value another row
/// wants first gets a placeholder that no row has; then all rows get their new values at once. The
/// other values of the rows are written when their items are retried.
final class UniqueConflicts {
    private let writer: StoreWriter
    private let arena = ValueArena()
    private var writes: [Write] = []

    /// The table and the number of a row.
    private struct TableRow: Hashable {
        let table: Int
        let number: Int64
    }

    /// A row that could not be written.
    private struct Write {
        /// The item that the row belongs to.
        let item: Int64
        let table: Int
        /// The row number; nil for a row to be inserted.
        let row: Int64?
        /// The values that the row is to have, for each unique list of columns.
        var wanted: [[Int]: [StoredValue]] = [:]
        /// A column that changes, for each list of columns whose values the row gives up.
        var given: [[Int]: Int] = [:]
        /// The changed values of an existing row.
        var changes: [Int: StoredValue] = [:]
        /// The position columns of lists that the row is removed from with that change.
        var positions: Set<Int> = []

        var tableRow: TableRow? { row.map { TableRow(table: table, number: $0) } }
    }

    /// A pair of writes: one row gives up the values that another row wants.
    private struct Transfer {
        /// The write that wants the values.
        let write: Int
        /// The write of the row that has them.
        let holder: Int
        let columns: [Int]
    }

    /// Values that only one row may have.
    private struct Wanted: Hashable {
        let table: Int
        let columns: [Int]
        let values: [Value]
    }

    init(_ writer: StoreWriter) {
        self.writer = writer
    }

    /// Adds a row that could not be written.
    ///
    /// - Parameters:
    ///   - row: The row number; nil for a row to be inserted.
    ///   - table: The index of its table.
    ///   - item: The number of the item that the row belongs to.
    ///   - value: Returns the new value of a column; nil if the object does not contain it.
    ///   - position: For a reference: returns the position column of the list that the row is
    ///     removed from.
    /// - Throws: `DatabaseError`.
    func add(
        _ row: Int64?,
        in table: Int,
        for item: Int64,
        value: (Int) -> StoredValue?,
        position: (Int) -> Int?
    ) throws {
        let layout = writer.layout.tables[table]
        var write = Write(item: item, table: table, row: row)
        for columns in layout.keys + layout.uniques {
            let stored = try write.tableRow.map { try values(of: columns, row: $0) }
            let wanted = columns.enumerated().map { index, column in
                (value(column) ?? stored?[index] ?? .null).copied(into: arena)
            }
            if let stored {
                let changed = columns.indices.filter { !stored[$0].isSame(as: wanted[$0]) }
                guard !changed.isEmpty else { continue }
                // Preferably a nullable column, because null needs no placeholder value.
                let nullable = changed.first { !layout.columns[columns[$0]].isRequired }
                write.given[columns] = columns[nullable ?? changed[0]]
                for index in changed { write.changes[columns[index]] = wanted[index] }
                write.positions.formUnion(changed.compactMap { position(columns[$0]) })
            }
            // SQLite treats nulls as distinct in a unique index.
            if !wanted.contains(where: \.isNull) { write.wanted[columns] = wanted }
        }
        writes.append(write)
    }

    /// Gives the rows their new values, as far as other rows give them up.
    ///
    /// - Returns: The items whose values are now free or written. Empty, and nothing is written, if
    ///   a constraint that the model does not know is violated.
    /// - Throws: `DatabaseError`.
    func settle() throws -> Set<Int64> {
        let (transfers, stuck) = try findTransfers()
        let movable = writes.indices.filter { !stuck.contains($0) }.map { writes[$0] }
        do {
            // A savepoint: a constraint of the app's own must not leave half of the rows with
            // placeholders.
            try writer.db.inSavepoint {
                for transfer in transfers where !stuck.contains(transfer.write) {
                    try vacate(transfer.columns, of: writes[transfer.holder])
                }
                for write in movable { try apply(write) }
                return .commit
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            return []
        }
        for write in movable { record(write) }
        return Set(movable.map(\.item))
    }

    /// Finds the rows whose values other rows want, and the writes that are impossible: the row
    /// with the value does not give it up, or another write wants the same value first.
    private func findTransfers() throws -> (transfers: [Transfer], stuck: Set<Int>) {
        let indexes = Dictionary(
            writes.enumerated().compactMap { index, write in write.tableRow.map { ($0, index) } },
            uniquingKeysWith: { first, _ in first }
        )
        var transfers: [Transfer] = []
        var blocked: [Int] = []
        var taken: Set<Wanted> = []
        for (index, write) in writes.enumerated() {
            for (columns, wanted) in write.wanted {
                let values = wanted.map { Value($0, type: .transformable) }
                let claim = Wanted(table: write.table, columns: columns, values: values)
                guard taken.insert(claim).inserted else {
                    blocked.append(index)
                    continue
                }
                guard let row = try holder(of: wanted, in: columns, besides: write) else {
                    continue
                }
                guard let other = indexes[row], writes[other].given[columns] != nil else {
                    blocked.append(index)
                    continue
                }
                transfers.append(Transfer(write: index, holder: other, columns: columns))
            }
        }
        let waiting = Dictionary(grouping: transfers, by: \.holder).mapValues { $0.map(\.write) }
        return (transfers, Self.closure(of: blocked, waiting: waiting))
    }

    /// Returns the blocked writes, and those that wait for one of them.
    private static func closure(of blocked: [Int], waiting: [Int: [Int]]) -> Set<Int> {
        var result = Set(blocked)
        var open = blocked
        while let index = open.popLast() {
            for other in waiting[index] ?? [] where result.insert(other).inserted {
                open.append(other)
            }
        }
        return result
    }

    // MARK: Rows

    /// Gives a row a placeholder in a column that changes.
    private func vacate(_ columns: [Int], of write: Write) throws {
        guard let row = write.tableRow, let column = write.given[columns] else { return }
        let value = try values(of: [column], row: row)[0]
        try set([column: placeholder(for: value, column: column, row: row)], row: row)
    }

    /// Gives a row its new values.
    private func apply(_ write: Write) throws {
        guard let row = write.tableRow else { return }
        let removed = write.positions.map { ($0, StoredValue.null) }
        // In one statement, because a part of the values may be those of another row.
        try set(write.changes.merging(removed) { value, _ in value }, row: row)
    }

    /// Records the change of a row.
    private func record(_ write: Write) {
        guard let row = write.row else { return }
        let layout = writer.layout.tables[write.table]
        var columns = ColumnMask()
        for column in write.changes.keys { columns.insert(column) }
        writer.changes.table(layout.name).update(row, columns: columns)
        if layout.keys.joined().contains(where: columns.contains) {
            writer.recordKeyChange(of: row, in: write.table)
        }
    }

    /// Returns a value that no other row has: null or, in a required column, a value made of the
    /// row number.
    private func placeholder(for value: StoredValue, column: Int, row: TableRow) -> StoredValue {
        guard writer.layout.tables[row.table].columns[column].isRequired else { return .null }
        switch value {
        case .null: return .null
        // Unlikely values: if a row has one nevertheless, the constraint fails and nothing is
        // written.
        case .integer: return .integer(Int64.min + row.number)
        case .real: return .real(-1e290 * Double(row.number))
        case .text: return .text(arena.copy("\u{10FFFF}\(row.number)"))
        case .blob: return .blob(arena.copy("\u{10FFFF}\(row.number)"))
        }
    }

    /// Returns the row, other than that of a write, that has values which only one row may have.
    private func holder(
        of values: [StoredValue],
        in columns: [Int],
        besides write: Write
    ) throws -> TableRow? {
        let conditions = columns.map { "\(name(of: $0, in: write.table)) = ?" }
        let statement = try writer.statement(
            "SELECT _id FROM \(name(ofTable: write.table)) "
                + "WHERE \(conditions.joined(separator: " AND "))"
        )
        for (index, value) in values.enumerated() { statement.bind(value, at: index + 1) }
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        let row = statement.integer(at: 0)
        return row == write.row ? nil : TableRow(table: write.table, number: row)
    }

    private func values(of columns: [Int], row: TableRow) throws -> [StoredValue] {
        let list = columns.map { name(of: $0, in: row.table) }.joined(separator: ", ")
        let statement = try writer.statement(
            "SELECT \(list) FROM \(name(ofTable: row.table)) WHERE _id = ?"
        )
        statement.bind(row.number, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { return columns.map { _ in .null } }
        return columns.indices.map { statement.value(at: $0).copied(into: arena) }
    }

    private func set(_ values: [Int: StoredValue], row: TableRow) throws {
        guard !values.isEmpty else { return }
        let values = values.sorted { $0.key < $1.key }
        let list = values.map { "\(name(of: $0.key, in: row.table)) = ?" }.joined(separator: ", ")
        let statement = try writer.statement(
            "UPDATE \(name(ofTable: row.table)) SET \(list) WHERE _id = ?"
        )
        for (index, value) in values.enumerated() { statement.bind(value.value, at: index + 1) }
        statement.bind(row.number, at: values.count + 1)
        try statement.run()
    }

    private func name(of column: Int, in table: Int) -> String {
        writer.layout.tables[table].columns[column].name.quotedDatabaseIdentifier
    }

    private func name(ofTable table: Int) -> String {
        writer.layout.tables[table].name.quotedDatabaseIdentifier
    }
}

extension StoredValue {
    /// Returns the value with its bytes copied into an arena.
    fileprivate func copied(into arena: ValueArena) -> StoredValue {
        switch self {
        case .null, .integer, .real: self
        case .text(let bytes): .text(arena.copy(bytes))
        case .blob(let bytes): .blob(arena.copy(bytes))
        }
    }

    /// Returns whether the other value has the same type and content.
    func isSame(as other: StoredValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.integer(let one), .integer(let two)): one == two
        case (.real(let one), .real(let two)): one == two
        case (.text(let one), .text(let two)), (.blob(let one), .blob(let two)):
            one.elementsEqual(two)
        case (.null, _), (.integer, _), (.real, _), (.text, _), (.blob, _): false
        }
    }
}
