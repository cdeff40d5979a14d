import GRDB
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Requests of people, with all kinds of links and sorts.
enum PeopleOfStudio: LiveWorld {
    static func model(_ chance: inout Chance) -> Model { Studio.model.varied(&chance) }

    static func fill(_ store: Store) throws { try Studio.fill(store) }

    // MARK: Requests

    static func request(_ chance: inout Chance) -> LiveRequest<Person> {
        var request = LiveRequest<Person>()
        request.apply(filters, &chance)
        for _ in 0..<chance.number(0...2) {
            request.apply(sorts(chance.happens(50) ? .ascending : .descending), &chance)
        }
        for _ in 0..<chance.number(0...2) { request.apply(inclusions, &chance) }
        switch chance.number(0...9) {
        case 0...1:
            let title: @Sendable (Int?) -> String = { $0.map { "\($0 / 10)" } ?? "none" }
            request.divide("age") {
                title($0.age)
            } change: {
                $0.sections(by: \.age, as: title)
            }
        case 2: request.limit(2, offset: 1)
        case 3...4: request.window = 1..<3
        default: break
        }
        return request
    }

    private static var filters: [LiveRequest<Person>.Choice] {
        [
            ("all", { $0 }), ("all", { $0 }),
            ("age", { $0.filter { $0.age > 20 } }),
            ("active", { $0.filter { $0.isActive == true } }),
            ("company", { $0.filter { $0.company.name == "a" } }),
            ("no company", { $0.filter { $0.company == nil } }),
            ("company row", { $0.filter { $0.company == RowID(1) } }),
            ("notes", { $0.filter { $0.notes.contains { $0.text == "a" && !$0.isDone } } }),
            ("no notes", { $0.filter { $0.notes.isEmpty } }),
            ("note count", { $0.filter { $0.notes.count > 1 } }),
            ("teams", { $0.filter { $0.teams.count > 0 } }),
            ("boss", { $0.filter { $0.boss.name.hasPrefix("a") } }),
            ("badge", { $0.filter { $0.badge.number > 3 } }),
            ("team", { $0.filter { $0.team.contains { $0.age > 20 } } }),
            (
                "nested",
                { $0.filter { $0.company.people.contains { $0.notes.contains { $0.isDone } } } }
            ),
            ("outer", { $0.filter { person in person.notes.contains { $0.text == person.name } } }),
            ("sql", { $0.filter { _ in RecordPredicate.sql("length(name) > ?", 0) } }),
        ]
    }

    private static func sorts(_ direction: SortDirection) -> [LiveRequest<Person>.Choice] {
        [
            ("by name \(direction)", { $0.sorted(by: \.name, direction) }),
            (
                "by folded \(direction)",
                { $0.sorted(by: \.name, direction, folding: .caseInsensitive) }
            ),
            ("by age \(direction)", { $0.sorted(by: \.age, direction) }),
            ("by pay \(direction)", { $0.sorted(by: \.pay, direction) }),
            ("by height \(direction)", { $0.sorted(by: \.height, direction) }),
            ("by company \(direction)", { $0.sorted(by: \.company.name, direction) }),
            ("by badge \(direction)", { $0.sorted(by: \.badge.number, direction) }),
            ("by notes \(direction)", { $0.sorted(by: \.notes.count, direction) }),
        ]
    }

    private static var inclusions: [LiveRequest<Person>.Choice] {
        [
            ("with notes", { $0.including(\.notes) }),
            ("with open notes", { $0.including(\.notes) { $0.filter { !$0.isDone }.limit(2) } }),
            ("with company", { $0.including(\.company) { $0.including(\.parent) } }),
            ("with boss", { $0.including(\.boss) { $0.counting(\.team) } }),
            ("with teams", { $0.including(\.teams) { $0.sorted(by: \.name) } }),
            ("with team", { $0.including(\.team) { $0.including(\.notes) } }),
            ("with count", { $0.counting(\.notes) }), ("with members", { $0.counting(\.teams) }),
            ("with badge", { $0.including(\.badge) }),
        ]
    }

    // MARK: Changes

    private static func row<Record>(
        _ reader: StoreReader,
        _ chance: inout Chance,
        _ request: EntityRequest<Record>
    ) throws -> RowID<Record>? {
        let rows = try reader.rowIDs(request)
        return rows.isEmpty ? nil : chance.pick(rows)
    }

    private static let texts = ["a", "b", "A", "é", ""]

