import GRDB
import TidemarkModel
import TidemarkStore

/// Rows that want values which other rows have and are to give up: two that swap them, or many that
/// move up by one.
///
/// No order of writing would do for those. So each row that gives up a value which another wants is
/// first given one that nobody has; then all get what they want at once, before anybody else can
/// take it. What else is said of the rows is written when their items are tried again.
final class UniqueConflicts {
    private let writer: StoreWriter
    private let arena = ValueArena()
    private var writes: [Write] = []

    /// A row that could not be written, or not be inserted.
    private struct Write {
        /// The item it belongs to.
        let item: Int64
        let table: Int
        /// Nil for one that is to be inserted.
        let row: Int64?
        /// The values it wants, for each list of columns.
        var wanted: [[Int]: [StoredValue]] = [:]
        /// The column that changes, for each list of columns whose values it gives up.
        var given: [[Int]: Int] = [:]
        /// What changes in those columns, where the row is there.
        var changes: [Int: StoredValue] = [:]
        /// The columns of places in lists which the row leaves with that.
        var places: Set<Int> = []
    }

    /// A row that is given something else for a list of columns, so that another gets its values.
    private struct Room {
        /// The write that wants them.
        let write: Int
        /// The write of the row that has them.
        let holder: Int
        let columns: [Int]
    }

    private struct Place: Hashable {
        let table: Int
        let row: Int64
    }

    /// Values that one row may have.
    private struct Wanted: Hashable {
        let table: Int
        let columns: [Int]
        let values: [Value]
    }

    init(_ writer: StoreWriter) {
        self.writer = writer
    }

    /// Notes a row that could not be written.
    ///
    /// - Parameters:
    ///   - item: the number of the item it belongs to.
    ///   - table: its table.
    ///   - row: its number; nil where it is to be inserted.
    ///   - value: what it is to have in a column; nil where nothing is said.
    ///   - place: for a reference: the column of the place in the list that it leaves.
    /// - Throws: `DatabaseError`.
    func add(
        _ item: Int64,
        _ table: Int,
        _ row: Int64?,
        _ value: (Int) -> StoredValue?,
        place: (Int) -> Int?
    ) throws {
        let layout = writer.layout.tables[table]
        var write = Write(item: item, table: table, row: row)
        for columns in layout.keys + layout.uniques {
            let stored = try row.map { try self.values(of: columns, table, $0) }
            let wanted = columns.enumerated().map { index, column in
                (value(column) ?? stored?[index] ?? .null).copied(into: arena)
            }
            if let stored {
                let changed = columns.indices.filter { !stored[$0].isSame(as: wanted[$0]) }
                guard !changed.isEmpty else { continue }
                let nullable = changed.first { !layout.columns[columns[$0]].isRequired }
                write.given[columns] = columns[nullable ?? changed[0]]
                for index in changed { write.changes[columns[index]] = wanted[index] }
                write.places.formUnion(changed.compactMap { place(columns[$0]) })
            }
            if !wanted.contains(where: \.isNull) { write.wanted[columns] = wanted }
        }
        writes.append(write)
    }

