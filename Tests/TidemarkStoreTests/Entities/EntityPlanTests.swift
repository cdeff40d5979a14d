import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkStore

/// The query plans of typed requests, and values that look like SQL.
struct EntityPlanTests {
    private func plan(_ sql: SQLText, in store: Store) throws -> String {
        try store.read { reader in
            try reader.prepareQueries()
            let rows = try Row.fetchAll(
                reader.db,
                sql: "EXPLAIN QUERY PLAN \(sql.text)",
                arguments: sql.bindings
            )
            return rows.map { $0["detail"] as String }.filter { $0.contains(" _") }
                .joined(separator: "\n")
        }
    }

    @Test func `an index finds the rows of a key, a reference and a linked row`() throws {
        let store = try Studio.store()
        func plan(_ request: EntityRequest<Person>) throws -> String {
            try self.plan(RequestSQL(request.record, in: store.layout).select(), in: store)
        }
        try expect(
            plan(Person.filter { $0.id == 3 }),
            is: """
                SEARCH _0 USING COVERING INDEX sqlite_autoindex_Person_1 (id=?)
                """
        )
        try expect(
            plan(Person.filter { $0.rowID == RowID(3) }),
            is: """
                SEARCH _0 USING INTEGER PRIMARY KEY (rowid=?)
                """
        )
        try expect(
            plan(Person.filter { $0.company == RowID(1) }),
            is: """
                SEARCH _0 USING COVERING INDEX _tidemark_reference_Person.company (company=?)
                """
        )
        try expect(
            plan(Person.filter { $0.company.code == "A" }),
            is: """
                SEARCH _0 USING COVERING INDEX _tidemark_reference_Person.company (company=?)
                SEARCH _1 USING COVERING INDEX sqlite_autoindex_Company_1 (code=?)
                """
        )
        try expect(
            plan(Person.filter { $0.notes.contains { $0.text == "tea" && !$0.isDone } }),
            is: """
                SCAN _0
                SEARCH _1 USING INDEX _tidemark_reference_Note.person (person=?)
                """
        )
        try expect(
            plan(Person.sorted(by: \.company.name)),
            is: """
                SCAN _0 USING COVERING INDEX _tidemark_reference_Person.company
                SEARCH _s1 USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
                """
        )
        // Long lists are one value.
        try expect(
            plan(Person.filter { $0.id.isIn(Array(1...600)) }),
            is: """
                SEARCH _0 USING COVERING INDEX sqlite_autoindex_Person_1 (id=?)
                """
        )
    }

    @Test func `an index finds the rows that are included`() throws {
        let store = try Studio.store()
        func plan(_ name: String, of entity: String, to destination: String) throws -> String {
            let relationship = try #require(
                try store.layout.entity(entity).relationship(name)
            )
            let request = try RequestSQL(RecordRequest(destination), in: store.layout)
            let sql = LinkedRowsSQL(relationship, request, in: store.layout)
            return try [sql.select([], of: [1, 2, 3]), sql.count(of: [1, 2, 3])]
                .map { try self.plan($0, in: store) }
                .joined(separator: "\n")
        }
        try expect(
            plan("notes", of: "Person", to: "Note"),
            is: """
                SEARCH _0 USING COVERING INDEX _tidemark_reference_Note.person (person=?)
                SEARCH _0 USING COVERING INDEX _tidemark_reference_Note.person (person=?)
                """
        )
        try expect(
            plan("team", of: "Person", to: "Person"),
            is: """
                SEARCH _0 USING COVERING INDEX _tidemark_reference_Person.boss (boss=?)
                SEARCH _0 USING COVERING INDEX _tidemark_reference_Person.boss (boss=?)
                """
        )
        try expect(
            plan("teams", of: "Person", to: "Team"),
            is: """
                SEARCH _l USING COVERING INDEX sqlite_autoindex__tidemark_Person_teams_1 (owner=?)
                SEARCH _0 USING INTEGER PRIMARY KEY (rowid=?)
                SEARCH _l USING COVERING INDEX sqlite_autoindex__tidemark_Person_teams_1 (owner=?)
                SEARCH _0 USING INTEGER PRIMARY KEY (rowid=?)
                """
        )
        try expect(
            plan("members", of: "Team", to: "Person"),
            is: """
                SEARCH _l USING INDEX _tidemark_Person_teams.member (member=?)
                SEARCH _0 USING INTEGER PRIMARY KEY (rowid=?)
                SEARCH _l USING INDEX _tidemark_Person_teams.member (member=?)
                SEARCH _0 USING INTEGER PRIMARY KEY (rowid=?)
                """
        )
        let rows = try RequestSQL(RecordRequest("Company"), among: [1, 2], in: store.layout)
        try expect(
            self.plan(rows.select(), in: store),
            is: """
                SEARCH _0 USING INTEGER PRIMARY KEY (rowid=?)
                """
        )
    }

    @Test(arguments: [
        "'; DROP TABLE Person; --", "' OR '1'='1", "\" OR 1=1 --", "%", "?", "?1", ":name", "]",
        "x' UNION SELECT 1 --", "`", "\\", "\\'", "\\\"", "$x1", "SELF", "{}",
    ])
    func `a text is never part of the SQL`(_ text: String) throws {
        let store = try Studio.store()
        try store.insert("Person", ["name": .string(text)])
        let requests = [
            Person.filter { $0.name == text }, Person.filter { $0.name.contains(text) },
            Person.filter { $0.name.isIn([text]) },
            Person.filter { $0.company.name == text || $0.name == text },
            Person.filter { person in
                person.notes.isEmpty && person.name.isEqual(to: text, folding: .caseInsensitive)
            },
        ]
        for request in requests {
            let sql = try store.sql(for: request)
            let (statement, arguments) = try store.read { reader in
                let statement = try sql.makePreparedRequest(reader.db, forSingleResult: false)
                    .statement
                return (statement.sql, "\(statement.arguments)")
            }
            #expect(!statement.contains("'"))
            #expect(arguments.lowercased().contains(String(reflecting: text.lowercased())))
            #expect(try store.fetch(request).map(\.name).contains(text))
            let predicate = try #require(request.record.predicate)
            #expect(try RecordPredicate(predicate.description) == predicate)
        }
        #expect(try store.count(Person.all) == 5)
    }
}
