package import GRDB
import GRDBSQLite
package import TidemarkModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Android)
import Android
#endif

/// A prepared statement that binds and reads values without copying them, directly through SQLite's
/// C interface.
///
/// GRDB's observers do not see the changes of such a statement: record them in ``StoreChanges`` and
/// call ``StoreChanges/notify(_:)``. A statement must not be used after the transaction in which it
/// was created.
package final class RowStatement {
    /// SQLite's statement, which is valid as long as this object.
    let handle: OpaquePointer

    private let connection: OpaquePointer
    private let sql: String

    /// The statement of GRDB to which the handle belongs; nil if it belongs to this object.
    private let owner: Statement?

    /// The first error of binding a value since the last step.
    private var bindingError = SQLITE_OK

    /// Prepares a statement.
    ///
    /// - Throws: `DatabaseError`.
    package static func prepare(_ db: Database, _ sql: String) throws -> RowStatement {
        guard let connection = db.sqliteConnection else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "The connection is closed.")
        }
        var handle: OpaquePointer?
        // A hint that the statement is kept: SQLite then does not use up its lookaside memory.
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let code = sqlite3_prepare_v3(connection, sql, -1, flags, &handle, nil)
        guard code == SQLITE_OK, let handle else {
            throw error(of: connection, sql: sql)
        }
        return RowStatement(handle: handle, connection: connection, sql: sql, owner: nil)
    }

    /// Returns a statement that the connection keeps after the transaction.
    ///
    /// Use it for a write of an app, which may be the only one of its transaction: compiling the
    /// triggers that record local changes takes a hundred times as long as running them.
    ///
    /// - Throws: `DatabaseError`.
    static func kept(_ db: Database, _ sql: String) throws -> RowStatement {
        guard let connection = db.sqliteConnection else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "The connection is closed.")
        }
        // A text of its own: GRDB shares a statement among all uses of a text, and does not reset
        // it after a use, so that SQLite would refuse to bind values.
        let owner = try db.cachedStatement(sql: "\(sql) -- RowStatement")
        let handle = owner.sqliteStatement
        return RowStatement(handle: handle, connection: connection, sql: sql, owner: owner)
    }

    private init(
        handle: OpaquePointer,
        connection: OpaquePointer,
        sql: String,
        owner: Statement?
    ) {
        self.owner = owner
        self.handle = handle
        self.connection = connection
        self.sql = sql
    }

    deinit {
        // The results repeat the error of the last step, which was thrown then.
        if owner == nil {
            sqlite3_finalize(handle)
        } else {
            sqlite3_reset(handle)
            // The memory of the values may be in use again.
            sqlite3_clear_bindings(handle)
        }
    }

    // MARK: Binding

    /// Binds a value to a parameter.
    ///
    /// The bytes of a text or blob are not copied. They must stay valid until the statement is
    /// reset.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - index: The index of the parameter, starting at 1.
    package func bind(_ value: StoredValue, at index: Int) {
        let index = Int32(truncatingIfNeeded: index)
        switch value {
        case .null:
            record(sqlite3_bind_null(handle, index))
        case .integer(let number):
            record(sqlite3_bind_int64(handle, index, number))
        case .real(let number):
            record(sqlite3_bind_double(handle, index, number))
        case .text(let bytes):
            // SQLite binds NULL for a null pointer, so an empty text needs a valid address.
            let start = bytes.baseAddress ?? UnsafeRawPointer(Self.empty.utf8Start)
            // The null destructor is SQLITE_STATIC: SQLite does not copy the bytes.
            let code = sqlite3_bind_text64(
                handle,
                index,
                start.assumingMemoryBound(to: CChar.self),
                UInt64(bytes.count),
                nil,
                UInt8(SQLITE_UTF8)
            )
            record(code)
        case .blob(let bytes):
            let start = bytes.baseAddress ?? UnsafeRawPointer(Self.empty.utf8Start)
            record(sqlite3_bind_blob64(handle, index, start, UInt64(bytes.count), nil))
        }
    }

    /// Binds an integer to a parameter, whose index starts at 1.
    package func bind(_ number: Int64, at index: Int) {
        record(sqlite3_bind_int64(handle, Int32(truncatingIfNeeded: index), number))
    }

    /// Keeps the first error of binding a value, which the next step throws: with the values of its
    /// last run, the statement would change another row.
    private func record(_ code: Int32) {
        if code != SQLITE_OK, bindingError == SQLITE_OK { bindingError = code }
    }

    private static let empty: StaticString = ""

    // MARK: Running

    /// Advances to the next row.
    ///
    /// - Returns: Whether there is a row.
    /// - Throws: `DatabaseError`. The statement is then reset and can be used again.
    package func step() throws -> Bool {
        guard bindingError == SQLITE_OK else {
            defer { bindingError = SQLITE_OK }
            sqlite3_reset(handle)
            throw DatabaseError(
                resultCode: ResultCode(rawValue: bindingError),
                message: "A value could not be bound.",
                sql: sql
            )
        }
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            // Before the reset, which would replace the message of the connection.
            let error = Self.error(of: connection, sql: sql)
            sqlite3_reset(handle)
            throw error
        }
    }

    /// Resets the statement so that it can be bound and run again.
    ///
    /// Bindings are kept.
    package func reset() {
        // The result repeats the error of the last step, which was thrown then.
        sqlite3_reset(handle)
    }

    /// Runs a statement that returns no rows, and resets it.
    ///
    /// - Throws: `DatabaseError`.
    package func run() throws {
        _ = try step()
        sqlite3_reset(handle)
    }

    // MARK: The connection

    // GRDB's properties of the same names first check the queue that they are called on, which
    // costs as much as a fifth of an insertion.

    /// The number of rows that the last statement of the connection to be completed has changed.
    package var changedRowCount: Int { Int(sqlite3_changes(connection)) }

    /// The number of the last row that the connection inserted.
    package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(connection) }

    /// A number that increases with every row that any statement of the connection changes,
    /// including its triggers and foreign key actions.
    package var totalChanges: Int32 { sqlite3_total_changes(connection) }

    // MARK: The current row

    /// Returns the integer in a column, whose index starts at 0; 0 if the column is NULL.
    package func integer(at column: Int) -> Int64 {
        sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
    }

    /// Returns whether a column is NULL.
    package func isNull(at column: Int) -> Bool {
        sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) == SQLITE_NULL
    }

    /// Returns the value in a column, whose index starts at 0.
    ///
    /// Its bytes are valid until the next step or reset.
    package func value(at column: Int) -> StoredValue { StoredValue(handle, column: column) }

    /// Returns whether a column contains a value, with the same storage class.
    package func holds(_ value: StoredValue, at column: Int) -> Bool {
        let column = Int32(truncatingIfNeeded: column)
        let type = sqlite3_column_type(handle, column)
        switch value {
        case .null: return type == SQLITE_NULL
        case .integer(let number):
            return type == SQLITE_INTEGER && sqlite3_column_int64(handle, column) == number
        case .real(let number):
            return type == SQLITE_FLOAT && sqlite3_column_double(handle, column) == number
        case .text(let bytes):
            guard type == SQLITE_TEXT else { return false }
            let start = sqlite3_column_text(handle, column)
            return bytes.equals(start, count: sqlite3_column_bytes(handle, column))
        case .blob(let bytes):
            guard type == SQLITE_BLOB else { return false }
            let start = sqlite3_column_blob(handle, column)
            return bytes.equals(start, count: sqlite3_column_bytes(handle, column))
        }
    }

    private static func error(of connection: OpaquePointer, sql: String) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection)),
            sql: sql
        )
    }
}

extension StoredValue {
    /// Creates the value in a column of the current row of a statement.
    ///
    /// Its bytes are valid until the next step or reset.
    init(_ handle: OpaquePointer, column: Int) {
        // One call finds the column, instead of one for its type, its bytes and their number. The
        // value is not protected against other threads; the queue of the connection is.
        let value = sqlite3_column_value(handle, Int32(truncatingIfNeeded: column))
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
        case SQLITE_TEXT:
            // Before `sqlite3_value_bytes`, as reading the text may convert it and change its
            // length.
            let start = sqlite3_value_text(value)
            let count = Int(sqlite3_value_bytes(value))
            self = .text(UnsafeRawBufferPointer(start: start, count: count))
        case SQLITE_BLOB:
            let start = sqlite3_value_blob(value)
            let count = Int(sqlite3_value_bytes(value))
            self = .blob(UnsafeRawBufferPointer(start: start, count: count))
        default: self = .null
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func equals(_ other: UnsafeRawPointer?, count otherCount: Int32) -> Bool {
        guard count == Int(otherCount) else { return false }
        guard let start = baseAddress, let other else { return count == 0 }
        return memcmp(start, other, count) == 0
    }
}
