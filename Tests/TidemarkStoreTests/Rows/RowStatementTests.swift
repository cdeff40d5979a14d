import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

struct RowStatementTests {
    private func reading(_ body: (Database) throws -> Void) throws {
        try Store.of(.named("User")).writer.write(body)
    }

    @Test func `throws SQLite's own error, and the statement can be used again`() throws {
        try reading { db in
            try db.execute(sql: "CREATE TABLE one (value INTEGER UNIQUE) STRICT")
            let insert = try RowStatement.prepare(db, "INSERT INTO one VALUES (?)")
            insert.bind(1, at: 1)
            try insert.run()
            #expect {
                try insert.run()
            } throws: { error in
                let error = error as? DatabaseError
                return error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE
                    && error?.message == "UNIQUE constraint failed: one.value"
                    && error?.sql == "INSERT INTO one VALUES (?)"
            }
            insert.bind(2, at: 1)
            try insert.run()
            #expect(try Int.fetchAll(db, sql: "SELECT value FROM one") == [1, 2])
            #expect(throws: DatabaseError.self) {
                try RowStatement.prepare(db, "SELECT nothing FROM none")
            }
        }
    }

    @Test func `a value that cannot be bound fails the next step, and no other one`() throws {
        try reading { db in
            try db.execute(sql: "CREATE TABLE one (value INTEGER UNIQUE) STRICT")
            let insert = try RowStatement.prepare(db, "INSERT INTO one VALUES (?)")
            insert.bind(1, at: 1)
            insert.bind(2, at: 2)
            #expect {
                try insert.run()
            } throws: { error in
                (error as? DatabaseError)?.resultCode == .SQLITE_RANGE
            }
            try insert.run()
            #expect(try Int.fetchAll(db, sql: "SELECT value FROM one") == [1])
        }
    }

    @Test func `binds and reads every storage class, including empty texts and blobs`() throws {
        try reading { db in
            let echo = try RowStatement.prepare(db, "SELECT ?1, typeof(?1), length(?1)")
            let empty = UnsafeRawBufferPointer(start: nil, count: 0)
            func shown(_ value: StoredValue) throws -> String {
                echo.bind(value, at: 1)
                defer { echo.reset() }
                #expect(try echo.step())
                #expect(echo.holds(value, at: 0))
                #expect(echo.isNull(at: 0) == (echo.value(at: 1).text == "null"))
                return "\(echo.value(at: 0).text) \(echo.value(at: 1).text) \(echo.integer(at: 2))"
            }
            #expect(try shown(.null) == "null null 0")
            #expect(try shown(.integer(.min)) == "-9223372036854775808 integer 20")
            #expect(try shown(.real(0.5)) == "0.5 real 3")
            #expect(try shown(.text(empty)) == " text 0")
            #expect(try shown(.blob(empty)) == " blob 0")
            var text = "größe"
            #expect(try text.withUTF8 { try shown(.text(.init($0))) } == "größe text 5")
            #expect(try [0, 1].withUnsafeBytes { try shown(.blob($0)) }.hasSuffix(" blob 16"))
            #expect(try !echo.step() || echo.value(at: 1).text == "blob")
        }
    }

    @Test func `a column holds a value only with its storage class and all its bytes`() throws {
        try reading { db in
            let row = try RowStatement.prepare(db, "SELECT 1, 1.0, 'a', x'61', NULL, ''")
            #expect(try row.step())
            var letter = "a"
            var longer = "ab"
            let empty = UnsafeRawBufferPointer(start: nil, count: 0)
            let matches = letter.withUTF8 { letter in
                longer.withUTF8 { longer in
                    let values: [StoredValue] = [
                        .integer(1), .real(1), .text(.init(letter)), .blob(.init(letter)), .null,
                        .text(empty), .text(.init(longer)), .blob(empty), .integer(0), .real(0),
                    ]
                    return values.map { value in (0..<6).filter { row.holds(value, at: $0) } }
                }
            }
            #expect(matches == [[0], [1], [2], [3], [4], [5], [], [], [], []])
        }
    }
}

extension StoredValue {
    fileprivate var text: String {
        switch self {
        case .null: "null"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let bytes), .blob(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }
}
