import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkStore

/// Random edits of random stores.
struct CapturePropertyTests {
    @Test func `discarding all local changes restores the rows`() async throws {
        try await Property(cases: 300) { EditSample(seed: $0) }.holds { try Self.test($0) }
    }

    private static func test(_ sample: EditSample) throws {
        let store = try Store.validated(model: sample.model)
        var edits = RandomEdits(store.layout, Chance(seed: sample.seed, for: "rows"))
        try store.editing { db in try edits.fill(db) }
        try store.writer.write { db in try Capture.install(db, store.layout) }
        let before = try StoreRows(store)
        edits.log = []
        for number in sample.edits {
            edits.chance = Chance(seed: sample.seed, for: "edit \(number)")
            try store.editing { db in try edits.edit(db) }
        }
        let edited = try StoreRows(store)
        let outbox = try store.outbox()
        try store.discardAll()
        let after = try StoreRows(store)
        let statements = """
            \(edits.log.joined(separator: "\n"))
            edited
            \(edited.text)
            outbox
            \(outbox)
            """
        try same(
            after.replacingKeys(by: before).withoutLoose(before).text,
            before.withoutLoose(before).text,
            statements
        )
        try store.expectEmptyOutbox(statements)
    }
}

extension Store {
    /// Runs a transaction, which is rolled back if its references are broken at the end.
    fileprivate func editing(_ body: (Database) throws -> Void) throws {
        do {
            try writer.write { db in
                try body(db)
                // An UPDATE OR REPLACE may replace the row that it refers to; SQLite does not
                // notice that.
                guard try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") == nil else {
                    throw DatabaseError(resultCode: .SQLITE_CONSTRAINT)
                }
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {}
    }

    /// Checks that no change and no base value is left.
    fileprivate func expectEmptyOutbox(_ message: String) throws {
        let rest = try writer.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM _tidemark_change").map(\.description)
                + Row.fetchAll(db, sql: "SELECT * FROM _tidemark_base").map(\.description)
                + Row.fetchAll(
                    db,
                    sql: "SELECT * FROM _tidemark_capture WHERE isEnabled = 0"
                ).map(\.description) + Store.integrityErrors(db)
        }
        try same(rest.joined(separator: "\n"), "", message)
    }
}
