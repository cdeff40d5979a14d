import GRDB
import Testing
import TidemarkStore
import TidemarkTestSupport

@testable import TidemarkModel

/// Random predicates and patterns, compared with reference implementations.
struct PredicatePropertyTests {
    @Test func `random predicates find the same rows as a slow reference evaluator`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var chance = PredicateChance(generator: SeededGenerator(seed: seed))
        for _ in 0..<4 {
            let store = try Store.validated(model: Office.model)
            try chance.fill(store)
            let (people, records) = try store.read { db in
                let people = try db.fetch(RecordRequest("Person", links: .all))
                let others = try ["Company", "Tag", "Badge"].flatMap {
                    try db.fetch(RecordRequest($0, links: .all))
                }
                return (people, SlowRecords(people + others))
            }
            for _ in 0..<250 {
                let slow = chance.predicate(depth: 3)
                let expected = people.filter { slow.holds(for: $0, in: records) }
                    .map(\.reference.number)
                let predicate = try RecordPredicate(slow.text)
                let found = try store.found("Person", predicate)
                #expect(found == expected, "seed \(seed): \(slow.text)")
                #expect(try RecordPredicate(predicate.description) == predicate, "seed \(seed)")
            }
        }
    }

    @Test func `random patterns match the same texts as Swift's own engine`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var chance = PredicateChance(generator: SeededGenerator(seed: seed))
        for _ in 0..<200 {
            let pattern = chance.pattern(depth: 3)
            let own = try TextPattern(pattern, syntax: .regularExpression, folding: [])
            let regex = try Regex(pattern)
            for _ in 0..<6 {
                let text = chance.text(upTo: 6, of: ["a", "b", "c"])
                let isMatch = try regex.wholeMatch(in: text) != nil
                #expect(try own.matches(text) == isMatch, "seed \(seed): \(pattern) \(text)")
            }
        }
    }
}

/// Random rows, predicates and patterns.
struct PredicateChance {
    var generator: SeededGenerator

    private mutating func pick<T>(_ list: [T]) -> T {
        list[Int.random(in: 0..<list.count, using: &generator)]
    }

    private mutating func oneIn(_ share: Int) -> Bool {
        Int.random(in: 0..<share, using: &generator) == 0
    }

    mutating func text(upTo count: Int, of letters: [String]) -> String {
        let count = Int.random(in: 0...count, using: &generator)
        return (0..<count).map { _ in pick(letters) }.joined()
    }

    // MARK: Rows

    mutating func fill(_ store: Store) throws {
        for id in 1...2 {
            try store.insert("Company", ["id": .integer(Int64(id)), "name": value("name").value])
            try store.insert("Tag", ["text": value("name").value])
        }
        for id in 1...8 {
            var values: [String: Value] = ["id": .integer(Int64(id))]
            for name in ["name", "age", "pay", "height", "isActive", "bornAt", "in"] {
                values[name] = value(name).value
            }
            var links: [String: [String]] = [:]
            if !oneIn(3) { links["company"] = [pick(["Company:1", "Company:2"])] }
            if id > 1, !oneIn(3) {
                links["boss"] = ["Person#\(Int.random(in: 1..<id, using: &generator))"]
            }
            links["tags"] = ["Tag#1", "Tag#2"].filter { _ in oneIn(2) }
            links["friends"] = (1...id).filter { _ in oneIn(4) }.map { "Person#\($0)" }
            try store.insert(oneIn(4) ? "Director" : "Person", values, links: links)
            try store.insert(
                "Badge",
                ["store": 1, "number": .string("\(id)")],
                links: oneIn(2) ? ["owner": ["Person#\(id)"]] : [:]
            )
        }
    }

    /// Returns a value for an attribute, and its literal in a predicate.
    private mutating func value(_ name: String) -> (value: Value, literal: String) {
        if oneIn(5) { return (.null, "NULL") }
        switch name {
        case "name", "in", "text", "number":
            let text = text(upTo: 2, of: ["a", "A", "b", "é", "É", "e"])
            return (.string(text), "'\(text)'")
        case "pay":
            let digits = pick(["-3", "0", "2", "2.25", "10", "9.5"])
            return (.decimal(digits), digits)
        case "height":
            let number = pick([-3, 0, 1.5, 2, 3])
            return (.double(number), "\(number)")
        case "isActive": return oneIn(2) ? (.boolean(true), "YES") : (.boolean(false), "0")
        case "bornAt":
            let year = Int.random(in: 0...2, using: &generator)
            return (.date(Double(year) * 31_536_000), "'\(1970 + year)-01-01'")
        default:
            let number = Int64.random(in: -1...4, using: &generator)
            return (.integer(number), "\(number)")
        }
    }

