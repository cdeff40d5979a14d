import Foundation
import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkStore

/// Typed requests: the SQL that they become, and the rows that they find.
struct EntityQueryTests {
    /// The condition of a request as SQL with its values, and the row numbers that it finds.
    private func expect(
        _ request: EntityRequest<Person>,
        is condition: String,
        finds rows: [Int64],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let store = try Studio.store()
        let sql = try RequestSQL(request.record, in: store.layout)
        let values = sql.condition.arguments.map { "\($0.databaseValue)" }
        let text = sql.condition.text.replacing("\"", with: "")
        TidemarkTestSupport.expect(
            "\(text) [\(values.joined(separator: ", "))]",
            is: condition,
            sourceLocation: sourceLocation
        )
        let found = try store.fetch(request).map(\.rowID.number)
        #expect(found == rows, sourceLocation: sourceLocation)
        // What is compiled from code is compiled from its text, too.
        if let predicate = request.record.predicate {
            let parsed = try RecordPredicate(predicate.description)
            #expect(parsed == predicate, sourceLocation: sourceLocation)
        }
    }

    @Test func `compares attributes`() throws {
        try expect(
            Person.filter { $0.name == "Ada" },
            is: """
                _0.name IS ? ["Ada"]
                """,
            finds: [1]
        )
        try expect(Person.filter { $0.age == nil }, is: "_0.age IS ? [NULL]", finds: [4])
        try expect(
            Person.filter { $0.age != 36 },
            is: "_0.age IS NOT ? [36]",
            finds: [2, 4]
        )
        try expect(
            Person.filter { $0.age > 18 && $0.age <= 20 },
            is: "(_0.age > ? AND _0.age <= ?) [18, 20]",
            finds: [2]
        )
        try expect(
            Person.filter { $0.age.isIn([20, 21]) },
            is: "_0.age IN (?, ?) [20, 21]",
            finds: [2]
        )
        try expect(
            Person.filter { $0.age.isIn(30...40) },
            is: "_0.age BETWEEN ? AND ? [30, 40]",
            finds: [1, 3]
        )
        try expect(
            Person.filter { $0.status == .away },
            is: """
                _0.status IS ? ["away"]
                """,
            finds: [1]
        )
        try expect(
            Person.filter { $0.status.isIn([.active, .away]) },
            is: """
                _0.status IN (?, ?) ["active", "away"]
                """,
            finds: [1, 2, 3, 4]
        )
        try expect(
            Person.filter { $0.pay > 10 },
            is: """
                _0.pay COLLATE tidemark_decimal > ? ["10"]
                """,
            finds: [1]
        )
        try expect(
            Person.filter { $0.bornAt <= Date(timeIntervalSince1970: 0) },
            is: "_0.bornAt <= ? [0.0]",
            finds: [1]
        )
        try expect(
            Person.filter { $0.address != nil },
            is: "_0.address IS NOT ? [NULL]",
            finds: [1]
        )
    }

    @Test func `combines predicates and Boolean attributes`() throws {
        try expect(
            Person.filter(\.isActive),
            is: "_0.isActive IS ? [1]",
            finds: [1, 3, 4]
        )
        try expect(
            Person.filter { !$0.isActive },
            is: "_0.isActive IS NOT ? [1]",
            finds: [2]
        )
        try expect(
            Person.filter { $0.isActive && $0.age == nil },
            is: "(_0.isActive IS ? AND _0.age IS ?) [1, NULL]",
            finds: [4]
        )
        try expect(
            Person.filter { !($0.isActive || $0.name == "ben") },
            is: """
                (_0.isActive IS NOT ? AND _0.name IS NOT ?) [1, "ben"]
                """,
            finds: []
        )
    }

    @Test func `compares texts`() throws {
        try expect(
            Person.filter { $0.name.contains("m") },
            is: """
                instr(_0.name, ?) > 0 ["m"]
                """,
            finds: [3]
        )
        try expect(
            Person.filter {
                $0.name.hasPrefix("e", folding: [.caseInsensitive, .diacriticInsensitive])
            },
            is: """
                substr(tidemark_fold(_0.name, ?), 1, 1) = ? [3, "e"]
                """,
            finds: [3]
        )
        try expect(
            Person.filter { $0.name.hasPrefix("A") },
            is: """
                (_0.name >= ? AND _0.name < ?) ["A", "B"]
                """,
            finds: [1]
        )
        try expect(
            Person.filter { $0.name.hasSuffix("a") },
            is: """
                substr(_0.name, -1) = ? ["a"]
                """,
            finds: [1]
        )
        try expect(
            Person.filter { $0.name.like("?da") },
            is: """
                tidemark_matches(_0.name, ?, ?, ?) ["?da", 0, 0]
                """,
            finds: [1]
        )
        try expect(
            Person.filter { $0.name.matches("[A-Z]..") },
            is: """
                tidemark_matches(_0.name, ?, ?, ?) ["[A-Z]..", 1, 0]
                """,
            finds: [1, 4]
        )
        try expect(
            Person.filter { $0.name.isEqual(to: "BEN", folding: .caseInsensitive) },
            is: """
                tidemark_fold(_0.name, ?) IS ? [1, "ben"]
                """,
            finds: [2]
        )
    }

