import Foundation
import GRDBSQLite

func fail(_ message: String, _ status: Int32) -> Never {
    FileHandle.standardError.write(Data("Floor: \(message)\n".utf8))
    exit(status)
}

/// A connection to the database.
struct Connection {
    let handle: OpaquePointer

    init(_ path: String) {
        var handle: OpaquePointer?
        guard sqlite3_open(path, &handle) == SQLITE_OK, let handle else {
            fail("\(path) cannot be opened.", 73)
        }
        self.handle = handle
    }

    func run(_ sql: String) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { failed() }
    }

    func prepare(_ sql: String) -> OpaquePointer {
        var statement: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        guard sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil) == SQLITE_OK,
            let statement
        else { failed() }
        return statement
    }

    func failed() -> Never {
        fail(String(cString: sqlite3_errmsg(handle)), 70)
    }
}

/// The rows of a table that the document contains, as a bitmap over row numbers.
final class NamedRows {
    private var words: UnsafeMutableBufferPointer<UInt64> = .allocate(capacity: 0)

    func insert(_ row: Int64) {
        let word = Int(row >> 6)
        if word >= words.count { grow(to: (word + 1) * 2) }
        words[word] |= 1 << UInt64(row & 63)
    }

    func contains(_ row: Int64) -> Bool {
        let word = Int(row >> 6)
        return word < words.count && words[word] & 1 << UInt64(row & 63) != 0
    }

    private func grow(to count: Int) {
        let larger = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: count)
        larger.initialize(repeating: 0)
        if !words.isEmpty {
            UnsafeMutableRawBufferPointer(larger).copyMemory(from: UnsafeRawBufferPointer(words))
        }
        words.deallocate()
        words = larger
    }
}
