import Foundation
import GRDBSQLite

/// The numbers of rows by what the import did with them.
struct Counts {
    var inserted = 0
    var updated = 0
    var unchanged = 0
    var deleted = 0
}

/// A table whose columns are known at compile time.
final class FloorTable {
    /// How the value of a column is converted.
    enum Reading {
        case plain, date
    }

    let keys: [StaticString]
    let readings: [Reading]
    /// The index of the reference column, which follows the others.
    ///
    /// Its value is a row number.
    let reference: Int
    let values: UnsafeMutablePointer<Int32>
    var counts = Counts()
    private let find: OpaquePointer
    private let insert: OpaquePointer
    private let update: OpaquePointer
    private let connection: Connection

    init(
        _ connection: Connection,
        _ name: String,
        _ columns: [(key: StaticString, column: String, reading: Reading)],
        reference: String
    ) {
        self.connection = connection
        keys = columns.map(\.key)
        readings = columns.map(\.reading)
        self.reference = columns.count
        values = .allocate(capacity: columns.count + 1)
        let names = columns.map(\.column) + [reference]
        let list = names.joined(separator: ",")
        let marks = names.map { _ in "?" }.joined(separator: ",")
        let changes = names.map { "\($0)=?" }.joined(separator: ",")
        find = connection.prepare("SELECT _id,\(list) FROM \(name) WHERE id=?")
        insert = connection.prepare("INSERT INTO \(name)(\(list)) VALUES(\(marks))")
        update = connection.prepare("UPDATE \(name) SET \(changes) WHERE _id=?")
    }

    /// Finds the values of the columns in an object.
    ///
    /// - Returns: The indexes of the values of two other members, or -1.
    func read(
        _ tape: Tape,
        _ object: Int,
        finding first: StaticString,
        _ second: StaticString
    ) -> (first: Int, second: Int) {
        var others = (first: -1, second: -1)
        var hint = 0
        var index = object + 1
        for column in keys.indices { values[column] = -1 }
        member: for _ in 0..<tape.tokens[object].length {
            let name = tape.tokens[index]
            let value = index + 1
            index = Int(tape.tokens[value].next)
            for attempt in keys.indices {
                let column = (hint + attempt) % keys.count
                if Self.matches(keys[column], name, tape.text) {
                    values[column] = Int32(truncatingIfNeeded: value)
                    hint = column + 1
                    continue member
                }
            }
            if Self.matches(first, name, tape.text) { others.first = value }
            if Self.matches(second, name, tape.text) { others.second = value }
        }
        return others
    }

    private static func matches(
        _ key: StaticString,
        _ name: Token,
        _ text: UnsafePointer<UInt8>
    ) -> Bool {
        key.utf8CodeUnitCount == Int(name.length)
            && memcmp(key.utf8Start, text + name.start, Int(name.length)) == 0
    }

    /// Inserts the row that was read, or updates it if it differs, and returns its number.
    func store(_ tape: Tape, reference target: Int64) -> Int64 {
        sqlite3_bind_int64(find, 1, tape.integer(tape.tokens[Int(values[0])]))
        let isFound = sqlite3_step(find) == SQLITE_ROW
        let known = isFound ? sqlite3_column_int64(find, 0) : 0
        let isEqual = isFound && isSame(tape, target)
        sqlite3_reset(find)
        if isEqual {
            counts.unchanged += 1
            return known
        }
        let write = isFound ? update : insert
        for column in keys.indices { bind(write, column, tape) }
        let index = Int32(reference + 1)
        if target == 0 {
            sqlite3_bind_null(write, index)
        } else {
            sqlite3_bind_int64(write, index, target)
        }
        if isFound {
            sqlite3_bind_int64(write, index + 1, known)
            counts.updated += 1
        } else {
            counts.inserted += 1
        }
        guard sqlite3_step(write) == SQLITE_DONE else { connection.failed() }
        sqlite3_reset(write)
        return isFound ? known : sqlite3_last_insert_rowid(connection.handle)
    }

    private func isSame(_ tape: Tape, _ target: Int64) -> Bool {
        for column in keys.indices where values[column] >= 0 {
            guard holds(column, tape.tokens[Int(values[column])], tape) else { return false }
        }
        let index = Int32(reference + 1)
        return target == 0
            ? sqlite3_column_type(find, index) == SQLITE_NULL
            : sqlite3_column_int64(find, index) == target
    }

    private func holds(_ column: Int, _ token: Token, _ tape: Tape) -> Bool {
        let index = Int32(column + 1)
        let isNull = sqlite3_column_type(find, index) == SQLITE_NULL
        if token.kind == .null || isNull { return token.kind == .null && isNull }
        if readings[column] == .date {
            return sqlite3_column_double(find, index) == tape.date(token)
        }
        switch token.kind {
        case .string:
            let text = sqlite3_column_text(find, index)
            guard sqlite3_column_bytes(find, index) == token.length, let text else { return false }
            return memcmp(text, tape.text + token.start, Int(token.length)) == 0
        case .integer: return sqlite3_column_int64(find, index) == tape.integer(token)
        case .real: return sqlite3_column_double(find, index) == tape.real(token)
        case .yes: return sqlite3_column_int64(find, index) == 1
        case .no: return sqlite3_column_int64(find, index) == 0
        case .object, .array, .null: return false
        }
    }

    private func bind(_ statement: OpaquePointer, _ column: Int, _ tape: Tape) {
        let index = Int32(column + 1)
        guard values[column] >= 0 else {
            sqlite3_bind_null(statement, index)
            return
        }
        let token = tape.tokens[Int(values[column])]
        if readings[column] == .date, token.kind == .string {
            sqlite3_bind_double(statement, index, tape.date(token))
            return
        }
        switch token.kind {
        case .string:
            let text = UnsafeRawPointer(tape.text + token.start).assumingMemoryBound(to: CChar.self)
            sqlite3_bind_text(statement, index, text, token.length, nil)
        case .integer: sqlite3_bind_int64(statement, index, tape.integer(token))
        case .real: sqlite3_bind_double(statement, index, tape.real(token))
        case .yes: sqlite3_bind_int64(statement, index, 1)
        case .no: sqlite3_bind_int64(statement, index, 0)
        case .object, .array, .null: sqlite3_bind_null(statement, index)
        }
    }
}