    static func write(_ writer: StoreWriter, _ chance: inout Chance) throws {
        let person = try row(writer, &chance, Person.all)
        let note = try row(writer, &chance, Note.all)
        let company = try row(writer, &chance, Company.all)
        let team = try row(writer, &chance, Team.all)
        switch chance.number(0...13) {
        case 0...1:
            var new = Person(chance.pick(texts))
            new.age = chance.happens(30) ? nil : chance.number(10...50)
            new.company = One(chance.happens(50) ? company : nil)
            new.boss = One(chance.happens(50) ? person : nil)
            try writer.insert(new)
        case 2...3:
            guard let person else { return }
            try writer.update(person) { record in
                record.name = chance.pick(texts)
                if chance.happens(50) { record.age = chance.number(10...50) }
                if chance.happens(30) { record.company = One(company) }
                if chance.happens(20) { record.isActive.toggle() }
            }
        case 4: if let person, chance.happens(60) { try writer.delete(person) }
        case 5: try writer.insert(Note(chance.pick(texts), person: One(person)))
        case 6:
            guard let note else { return }
            try writer.update(note) { record in
                record.text = chance.pick(texts)
                record.person = One(chance.happens(30) ? nil : person)
                record.isDone = chance.happens(50)
            }
        case 7: if let note { try writer.delete(note) }
        case 8:
            guard let person else { return }
            let notes = try writer.rowIDs(Note.all)
            try writer.setLinks(\.notes, of: person, to: chance.shuffled(notes).suffix(2))
        case 9:
            guard let person, let team else { return }
            if chance.happens(50) {
                try writer.link(\.teams, of: person, to: team)
            } else {
                try writer.unlink(\.teams, of: person, from: team)
            }
        case 10: if let company { try writer.update(company) { $0.name = chance.pick(texts) } }
        case 11:
            let age = chance.number(10...50)
            try writer.update(Person.filter { $0.age < 30 }) { $0.set(\.age, to: age) }
        case 12:
            if let person, let badge = try row(writer, &chance, Badge.all) {
                try writer.update(badge) { $0.owner = One(person) }
            }
        default: try writer.delete(Note.filter { $0.isDone })
        }
    }

    static func statement(_ chance: inout Chance) -> (String, StatementArguments) {
        let text = chance.pick(texts)
        let number = chance.number(1...8)
        return chance.pick([
            ("UPDATE Person SET name = ? WHERE _id = ?", [text, number]),
            ("UPDATE Person SET age = ? WHERE _id % 3 = 1", [number * 5]),
            ("UPDATE Person SET company = NULL WHERE _id = ?", [number]),
            ("UPDATE Person SET pay = ? WHERE _id = ?", ["\(number).5", number]),
            ("UPDATE Note SET text = ? WHERE _id = ?", [text, number]),
            ("UPDATE Note SET person = (SELECT max(_id) FROM Person) WHERE _id = ?", [number]),
            ("DELETE FROM Note WHERE _id = ?", [number]),
            ("DELETE FROM Person WHERE _id = ?", [number]),
            ("UPDATE Company SET name = ? WHERE _id = 1", [text]),
            (
                "INSERT OR REPLACE INTO Company (code, name) VALUES (?, ?)",
                [chance.pick(["A", "B", "C"]), text]
            ),
            (
                "INSERT OR REPLACE INTO Badge (number, owner) SELECT ?, max(_id) FROM Person",
                [number]
            ),
            ("DELETE FROM _tidemark_Person_teams WHERE owner = ?", [number]),
            (
                "INSERT OR IGNORE INTO _tidemark_Person_teams (owner, member) "
                    + "SELECT min(_id), (SELECT max(_id) FROM Team) FROM Person", []
            ),
            ("INSERT INTO Person (name, age, isActive) VALUES (?, ?, 1)", [text, number]),
        ])
    }

    /// People with the objects that are nested in them.
    static func document(_ chance: inout Chance) -> (entity: String, text: String) {
        let people = (0..<chance.number(1...3)).map { _ in
            let notes = (0..<chance.number(0...2)).map { _ in
                #"{"text": "\#(chance.pick(texts))", "is_done": \#(chance.happens(50))}"#
            }
            let parts = [
                #""id": \#(chance.number(1...6))"#, #""name": "\#(chance.pick(texts))""#,
                #""age": \#(chance.number(10...50))"#,
                #""company": {"code": "\#(chance.pick(["A", "B", "C"]))", "name": "a"}"#,
                #""notes": [\#(notes.joined(separator: ", "))]"#,
                #""boss": {"id": \#(chance.number(1...6))}"#,
            ]
            return "{\(parts.filter { _ in chance.happens(70) }.joined(separator: ", "))}"
        }
        return ("Person", "[\(people.joined(separator: ", "))]")
    }
}