    // MARK: Predicates

    mutating func predicate(depth: Int) -> SlowPredicate {
        guard depth > 0, !oneIn(3) else { return .test(test()) }
        if oneIn(3) { return .subquery(subquery(depth: depth)) }
        let parts = (0..<Int.random(in: 2...3, using: &generator)).map { _ in
            predicate(depth: depth - 1)
        }
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: return .all(parts)
        case 1: return .any(parts)
        default: return .not(parts[0])
        }
    }

    private mutating func subquery(depth: Int) -> SlowPredicate.Subquery {
        SlowPredicate.Subquery(
            collection: pick([["team"], ["friends"], ["company", "people"], ["boss", "team"]]),
            condition: predicate(depth: depth - 1),
            operation: pick(["=", "!=", "<", "<=", ">", ">="]),
            count: pick([0, 0, 1, 1, 2])
        )
    }

    private mutating func test() -> SlowPredicate.Test {
        let people = ["", "boss", "boss.boss", "badge.owner"]
        let collections = [
            "team", "friends", "company.people", "team.friends", "boss.team",
            "friends.friends.boss.team",
        ]
        var quantifier = ""
        var collection = ""
        var prefix = pick(people)
        var attribute = pick(["name", "age", "pay", "height", "isActive", "bornAt", "team.@count"])
        if oneIn(3) {
            quantifier = pick(["ANY", "ALL", "NONE", "some"])
            collection = pick(collections)
            if oneIn(4) { (collection, prefix, attribute) = ("tags", "", "text") }
        } else if oneIn(5) {
            (prefix, attribute) = ("boss.company", "name")
        }
        let path = (prefix.split(separator: ".") + attribute.split(separator: ".")).map(String.init)
        return test(attribute, quantifier, collection.split(separator: ".").map(String.init), path)
    }

    private mutating func test(
        _ attribute: String,
        _ quantifier: String,
        _ collection: [String],
        _ path: [String]
    ) -> SlowPredicate.Test {
        let isText = attribute == "name" || attribute == "text"
        var operations = ["=", "!=", "IN"]
        if attribute != "isActive" { operations += ["<", "<=", ">", ">=", "BETWEEN"] }
        if isText { operations += ["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE"] }
        let operation = pick(operations)
        var sides: [SlowPredicate.Side] = []
        let count = operation == "BETWEEN" ? 2 : operation == "IN" ? pick([0, 1, 3]) : 1
        for _ in 0..<count { sides.append(side(attribute, operation)) }
        return SlowPredicate.Test(
            quantifier: quantifier,
            collection: collection,
            path: path,
            operation: operation,
            folding: isText ? pick(["", "[c]", "[d]", "[cd]"]) : "",
            others: sides
        )
    }

    private mutating func side(_ attribute: String, _ operation: String) -> SlowPredicate.Side {
        if operation == "LIKE" {
            let pattern = text(upTo: 3, of: ["a", "A", "é", "*", "?", "b"])
            return .value(.string(pattern), literal: "'\(pattern)'")
        }
        if oneIn(4) {
            if oneIn(3), attribute != "text" {
                return .outer([attribute == "team.@count" ? "age" : attribute])
            }
            switch attribute {
            case "name", "text": return .path(["boss", "name"])
            case "age", "team.@count", "height": return .path(["age"])
            case "pay": return .path(pick([["age"], ["boss", "pay"]]))
            default: return .path(["boss", attribute])
            }
        }
        let (value, literal) = value(attribute)
        return .value(value, literal: literal)
    }

    // MARK: Patterns

    mutating func pattern(depth: Int) -> String {
        guard depth > 0 else { return pick(["a", "b", ".", "[ab]", "[^a]", "", "(?:)"]) }
        let first = pattern(depth: depth - 1)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return "(\(first)|\(pattern(depth: depth - 1)))"
        case 1: return "(\(first))*"
        case 2: return "(?:\(first))\(pick(["+", "?", "{1,2}", "{2}", "*?"]))"
        case 3: return "^\(first)$"
        default: return first + pattern(depth: depth - 1)
        }
    }
}
