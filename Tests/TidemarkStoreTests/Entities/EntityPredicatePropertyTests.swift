import Foundation
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Random typed predicates, compared with Swift closures that do the same.
struct EntityPredicatePropertyTests {
    @Test func `random typed predicates find the same rows as closures`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var chance = TypedChance(generator: SeededGenerator(seed: seed))
        let store = try Store.validated(model: Studio.model)
        try chance.fill(store)
        let people = try store.fetch(Self.loaded(4))
        for _ in 0..<1_000 {
            let judged = chance.condition(depth: 3)
            let request = Person.filter { judged.predicate([$0]) }
            let found = try store.fetch(request).map(\.rowID)
            let expected = people.filter { judged.holds([$0]) }.map(\.rowID)
            let predicate = try #require(request.record.predicate)
            #expect(found == expected, "seed \(seed): \(predicate)")
            #expect(try RecordPredicate(predicate.description) == predicate, "seed \(seed)")
        }
    }

    /// People with all that conditions on them refer to.
    private static func loaded(_ depth: Int) -> EntityRequest<Person> {
        let people = Person.including(\.notes).including(\.company) { $0.including(\.parent) }
            .including(\.boss)
        return depth == 0 ? people : people.including(\.team) { _ in loaded(depth - 1) }
    }
}

/// A condition as a predicate, and as a closure.
///
/// Both take the person that the request selects, and those of the `contains` around the condition.
private struct Judged {
    let predicate: ([Person.Properties]) -> RecordPredicate
    let holds: ([Person]) -> Bool
}

extension Array {
    /// What the condition is about.
    fileprivate var own: Element { self[count - 1] }

    /// What the whole predicate is about.
    fileprivate var outer: Element { self[0] }
}

private struct TypedChance {
    var generator: SeededGenerator

