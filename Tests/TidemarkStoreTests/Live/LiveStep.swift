import GRDB
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// A random transaction.
struct LiveStep: CustomStringConvertible {
    let seed: UInt64

    /// Whether no snapshot is read after the transaction.
    let isSkipped: Bool

    init(_ seed: UInt64) {
        self.seed = seed
        var chance = Chance(seed: seed, for: "skip")
        isSkipped = chance.happens(25)
    }

    var description: String { "\(seed)" }

    func run(_ store: Store, _ other: DatabaseQueue) throws {
        var chance = Chance(seed: seed, for: "step")
        let count = chance.number(1...3)
        switch chance.number(0...9) {
        case 0...4:
            try store.write { writer in
                for _ in 0..<count { try Self.write(writer, &chance) }
            }
        case 5...6:
            try store.writer.write { db in
                for _ in 0..<count { try Self.execute(db, &chance) }
            }
        case 7:
            // A savepoint is rolled back, and the rest is committed.
            try store.writer.write { db in
                try Self.execute(db, &chance)
                try db.inSavepoint {
                    try Self.execute(db, &chance)
                    return .rollback
                }
            }
        case 8:
            try store.writer.write { db in
                try store.write(in: db) { writer in try Self.write(writer, &chance) }
                try Self.execute(db, &chance)
            }
        default:
            try other.write { db in
                for _ in 0..<count { try Self.execute(db, &chance) }
            }
        }
    }

    private static func row<Record>(
        _ reader: StoreReader,
        _ chance: inout Chance,
        _ request: EntityRequest<Record>
    ) throws -> RowID<Record>? {
        let rows = try reader.rowIDs(request)
        return rows.isEmpty ? nil : chance.pick(rows)
    }

    private static let texts = ["a", "b", "A", "é", ""]

    private static func write(_ writer: StoreWriter, _ chance: inout Chance) throws {
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

    /// Runs a statement in SQL.
    private static func execute(_ db: Database, _ chance: inout Chance) throws {
        let text = chance.pick(texts)
        let number = chance.number(1...8)
        let statements: [(String, StatementArguments)] = [
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
        ]
        let (sql, arguments) = chance.pick(statements)
        try db.execute(sql: sql, arguments: arguments)
    }
}