    /// Gives the rows the values they want, as far as those are given up, and returns the items
    /// that now find theirs free or written.
    ///
    /// - Returns: no items, and nothing is written, where a rule that the model does not know of is
    ///   in the way.
    /// - Throws: `DatabaseError`.
    func settle() throws -> Set<Int64> {
        let (rooms, stuck) = try findRooms()
        let movable = writes.indices.filter { !stuck.contains($0) }.map { writes[$0] }
        do {
            try writer.db.inSavepoint {
                for room in rooms where !stuck.contains(room.write) {
                    try park(writes[room.holder], room.columns)
                }
                for write in movable { try apply(write) }
                return .commit
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            return []
        }
        for write in movable { note(write) }
        return Set(movable.map(\.item))
    }

    /// Finds the rows whose values others want, and the writes that cannot be: what they want is
    /// not given up, or another was first to want it.
    private func findRooms() throws -> (rooms: [Room], stuck: Set<Int>) {
        let places = Dictionary(
            writes.enumerated().compactMap { index, write in
                write.row.map { (Place(table: write.table, row: $0), index) }
            },
            uniquingKeysWith: { first, _ in first }
        )
        var rooms: [Room] = []
        var blocked: [Int] = []
        var taken: Set<Wanted> = []
        for (index, write) in writes.enumerated() {
            for (columns, wanted) in write.wanted {
                let values = wanted.map { Value($0, type: .transformable) }
                let place = Wanted(table: write.table, columns: columns, values: values)
                guard taken.insert(place).inserted else {
                    blocked.append(index)
                    continue
                }
                guard let row = try holder(of: wanted, columns, write) else { continue }
                guard let other = places[Place(table: write.table, row: row)],
                    writes[other].given[columns] != nil
                else {
                    blocked.append(index)
                    continue
                }
                rooms.append(Room(write: index, holder: other, columns: columns))
            }
        }
        let waiting = Dictionary(grouping: rooms, by: \.holder).mapValues { $0.map(\.write) }
        return (rooms, Self.closure(of: blocked, waiting))
    }

    /// The writes that are blocked, and those that wait for one of them.
    private static func closure(of blocked: [Int], _ waiting: [Int: [Int]]) -> Set<Int> {
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

    /// Gives a row another value for the time being, in a column that changes.
    private func park(_ write: Write, _ columns: [Int]) throws {
        guard let row = write.row, let column = write.given[columns] else { return }
        let value = try values(of: [column], write.table, row)[0]
        try set([column: placeholder(for: value, column, write.table, row)], write.table, row)
    }

    /// Gives a row the values it wants.
    private func apply(_ write: Write) throws {
        guard let row = write.row else { return }
        let left = write.places.map { ($0, StoredValue.null) }
        // All in one: half of the values may be those of another row.
        try set(write.changes.merging(left) { value, _ in value }, write.table, row)
    }

    /// Tells of a row that has the values it wants.
    private func note(_ write: Write) {
        guard let row = write.row else { return }
        let layout = writer.layout.tables[write.table]
        var columns = ColumnMask()
        for column in write.changes.keys { columns.insert(column) }
        writer.changes.table(layout.name).update(row, columns)
        if layout.keys.joined().contains(where: columns.contains) {
            writer.noteKey(of: row, in: write.table)
        }
    }

    /// A value that no other row has: null, or where that may not be, one made of the row's number.
    private func placeholder(
        for value: StoredValue,
        _ column: Int,
        _ table: Int,
        _ row: Int64
    ) -> StoredValue {
        guard writer.layout.tables[table].columns[column].isRequired else { return .null }
        switch value {
        case .null: return .null
        case .integer: return .integer(Int64.min + row)
        case .real: return .real(-1e290 * Double(row))
        case .text: return .text(arena.copy("\u{10FFFF}\(row)"))
        case .blob: return .blob(arena.copy("\u{10FFFF}\(row)"))
        }
    }

    private func holder(
        of values: [StoredValue],
        _ columns: [Int],
        _ write: Write
    ) throws -> Int64? {
        let conditions = columns.map { "\(name($0, write.table)) = ?" }.joined(separator: " AND ")
        let statement = try writer.statement(
            "SELECT _id FROM \(name(of: write.table)) WHERE \(conditions)"
        )
        for (index, value) in values.enumerated() { statement.bind(value, at: index + 1) }
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        let row = statement.integer(at: 0)
        return row == write.row ? nil : row
    }

    private func values(of columns: [Int], _ table: Int, _ row: Int64) throws -> [StoredValue] {
        let list = columns.map { name($0, table) }.joined(separator: ", ")
        let statement = try writer.statement(
            "SELECT \(list) FROM \(name(of: table)) WHERE _id = ?"
        )
        statement.bind(row, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { return columns.map { _ in .null } }
        return columns.indices.map { statement.value(at: $0).copied(into: arena) }
    }

    private func set(_ values: [Int: StoredValue], _ table: Int, _ row: Int64) throws {
        guard !values.isEmpty else { return }
        let values = values.sorted { $0.key < $1.key }
        let list = values.map { "\(name($0.key, table)) = ?" }.joined(separator: ", ")
        let statement = try writer.statement(
            "UPDATE \(name(of: table)) SET \(list) WHERE _id = ?"
        )
        for (index, value) in values.enumerated() { statement.bind(value.value, at: index + 1) }
        statement.bind(row, at: values.count + 1)
        try statement.run()
    }

    private func name(_ column: Int, _ table: Int) -> String {
        writer.layout.tables[table].columns[column].name.quotedDatabaseIdentifier
    }

    private func name(of table: Int) -> String {
        writer.layout.tables[table].name.quotedDatabaseIdentifier
    }
}

extension StoredValue {
    /// The value, its bytes copied into an arena.
    fileprivate func copied(into arena: ValueArena) -> StoredValue {
        switch self {
        case .null, .integer, .real: self
        case .text(let bytes): .text(arena.copy(bytes))
        case .blob(let bytes): .blob(arena.copy(bytes))
        }
    }

    /// Whether it is the same value of the same kind.
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
