import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// An import that reads and writes rows together has the same result as one that does not.
struct TogetherTests {
    /// How the rows of an import are found and written.
    private enum Way: CaseIterable {
        /// Together, where that is possible.
        case together
        /// One by one, because of a hook, which may use the connection.
        case hooked
        /// One by one, because of a trigger, which may change any row.
        case triggered
    }

    /// A store into which documents are imported in one way.
    private struct Target {
        let store: Store
        let importer: Importer
        private(set) var reports: [String] = []

        init(_ way: Way) throws {
            store = try Store.of(
                .named(
                    "User",
                    [Attribute("age", .integer32)],
                    .one("boss", "User", inverse: "staff"),
                    .many("staff", "User", inverse: "boss"),
                    .many("notes", "Note", inverse: "user", .cascade),
                    .many("tasks", "Task", inverse: "user", isOrdered: true),
                    .one("team", "Team", inverse: "members")
                ),
                .named("Note", [], .one("user", "User", inverse: "notes")),
                .named("Task", [], .one("user", "User", inverse: "tasks")),
                EntityDescription(
                    "Team",
                    primaryKey: ["code"],
                    attributes: [Attribute("code", .string), Attribute("name", .string)],
                    relationships: [.many("members", "User", inverse: "team")]
                )
            )
            if way == .triggered {
                try store.writer.write { db in
                    try db.execute(
                        sql: """
                            CREATE TABLE journal (line TEXT);
                            CREATE TRIGGER own AFTER DELETE ON User BEGIN
                            INSERT INTO journal VALUES ('deleted'); END
                            """
                    )
                }
            }
            let hooks = ImportHooks(willImport: { _, _, _ in .keep })
            importer = Importer(store, hooks: way == .hooked ? hooks : ImportHooks())
        }

        mutating func load(_ json: String) throws {
            var items = try JSONDocument(Array(json.utf8)).items()
            reports.append(try importer.import(&items, into: "User").text)
        }

        /// The rows with their numbers, the numbers assigned so far, and the reports.
        func result() throws -> String {
            let tables = try store.writer.read { db in
                let numbers = try String.fetchAll(
                    db,
                    sql: "SELECT name || ' ' || seq FROM sqlite_sequence ORDER BY name"
                )
                return try StoreTable(store).text(db) + "\n" + numbers.joined(separator: "\n")
            }
            return tables + "\n" + reports.joined(separator: "\n")
        }
    }

