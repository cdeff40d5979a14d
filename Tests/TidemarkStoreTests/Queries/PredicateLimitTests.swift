import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Untrusted predicates: they neither crash nor hang, and reach SQLite only as bound values.
struct PredicateLimitTests {
    private static let excessive: [(String, String)] = [
        (repeated("(", 100_000) + "age = 1", "nested deeper than 100 levels"),
        (repeated("NOT ", 50_000) + "age = 1", "nested deeper than 100 levels"),
        (repeated("!", 100_000), "nested deeper than 100 levels"),
        ("name = '" + repeated("x", 1 << 20) + "'", "longer than 262144 bytes"),
        (repeated("é", 1 << 19), "longer than 262144 bytes"),
        ("age IN {" + repeated("1,", 10_001) + "1}", "more than 10000 comparisons and elements"),
        (repeated("age=1 OR ", 10_001) + "age=1", "more than 10000 comparisons and elements"),
        (repeated("boss.", 16) + "age = 1", "more than 16 names"),
        (repeated("a.", 100_000) + "b = 1", "more than 16 names"),
        (
            repeated("a=1 AND (b=2 OR (", 9) + "c=3" + repeated("))", 9),
            "nested more than 16 times"
        ),
        (
            repeated("SUBQUERY(team, $x, ", 6) + "age = 1" + repeated(").@count > 0", 6),
            "nested more than 16 times"
        ),
        (repeated("SUBQUERY(team, $x, ", 10_000), "nested deeper than 100 levels"),
        (repeated("{", 200_000), "A list cannot hold lists"),
        (repeated("a IN (", 40_000), "A comma or the end of the list is expected here, not IN"),
        ("a IN " + repeated("(", 40_000), "A list cannot hold lists"),
    ]

    private static func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    // Not parameterized: the test report would contain a megabyte of arguments.
    @Test func `rejects texts that are too long, too deep or too large`() throws {
        for (format, message) in Self.excessive {
            let text = try fault(RecordPredicate(format))
            #expect(text.contains(message), "\(text)")
        }
    }

    @Test func `SQLite accepts every predicate within the limits`() throws {
        let store = try Office.store()
        let many = (1...10_000).map { "age = \($0)" }.joined(separator: " OR ")
        #expect(try store.found("Person", many) == [1, 2, 3])
        #expect(try store.found("Person", "NOT (\(many))") == [4, 5])
        let list = (1...9_999).map(String.init).joined(separator: ",")
        #expect(try store.found("Person", "age IN {\(list)}") == [1, 2, 3])
        #expect(try store.found("Person", "company IN {\(list)}") == [1, 2, 3])
        let atom = "ANY \(Self.repeated("boss.", 14))team.name CONTAINS[cd] boss.boss.boss.name"
        let levels = "age = 1 AND (age = 2 OR ("
        let nested =
            Self.repeated(levels, 7) + "age = 3 AND (\(atom) OR age = 5)"
            + Self.repeated("))", 7)
        #expect(try store.found("Person", nested).isEmpty)
        #expect(try store.found("Person", "NOT (\(nested))") == [1, 2, 3, 4, 5])
        let subqueries =
            Self.repeated("SUBQUERY(team, $x, NOT ", 5) + "(age = 3 OR \(atom))"
            + Self.repeated(").@count < age", 5)
        #expect(try store.found("Person", subqueries) == [1, 2, 3])
        let parentheses = Self.repeated("(", 100) + "age = 20" + Self.repeated(")", 100)
        #expect(try store.found("Person", parentheses) == [2])
    }

    @Test(arguments: [
        "'; DROP TABLE Person; --", "' OR '1'='1", "\" OR 1=1 --", "\u{0}", "%", "?", "?1", ":name",
        "x' UNION SELECT 1 --", "]", "`", "\\", "\\'", "\\\"",
    ])
    func `a value is never part of the SQL text`(_ text: String) throws {
        let store = try Office.store()
        for format in [
            "name = %@", "name CONTAINS[cd] %@", "name LIKE[c] %@", "ANY team.name = %@",
        ] {
            let predicate = try RecordPredicate(format, .string(text))
            let (sql, arguments): (String, String)
            do {
                let request = RecordRequest("Person", where: predicate)
                (sql, arguments) = try store.read { db in
                    let statement = try store.sql(for: request).makePreparedRequest(db.db).statement
                    return (statement.sql, "\(statement.arguments)")
                }
            } catch let error as RecordPredicateError {
                #expect(text == "\u{0}", "\(error)")
                continue
            }
            // A text among the values.
            #expect(arguments.contains("\""))
            #expect(!sql.contains("'"))
            _ = try store.found("Person", predicate)
        }
        for format in ["\(text) = 1", "name.\(text) = 'x'", "%K = 1"] {
            #expect(throws: RecordPredicateError.self) {
                try store.found("Person", RecordPredicate(format, arguments: [.string(text)]))
            }
        }
        try expect(store.read { try "\($0.count("Person"))" }, is: "5")
    }

    @Test func `random texts are rejected, or parse to a predicate that round-trips`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let tokens = [
            "a", "b.c", "in", "AND", "OR", "NOT", "!", "(", ")", "{", "}", ",", "=", "<", "IN",
            "BETWEEN", "ANY", "NONE", "LIKE", "[c]", "'x'", "\"", "'", "\\", "1", "-1.5e3", "%@",
            "$x", "#", ".", "@count", "SELF", "NULL", "TRUEPREDICATE", "CAST(", "now()", "\u{301}",
        ]
        var readable = 0
        for round in 0..<2_000 {
            let text: String
            if round.isMultiple(of: 4) {
                let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                text = String(decoding: bytes, as: UTF8.self)
            } else {
                let count = Int.random(in: 1...9, using: &generator)
                text = (0..<count).compactMap { _ in tokens.randomElement(using: &generator) }
                    .joined(separator: Bool.random(using: &generator) ? " " : "")
            }
            do {
                let predicate = try RecordPredicate(text, names: ["x": "y"])
                let again = try RecordPredicate(predicate.description)
                #expect(again == predicate, "seed \(seed): \(text)")
                readable += 1
            } catch {
                #expect(error.character <= text.count + 1, "seed \(seed): \(text)")
                #expect(error.excerpt.last == "^", "seed \(seed): \(text)")
            }
        }
        #expect(readable > 0, "seed \(seed)")
    }
}
