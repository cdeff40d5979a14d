import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkStore

/// The SQL of requests, and limits of predicates that are built by code.
struct RequestSQLTests {
    private func sql(_ store: Store, _ request: RecordRequest) throws -> String {
        try store.read { db in
            try store.sql(for: request).makePreparedRequest(db.db).statement.sql
        }
    }

    @Test func `names of columns are qualified in every clause`() throws {
        let store = try Office.store()
        let request = RecordRequest(
            "Company",
            where: try RecordPredicate("seats > 1"),
            sort: [.init("name", .descending)],
            limit: 3
        )
        try expect(
            sql(store, request),
            is: """
                SELECT _0._id, _0."id", _0."name", _0."seats" FROM "Company" AS _0 \
                WHERE _0."seats" > ? ORDER BY _0."name" DESC, _0._id LIMIT 3 OFFSET 0
                """
        )
    }

    @Test func `the SQL of a request is a subquery of other SQL`() throws {
        let store = try Office.store()
        let people = try store.sql(for: RecordRequest("Person", sort: [.init("name")]))
        let names = try store.read { db in
            try SQLRequest<String>(
                """
                SELECT name FROM "Company" WHERE _id IN (SELECT company FROM (\(people))) ORDER BY name
                """
            ).fetchAll(db.db)
        }
        #expect(names == ["Bäckerei", "Ärzte"])
    }

    @Test func `rows are sorted by an attribute of a linked row`() throws {
        let store = try Office.store()
        func sorted(_ keys: RecordRequest.SortKey...) throws -> [Int64] {
            try store.read { db in
                try db.fetch(RecordRequest("Person", sort: keys)).map(\.reference.number)
            }
        }
        let people = try store.read { db in
            try db.fetch(RecordRequest("Person", links: .all)).map { person in
                let company = try person.links["company"]?.first
                    .map { try db.record(RecordLocator($0))["seats"] }
                return (person.reference.number, company == .integer(2))
            }
        }
        let others = people.filter { !$0.1 }.map(\.0)
        let employed = people.filter(\.1).map(\.0)
        #expect(try sorted(.init("company.seats")) == others + employed)
        #expect(try sorted(.init("company.seats", .descending)) == employed + others)
        for path in ["team.name", "company", "company.none", "", "company."] {
            let error = #expect(throws: StoreError.self) { try sorted(.init(path)) }
            #expect(error?.code == .unknownAttribute)
        }
    }

    private static let location = TextLocation(offset: 0)

    private static func equal(_ left: PredicateOperand.Content) -> PredicateTree {
        .comparison(
            PredicateComparison(
                quantifier: nil,
                left: PredicateOperand(content: left, location: location),
                operation: .equal,
                folding: [],
                right: PredicateOperand(content: .literal(.number("20")), location: location),
                location: location
            )
        )
    }

    private static func path(_ names: String...) -> PredicateOperand.Content {
        let names = names.map { PredicatePath.Name(text: $0, location: location) }
        return .path(PredicatePath(names: names, isCounted: false))
    }

    private static func nested(
        _ depth: Int,
        _ wrap: (PredicateTree) -> PredicateTree
    )
        -> PredicateTree
    {
        (0..<depth).reduce(equal(path("age"))) { tree, _ in wrap(tree) }
    }

    @Test func `limits hold for trees that are built by code`() throws {
        let store = try Office.store()
        let age = Self.equal(Self.path("age"))
        let trees: [(PredicateTree, String)] = [
            (.any(Array(repeating: age, count: 10_001)), "more than 10000 comparisons"),
            (Self.nested(17) { .all([age, $0]) }, "nested more than 16 times"),
            (Self.nested(101) { .not($0) }, "nested deeper than 100 levels"),
            (
                .comparison(
                    PredicateComparison(
                        quantifier: nil,
                        left: PredicateOperand(
                            content: .path(
                                PredicatePath(
                                    names: Array(
                                        repeating: .init(text: "boss", location: Self.location),
                                        count: 17
                                    ),
                                    isCounted: true
                                )
                            ),
                            location: Self.location
                        ),
                        operation: .equal,
                        folding: [],
                        right: PredicateOperand(
                            content: .literal(.null),
                            location: Self.location
                        ),
                        location: Self.location
                    )
                ), "more than 16 names"
            ),
        ]
        for (tree, message) in trees {
            let text = try fault(store.found("Person", RecordPredicate(tree)))
            #expect(text.contains(message), "\(text)")
        }
        #expect(try store.found("Person", RecordPredicate(Self.nested(100) { .not($0) })) == [2])
    }
}