    /// Imports documents in all ways, and expects the same result.
    private func check(_ documents: [String], _ comment: Comment) throws {
        let results = try Way.allCases.map { way in
            var target = try Target(way)
            for document in documents { try target.load(document) }
            return try target.result()
        }
        for result in results.dropFirst() { #expect(result == results[0], comment) }
    }

    // MARK: Random documents

    /// Users with notes, tasks, teams and references to each other.
    private struct Document {
        var users: [Int]
        /// Distinguishes the values of users in different documents.
        var version = 0

        /// Returns the JSON text, in which a percentage of users has values of this version.
        func json(changed: Int, _ numbers: inout SeededGenerator) -> String {
            let items = users.map { user($0, changed: changed, &numbers) }
            return "[\(items.joined(separator: ", "))]"
        }

        private func user(_ id: Int, changed: Int, _ numbers: inout SeededGenerator) -> String {
            let age = Int.random(in: 0..<100, using: &numbers) < changed ? version : 0
            var members = [#""id": \#(id)"#, #""name": "user \#(id)""#, #""age": \#(age)"#]
            switch Int.random(in: 0..<20, using: &numbers) {
            case 0: members[0] = #""id": null"#
            case 1: members[0] = #""id": "\#(id)""#
            case 2: members[2] = #""age": "unknown""#
            case 3: members.append(#""boss": {"id": \#(id + 1), "name": "boss"}"#)
            case 4: members.append(#""staff": [{"id": \#(id + 2)}, \#(id)]"#)
            case 5...12:
                members.append(#""boss": \#(users.randomElement(using: &numbers) ?? 0)"#)
            default: break
            }
            if Int.random(in: 0..<3, using: &numbers) > 0 {
                let notes = (0..<Int.random(in: 0..<4, using: &numbers)).map {
                    // A few notes move to another user.
                    let owner = Int.random(in: 0..<30, using: &numbers) == 0 ? id + 1 : id
                    return #"{"id": \#(owner * 10 + $0), "name": "\#(age)"}"#
                }
                members.append(#""notes": [\#(notes.joined(separator: ", "))]"#)
            }
            if Int.random(in: 0..<4, using: &numbers) == 0 {
                let tasks = [2, 1, 3].map { #"{"id": \#(id * 10 + $0)}"# }
                members.append(#""tasks": [\#(tasks.joined(separator: ", "))]"#)
            }
            let team = ["a", "A", "ä", "", "b"][abs(id) % 5]
            members.append(#""team": {"code": "\#(team)", "name": "\#(age)"}"#)
            return "{\(members.joined(separator: ", "))}"
        }
    }

    /// The orders of the users in a document.
    enum Order: CaseIterable {
        case ascending
        case descending
        case withGaps
        case shuffled
        case repeated
    }

    private func users(in order: Order, _ numbers: inout SeededGenerator) -> [Int] {
        let ascending = Array(-20..<80)
        switch order {
        case .ascending: return ascending
        case .descending: return ascending.reversed()
        case .withGaps: return ascending.map { $0 * 1_000_000_007 }
        case .shuffled: return ascending.shuffled(using: &numbers)
        case .repeated: return ascending.flatMap { [$0, $0 % 7 == 0 ? $0 / 7 : $0 + 1] }
        }
    }

    @Test(arguments: Order.allCases, 0..<8)
    func `random documents have the same result`(order: Order, seed: Int) throws {
        var numbers = SeededGenerator(seed: UInt64(seed))
        var document = Document(users: users(in: order, &numbers))
        var documents = [document.json(changed: 0, &numbers)]
        // The same numbers again: only what is meant to change does.
        for (version, changed) in [0, 1, 20, 100].enumerated() {
            var numbers = SeededGenerator(seed: UInt64(seed))
            document.version = version + 1
            if seed % 2 == 1 {
                document.users.removeAll { ($0 + version) % 9 == 0 }
                document.users.insert(contentsOf: [1_000 + version], at: 10)
                document.users += (200 + version * 20)..<(220 + version * 20)
            }
            documents.append(document.json(changed: changed, &numbers))
        }
        try check(documents, "\(order), seed \(seed)")
    }

    // MARK: Cases

    /// Returns users with consecutive keys.
    private func plain(_ ids: some Sequence<Int>, name: String = "a") -> [String] {
        ids.map { #"{"id": \#($0), "name": "\#(name)"}"# }
    }

    private func array(_ items: [String]) -> String { "[\(items.joined(separator: ", "))]" }

    @Test func `an object is found that was inserted shortly before`() throws {
        let again = #"{"id": 50, "name": "b", "boss": 49, "staff": [48, 50, 51]}"#
        try check([array(plain(0...50) + [again] + plain(51...90))], "the previous object")
    }

    @Test func `a row is not inserted together with others if an app's index forbids it`() throws {
        var results: [String] = []
        for way in [Way.together, .hooked] {
            var target = try Target(way)
            try target.store.writer.write { db in
                try db.execute(sql: "CREATE UNIQUE INDEX own ON User (name) WHERE name = 'b'")
            }
            try target.load(array(plain(0...40) + plain(41...43, name: "b") + plain(44...60)))
            results.append(try target.result())
        }
        #expect(results[0] == results[1])
        #expect(results[0].contains("User +59 !2"))
    }

    @Test func `a trigger's error rejects only its own row`() throws {
        var target = try Target(.together)
        try target.store.writer.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER own BEFORE INSERT ON User WHEN NEW.id = 30 BEGIN
                    SELECT RAISE(ABORT, 'not 30'); END
                    """
            )
        }
        try target.load(array(plain(0...60)))
        #expect(target.reports[0].hasPrefix("User +60 !1"))
    }

    @Test func `long values are stored`() throws {
        let long = String(repeating: "x", count: 40_000)
        try check([array(plain(0...20) + plain(21...22, name: long) + plain(23...60))], "long")
    }

    @Test func `the largest row number ends the table, not the import`() throws {
        let results = try [Way.together, .hooked].map { way in
            let target = try Target(way)
            try target.store.writer.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO User (_id) VALUES (1); DELETE FROM User;
                        UPDATE sqlite_sequence SET seq = \(Int64.max - 30)
                        """
                )
            }
            var items = try JSONDocument(Array(array(plain(0...60)).utf8)).items()
            do {
                return try target.importer.import(&items, into: "User").text
            } catch let error as DatabaseError {
                return "\(error.resultCode)"
            }
        }
        #expect(results[0] == results[1])
    }

    /// An open statement would keep the log from being checkpointed.
    @Test func `no statement is open after an import`() throws {
        let folder = try Folder()
        let store = try Store.open(
            at: folder.filePath("store.sqlite"),
            model: Model(entities: [.named("User")])
        )
        for _ in 0..<2 { try store.load("User", array(plain(0...60))) }
        let busy = try store.writer.writeWithoutTransaction { db in
            try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        #expect(busy == 0)
    }
}