    private mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &generator)
    }

    private mutating func pick<T>(_ list: [T]) -> T { list[number(0...list.count - 1)] }

    private mutating func text() -> String {
        (0..<number(0...2)).map { _ in pick(["a", "b", "é"]) }.joined()
    }

    mutating func fill(_ store: Store) throws {
        for code in ["A", "B", "C"] {
            let parent = code == "A" ? [:] : ["parent": ["Company:A"]]
            try store.insert(
                "Company",
                ["code": .string(code), "name": .string(text())],
                links: parent
            )
        }
        for id in 1...12 {
            var links: [String: [String]] = [:]
            if number(0...3) > 0 { links["company"] = ["Company:\(pick(["A", "B", "C"]))"] }
            if id > 1, number(0...3) > 0 { links["boss"] = ["Person:\(number(1...id - 1))"] }
            try store.insert(
                "Person",
                [
                    "id": .integer(Int64(id)), "name": .string(text()),
                    "age": number(0...3) == 0 ? .null : .integer(Int64(number(0...4))),
                    "pay": number(0...3) == 0
                        ? .null : .decimal(pick(["-1", "0", "2", "10", "2.5"])),
                    "isActive": .boolean(number(0...1) == 0),
                    "status": .string(pick(["active", "away"])),
                ],
                links: links
            )
            for _ in 0..<number(0...3) {
                try store.insert(
                    "Note",
                    ["text": .string(text()), "isDone": .boolean(number(0...1) == 0)],
                    links: ["person": ["Person:\(id)"]]
                )
            }
        }
    }

    mutating func condition(depth: Int) -> Judged {
        guard depth > 0, number(0...2) > 0 else { return pick([age(), value(), linked()]) }
        switch number(0...4) {
        case 0:
            let (left, right) = (condition(depth: depth - 1), condition(depth: depth - 1))
            return Judged {
                left.predicate($0) && right.predicate($0)
            } holds: {
                left.holds($0) && right.holds($0)
            }
        case 1:
            let (left, right) = (condition(depth: depth - 1), condition(depth: depth - 1))
            return Judged {
                left.predicate($0) || right.predicate($0)
            } holds: {
                left.holds($0) || right.holds($0)
            }
        case 2:
            let part = condition(depth: depth - 1)
            return Judged {
                !part.predicate($0)
            } holds: {
                !part.holds($0)
            }
        case 3:
            let part = condition(depth: depth - 1)
            return Judged { people in
                people.own.team.contains { part.predicate(people + [$0]) }
            } holds: { people in
                people.own.team.values?.contains { part.holds(people + [$0]) } == true
            }
        default:
            let part = condition(depth: depth - 1)
            return Judged { people in
                people.own.team.allSatisfy { part.predicate(people + [$0]) }
            } holds: { people in
                people.own.team.values?.allSatisfy { part.holds(people + [$0]) }
                    == true
            }
        }
    }

    private mutating func age() -> Judged {
        let age = number(0...4)
        switch number(0...5) {
        case 0:
            return Judged {
                $0.own.age < age
            } holds: {
                $0.own.age.map { $0 < age } ?? false
            }
        case 1:
            return Judged {
                $0.own.age >= $0.outer.age
            } holds: { people in
                guard let own = people.own.age, let other = people.outer.age else {
                    return false
                }
                return own >= other
            }
        case 2:
            return Judged {
                $0.own.age == $0.outer.age
            } holds: {
                $0.own.age == $0.outer.age
            }
        case 3:
            return Judged {
                $0.own.age == nil
            } holds: {
                $0.own.age == nil
            }
        case 4:
            return Judged {
                $0.own.age.isIn([age, 1])
            } holds: {
                $0.own.age.map { [age, 1].contains($0) } ?? false
            }
        default:
            return Judged {
                $0.own.age.isIn(1...3)
            } holds: {
                $0.own.age.map { (1...3).contains($0) } ?? false
            }
        }
    }

    private mutating func value() -> Judged {
        let (name, pay) = (text(), Decimal(number(-1...3)))
        switch number(0...5) {
        case 0:
            return Judged {
                $0.own.pay > pay
            } holds: {
                $0.own.pay.map { $0 > pay } ?? false
            }
        case 1:
            return Judged {
                $0.own.pay != pay
            } holds: {
                $0.own.pay != pay
            }
        case 2:
            return Judged {
                $0.own.name.contains(name)
            } holds: {
                name.isEmpty || $0.own.name.contains(name)
            }
        case 3:
            return Judged {
                $0.own.name.hasPrefix(name)
            } holds: {
                name.isEmpty || $0.own.name.hasPrefix(name)
            }
        case 4:
            return Judged {
                !$0.own.isActive
            } holds: {
                !$0.own.isActive
            }
        default:
            return Judged {
                $0.own.status == .away
            } holds: {
                $0.own.status == .away
            }
        }
    }

    private mutating func linked() -> Judged {
        let (count, name) = (number(0...2), text())
        switch number(0...8) {
        case 0:
            return Judged {
                $0.own.company == nil
            } holds: {
                $0.own.company.rowID == nil
            }
        case 1:
            return Judged {
                $0.own.company.name == name
            } holds: {
                $0.own.company.value?.name == name
            }
        case 2:
            return Judged {
                $0.own.company.parent.name != name
            } holds: {
                $0.own.company.value?.parent.value?.name != name
            }
        case 3:
            return Judged {
                $0.own.boss.rowID == RowID(1)
            } holds: {
                $0.own.boss.rowID == RowID(1)
            }
        case 4:
            return Judged {
                $0.own.boss.age < $0.outer.age
            } holds: { people in
                guard let boss = people.own.boss.value?.age, let own = people.outer.age
                else {
                    return false
                }
                return boss < own
            }
        case 5:
            return Judged {
                $0.own.notes.count > count
            } holds: {
                ($0.own.notes.count ?? 0) > count
            }
        case 6:
            return Judged {
                $0.own.notes.isEmpty
            } holds: {
                $0.own.notes.count == 0
            }
        case 7:
            return Judged { people in
                people.own.notes.contains { !$0.isDone && $0.text == people.outer.name }
            } holds: { people in
                people.own.notes.values?
                    .contains { !$0.isDone && $0.text == people.outer.name } == true
            }
        default:
            return Judged {
                $0.own.notes.allSatisfy(\.isDone)
            } holds: {
                $0.own.notes.values?.allSatisfy(\.isDone) == true
            }
        }
    }
}
