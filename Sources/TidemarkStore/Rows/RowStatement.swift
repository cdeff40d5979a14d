public import GRDB
import GRDBSQLite
public import TidemarkModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Android)
import Android
#endif

/// A prepared statement that is bound and stepped without copying, by SQLite itself.
///
/// GRDB's observers do not see what runs here; whoever writes through it collects ``StoreChanges``.
/// A statement belongs to the transaction it was made in.
public final class RowStatement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer
    private let sql: String

    /// Prepares a statement.
    ///
    /// - Throws: `DatabaseError`.
    public init(_ db: Database, _ sql: String) throws {
        guard let connection = db.sqliteConnection else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "The connection is closed.")
        }
        var handle: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let code = sqlite3_prepare_v3(connection, sql, -1, flags, &handle, nil)
        guard code == SQLITE_OK, let handle else {
            throw Self.error(connection, sql)
        }
        self.handle = handle
        self.connection = connection
        self.sql = sql
    }

    deinit {
        sqlite3_finalize(handle)
    }

    // MARK: Binding

    /// Binds a value.
    ///
    /// Its bytes must stay where they are until the statement is reset.
    public func bind(_ value: StoredValue, at index: Int) {
        let index = Int32(truncatingIfNeeded: index)
        switch value {
        case .null:
            sqlite3_bind_null(handle, index)
        case .integer(let number):
            sqlite3_bind_int64(handle, index, number)
        case .real(let number):
            sqlite3_bind_double(handle, index, number)
        case .text(let bytes):
            // SQLite takes a null pointer for NULL; an empty text needs an address.
            let start = bytes.baseAddress ?? UnsafeRawPointer(Self.empty.utf8Start)
            sqlite3_bind_text64(
                handle,
                index,
                start.assumingMemoryBound(to: CChar.self),
                UInt64(bytes.count),
                nil,
                UInt8(SQLITE_UTF8)
            )
        case .blob(let bytes):
            let start = bytes.baseAddress ?? UnsafeRawPointer(Self.empty.utf8Start)
            sqlite3_bind_blob64(handle, index, start, UInt64(bytes.count), nil)
        }
    }

    /// Binds a whole number.
    public func bind(_ number: Int64, at index: Int) {
        sqlite3_bind_int64(handle, Int32(truncatingIfNeeded: index), number)
    }

    private static let empty: StaticString = ""

    // MARK: Running

    /// Goes to the next row, and returns whether there is one.
    ///
    /// - Throws: `DatabaseError`; the statement is then reset and can be used again.
    public func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            let error = Self.error(connection, sql)
            sqlite3_reset(handle)
            throw error
        }
    }

    /// Makes the statement ready to be bound and run again.
    public func reset() {
        sqlite3_reset(handle)
    }

    /// Runs a statement that returns no rows, and makes it ready again.
    public func run() throws {
        _ = try step()
        sqlite3_reset(handle)
    }

    // MARK: The current row

    /// The whole number in a column; 0 where there is none.
    public func integer(at column: Int) -> Int64 {
        sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
    }

    /// Whether the column is NULL.
    public func isNull(at column: Int) -> Bool {
        sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) == SQLITE_NULL
    }

    /// The value in a column, borrowed until the next step.
    public func value(at column: Int) -> StoredValue {
        let column = Int32(truncatingIfNeeded: column)
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT:
            let start = sqlite3_column_text(handle, column)
            let count = Int(sqlite3_column_bytes(handle, column))
            return .text(UnsafeRawBufferPointer(start: start, count: count))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(handle, column)
            let count = Int(sqlite3_column_bytes(handle, column))
            return .blob(UnsafeRawBufferPointer(start: start, count: count))
        default: return .null
        }
    }

    /// Whether a column holds just this value, in the same storage class.
    public func holds(_ value: StoredValue, at column: Int) -> Bool {
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

    private static func error(_ connection: OpaquePointer, _ sql: String) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection)),
            sql: sql
        )
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func equals(_ other: UnsafeRawPointer?, count otherCount: Int32) -> Bool {
        guard count == Int(otherCount) else { return false }
        guard let start = baseAddress, let other else { return count == 0 }
        return memcmp(start, other, count) == 0
    }
}