    @Test func `follows relationships`() throws {
        try expect(
            Person.filter { $0.company == nil },
            is: "_0.company IS ? [NULL]",
            finds: [3]
        )
        try expect(
            Person.filter { $0.company.code == "A" },
            is: """
                _0.company IN (SELECT _1._id FROM Company AS _1 WHERE _1.code IS ?) ["A"]
                """,
            finds: [1, 4]
        )
        try expect(
            Person.filter { $0.company.parent.name == "Acme" },
            is: """
                _0.company IN (SELECT _1._id FROM Company AS _1, Company AS _2 WHERE _2._id \
                = _1.parent AND _2.name IS ?) ["Acme"]
                """,
            finds: [2]
        )
        try expect(
            Person.filter { $0.boss == RowID(1) },
            is: "_0.boss = ? [1]",
            finds: [2, 3]
        )
        try expect(
            Person.filter { $0.rowID.isIn([RowID(2), RowID(4)]) },
            is: """
                _0._id IN (SELECT _n._id FROM Person AS _n WHERE _n._id IN (?, ?)) [2, 4]
                """,
            finds: [2, 4]
        )
        try expect(
            Person.filter { $0.badge != nil },
            is: """
                (SELECT _1._id FROM Badge AS _1 WHERE _1.owner = _0._id) IS NOT ? [NULL]
                """,
            finds: [2]
        )
    }

    @Test func `looks at linked rows`() throws {
        try expect(
            Person.filter { $0.notes.isEmpty },
            is: """
                (EXISTS (SELECT 1 FROM Note AS _1 WHERE _1.person = _0._id AND 1)) IS NOT \
                TRUE []
                """,
            finds: [4]
        )
        try expect(
            Person.filter { $0.notes.count > 1 },
            is: """
                (SELECT count(*) FROM Note AS _n WHERE _n.person = _0._id) > ? [1]
                """,
            finds: [1]
        )
        try expect(
            Person.filter { $0.notes.contains(RowID(3)) },
            is: """
                EXISTS (SELECT 1 FROM Note AS _1 WHERE _1.person = _0._id AND _1._id = ?) \
                [3]
                """,
            finds: [2]
        )
        try expect(
            Person.filter { $0.notes.contains { $0.text == "tea" && !$0.isDone } },
            is: """
                EXISTS (SELECT 1 FROM Note AS _1 WHERE _1.person = _0._id AND (_1.text IS ? \
                AND _1.isDone IS NOT ?)) ["tea", 1]
                """,
            finds: [1]
        )
        try expect(
            Person.filter { $0.notes.contains(\.isDone) },
            is: """
                EXISTS (SELECT 1 FROM Note AS _1 WHERE _1.person = _0._id AND _1.isDone IS \
                ?) [1]
                """,
            finds: [1, 3]
        )
        try expect(
            Person.filter { $0.notes.allSatisfy { !$0.isDone } },
            is: """
                (EXISTS (SELECT 1 FROM Note AS _1 WHERE _1.person = _0._id AND _1.isDone IS \
                ?)) IS NOT TRUE [1]
                """,
            finds: [2, 4]
        )
    }

    @Test func `refers to rows outside of a condition`() throws {
        try expect(
            Person.filter { person in person.notes.contains { $0.text == person.name } },
            is: """
                EXISTS (SELECT 1 FROM Note AS _1 WHERE _1.person = _0._id AND _1.text IS \
                _0.name) []
                """,
            finds: [3]
        )
        try expect(
            Person.filter { person in
                person.company.people.contains { colleague in
                    colleague.notes.contains { $0.text == "ink" && colleague.age == person.age }
                }
            },
            is: """
                EXISTS (SELECT 1 FROM Company AS _1, Person AS _2 WHERE _1._id = _0.company \
                AND _2.company = _1._id AND EXISTS (SELECT 1 FROM Note AS _3 WHERE _3.person \
                = _2._id AND (_3.text IS ? AND _2.age IS _0.age))) ["ink"]
                """,
            finds: [1]
        )
        try expect(
            Person.filter { $0.teams.contains { $0.members.contains { $0.name == "ben" } } },
            is: """
                EXISTS (SELECT 1 FROM _tidemark_Person_teams AS _2, Team AS _1 WHERE \
                _2.owner = _0._id AND _1._id = _2.member AND EXISTS (SELECT 1 FROM \
                _tidemark_Person_teams AS _4, Person AS _3 WHERE _4.member = _1._id AND \
                _3._id = _4.owner AND _3.name IS ?)) ["ben"]
                """,
            finds: [1, 2]
        )
    }

    @Test func `the row of a condition cannot be used outside of it`() throws {
        let store = try Studio.store()
        let request = Person.filter { person in
            var outer: Note.Properties?
            let hasTea = person.notes.contains { note in
                outer = note
                return note.text == "tea"
            }
            return outer.map { hasTea && $0.isDone } ?? hasTea
        }
        let error = try #require(throws: RecordPredicateError.self) { try store.fetch(request) }
        #expect(error.description == "The row of a subquery is used outside of its condition.")
        #expect(error.rendering == error.description)
    }
}
