import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

struct RowBatchTests {
    private func store() throws -> Store {
        try .of(.named("User", [Attribute("score", .double)]))
    }

    /// Calls a closure with a batch of users, whose columns are the key and the name.
    private func writing(
        _ store: Store,
        _ body: (StoreWriter, RowBatch) throws -> Void
    ) throws {
        try store.write { writer in
            let batch = try writer.batch(in: 0, columns: [0, 1])
            try body(writer, try #require(batch))
        }
    }

    private func append(_ id: Int64, _ name: String, to batch: RowBatch) throws -> Int64? {
        var name = name
        return try name.withUTF8 { name in
            try batch.append { $0 == 0 ? .integer(id) : .text(UnsafeRawBufferPointer(name)) }
        }
    }

    private func rows(_ store: Store) throws -> [String] {
        try store.writer.read { db in
            try String.fetchAll(db, sql: "SELECT _id || ' ' || id || ' ' || name FROM User")
        }
    }

    @Test(arguments: [1, 2, 3, 31, 32, 33, 100])
    func `rows have the numbers that were returned`(count: Int) throws {
        let store = try store()
        try store.writer.write { db in
            // The highest number that was ever assigned counts, not the highest that is stored.
            try db.execute(sql: "INSERT INTO User (_id) VALUES (7); DELETE FROM User")
        }
        var expected: [String] = []
        try writing(store) { _, batch in
            for id in 0..<count {
                let number = try append(Int64(id), "user \(id)", to: batch)
                expected.append("\(number ?? 0) \(id) user \(id)")
            }
        }
        #expect(try rows(store) == expected)
        #expect(expected.last == "\(count + 7) \(count - 1) user \(count - 1)")
    }

    @Test func `a statement of the writer reads the rows`() throws {
        try writing(store()) { writer, batch in
            for id in 1...3 as ClosedRange<Int64> {
                _ = try append(id, "a", to: batch)
                let count = try writer.statement("SELECT count(*) FROM User")
                #expect(try count.step())
                #expect(count.integer(at: 0) == id)
                count.reset()
            }
        }
    }

    @Test func `values that SQLite would reject or convert are not added`() throws {
        let store = try store()
        try store.write { writer in
            let batch = try #require(try writer.batch(in: 0, columns: [0, 2]))
            func append(_ id: StoredValue, _ score: StoredValue) throws -> Int64? {
                try batch.append { $0 == 0 ? id : score }
            }
            #expect(try append(.integer(1), .real(1)) == 1)
            #expect(try append(.integer(2), .null) == 2)
            #expect(try append(.real(3), .null) == nil)
            #expect(try append(.integer(3), .integer(1)) == nil)
            #expect(try append(.integer(3), .real(.nan)) == nil)
            #expect(try append(.text(UnsafeRawBufferPointer(start: nil, count: 0)), .null) == nil)
        }
        #expect(
            try store.writer.read { try Int.fetchOne($0, sql: "SELECT sum(id) FROM User") } == 3
        )
    }

    @Test func `long values are not added`() throws {
        try writing(store()) { _, batch in
            let numbers = try [16_384, 16_385].map {
                try append(1, String(repeating: "x", count: $0), to: batch)
            }
            #expect(numbers == [1, nil])
        }
    }

    @Test(arguments: [
        "CREATE UNIQUE INDEX own ON User (name)",
        "CREATE TRIGGER own AFTER INSERT ON User BEGIN SELECT 1; END",
        "CREATE TEMP TRIGGER own AFTER INSERT ON User BEGIN SELECT 1; END",
    ])
    func `there is no batch if an insertion may fail or run other code`(sql: String) throws {
        let store = try store()
        try store.writer.write { db in try db.execute(sql: sql) }
        try store.write { writer in
            let batch = try writer.batch(in: 0, columns: [0])
            #expect(batch == nil)
        }
    }

    @Test func `there is no batch for a table with several unique values`() throws {
        let stores = try [
            Store.of(
                EntityDescription(
                    "User",
                    attributes: [Attribute("id", .integer64), Attribute("name", .string)],
                    uniquenessConstraints: [["name"]]
                )
            ),
            Store.of(
                .named("User", [], .one("pass", "Pass", inverse: "user")),
                .named("Pass", [], .one("user", "User", inverse: "pass"))
            ),
            Store.of(.named("User"), .named("Admin", parent: "User")),
        ]
        for store in stores {
            try store.write { writer in
                // The reference between a user and a pass is in one of their tables.
                let batches = try store.layout.tables.indices.map {
                    try writer.batch(in: $0, columns: [0])
                }
                #expect(batches.contains { $0 == nil })
            }
        }
    }
}
