import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// The query plans of predicates that an index can satisfy.
struct PredicatePlanTests {
    @Test(arguments: [
        ("id = 3", ["SEARCH _0 USING INDEX sqlite_autoindex_Person_1 (id=?)"]),
        ("id IN {1, 2}", ["SEARCH _0 USING INDEX sqlite_autoindex_Person_1 (id=?)"]),
        ("SELF = 'Person#3'", ["SEARCH _0 USING INTEGER PRIMARY KEY (rowid=?)"]),
        (
            "company = NULL",
            ["SEARCH _0 USING INDEX _tidemark_reference_Person.company (company=?)"]
        ),
        (
            "company = 1",
            [
                "SEARCH _0 USING INDEX _tidemark_reference_Person.company (company=?)",
                "SEARCH _n USING INDEX sqlite_autoindex_Company_1 (id=?)",
            ]
        ),
        (
            "company.id = 1",
            [
                "SEARCH _0 USING INDEX _tidemark_reference_Person.company (company=?)",
                "SEARCH _1 USING INDEX sqlite_autoindex_Company_1 (id=?)",
            ]
        ),
        (
            "ANY team.age > 30",
            [
                "SEARCH _1 USING INDEX _tidemark_reference_Person.boss (boss=?)"
            ]
        ),
        (
            "ANY tags.text = 'red'",
            [
                "SEARCH _2 USING INDEX sqlite_autoindex__tidemark_Person_tags_1 (owner=?)",
                "SEARCH _1 USING INTEGER PRIMARY KEY (rowid=?)",
            ]
        ),
        (
            "SUBQUERY(team, $x, $x.age > 30 AND $x.name = name).@count > 0",
            [
                "SEARCH _1 USING INDEX _tidemark_reference_Person.boss (boss=?)"
            ]
        ),
        (
            "team.@count > 2",
            [
                "SEARCH _n USING INDEX _tidemark_reference_Person.boss (boss=?)"
            ]
        ),
    ])
    func `uses the index`(_ format: String, _ plan: [String]) throws {
        let store = try Store.validated(model: Office.model)
        let found = try self.plan(store, "Person", format)
        #expect(found == plan, "\(found)")
    }

    @Test func `the beginning of a text is a range scan of an index`() throws {
        let store = try Store.of(
            EntityDescription("Word", primaryKey: ["text"], attributes: [.init("text", .string)])
        )
        let index = "USING INDEX sqlite_autoindex_Word_1 (text>? AND text<?)"
        #expect(try plan(store, "Word", "text BEGINSWITH 'ab'") == ["SEARCH _0 \(index)"])
        let last = "\u{D7FF}\u{10FFFF}"
        for text in ["ab", "ac", "b", "a\u{D7FF}", "a\u{E000}", last, last + "x", "\u{10FFFF}"] {
            try store.insert("Word", ["text": .string(text)])
        }
        #expect(try store.found("Word", "text BEGINSWITH 'a'") == [1, 2, 4, 5])
        #expect(try store.found("Word", "text BEGINSWITH %@", "a\u{D7FF}") == [4])
        #expect(try store.found("Word", "text BEGINSWITH %@", .string(last)) == [6, 7])
        #expect(try store.found("Word", "text BEGINSWITH %@", "\u{10FFFF}") == [8])
    }

    private func plan(_ store: Store, _ entity: String, _ format: String) throws -> [String] {
        let rows = try store.sql(for: RecordRequest(entity, where: RecordPredicate(format)))
        return try store.read { db in
            try SQLRequest<Row>("EXPLAIN QUERY PLAN \(rows)").fetchAll(db.db)
                .map { row -> String in row["detail"] }
                // The plan of a full table scan differs between versions of SQLite.
                .filter { $0.hasPrefix("SEARCH") }
                .map { $0.replacing("USING COVERING INDEX", with: "USING INDEX") }
        }
    }
}
