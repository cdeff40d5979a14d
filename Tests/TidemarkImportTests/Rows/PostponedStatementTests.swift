import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// The SQL statements that find postponed items.
struct PostponedStatementTests {
    private func store() throws -> Store {
        let store = try Store.of(
            EntityDescription(
                "User",
                attributes: [.init("id", .integer64), .init("email", .string)],
                uniquenessConstraints: [["email"]]
            )
        )
        try store.load("User", #"[{"id": 1, "email": "a"}, {"id": 2, "email": "b"}]"#)
        return store
    }

    /// Returns the statements over postponed items that `body` runs, with their bound values.
    private func statements(of store: Store, _ body: () throws -> Void) throws -> [String] {
        let seen = Locked<[String]>([])
        store.writer.writeWithoutTransaction { db in
            db.trace(options: .statement) { event in
                guard case .statement(let statement) = event else { return }
                seen.withLock { $0.append(statement.expandedSQL) }
            }
        }
        try body()
        return store.writer.writeWithoutTransaction { db in
            db.trace(options: [])
            return seen.withLock { $0 }.filter { $0.contains("_tidemark_retry") }
        }
    }

    private func plans(_ store: Store, _ statements: [String]) throws -> [String] {
        try store.writer.writeWithoutTransaction { db in
            try statements.filter { !$0.hasPrefix("CREATE") }.flatMap { statement in
                try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(statement)").map { $0["detail"] }
            }
        }
    }

    private func importPages(_ store: Store, _ pages: String...) throws {
        let importer = Importer(store)
        let session = ImportSession("users", into: "User")
        try store.writer.write { db in try importer.begin(db, session) }
        for page in pages {
            var items = try JSONDocument(Array(page.utf8)).items()
            _ = try store.writer.write { db in try importer.apply(db, &items, of: session) }
        }
        _ = try store.writer.write { db in try importer.finish(db, session) }
    }

    @Test func `no statement scans all postponed items`() throws {
        let store = try store()
        let statements = try statements(of: store) {
            try importPages(
                store,
                #"[{"id": 1, "email": "b"}, {"id": 3, "email": "c"}]"#,
                #"[{"id": 1, "email": "b"}, {"id": 2, "email": "a"}]"#
            )
            try store.load("User", #"[{"id": 1, "email": "a"}, {"id": 2, "email": "b"}]"#)
        }
        #expect(statements.contains { $0.hasPrefix("DELETE") })
        #expect(try plans(store, statements).filter { $0.hasPrefix("SCAN") } == [])
    }

    @Test func `items after the last postponed one run no statements over the queue`() throws {
        let store = try store()
        let statements = try statements(of: store) {
            let rest = (3..<50).map { #"{"id": \#($0), "email": "\#($0)"}"# }
            try importPages(
                store,
                #"[{"id": 1, "email": "b"}, {"id": 2, "email": "c"}]"#,
                "[\(rest.joined(separator: ","))]"
            )
        }
        #expect(statements.count { $0.hasPrefix("DELETE") } == 1)
        #expect(statements.count < 30)
    }
}
