import Foundation
import GRDB
import Synchronization
import Testing
import Tidemark
import TidemarkTestSupport

/// The code of the guide “Reading”, and the SQL that it shows.
@Suite(.timeLimit(.minutes(40)))
struct ReadingTests {
    private let console = GuideConsole()

    private func print(_ items: Any...) { console.write(items) }

    // MARK: Rows

    @Test func `rows are filtered, sorted and limited`() async throws {
        let store = try Guide.store()
        // snippet.filter
        let adults = User.filter { $0.age >= 18 && $0.status == .active }
            .sorted(by: \.name)
            .limit(20)
        let users = try await store.fetch(adults)
        print(users.map(\.name))  // ["Ada"]
        // snippet.end
        #expect(console.lines == [#"["Ada"]"#])
    }

    @Test func `a row is found by its key or its identity`() async throws {
        let store = try Guide.store()
        // snippet.find
        let ada = try await store.fetch(User.self, key: 1)
        let same = try await store.fetch(RowID<User>(1))
        let youngest = try await store.first(User.sorted(by: \.age))
        let count = try await store.count(User.filter { $0.company == nil })
        // snippet.end
        #expect(ada?.name == "Ada" && same == ada)
        #expect(youngest?.name == "Eve")
        #expect(count == 1)
    }

    @Test func `the reads of a transaction see one commit`() async throws {
        let folder = try Folder()
        let path = folder.filePath("users.sqlite")
        let store = try Store.validated(at: path, model: Guide.model)
        try Guide.fill(store)
        let other = try DatabaseQueue(path: path)
        let (users, count) = try await store.read { reader in
            let users = try reader.fetch(User.sorted(by: \.name).limit(2))
            try other.write { db in try db.execute(sql: "DELETE FROM User WHERE name = 'Eve'") }
            let count = try reader.count(User.all)
            return (users, count)
        }
        #expect(users.map(\.name) == ["Ada", "Ben"])
        #expect(count == 3)
        #expect(try await store.count(User.all) == 2)
    }

    @Test func `many rows are read one after the other`() async throws {
        let store = try Guide.store()
        try await store.read { reader in
            try reader.forEach(Note.including(\.user)) { note in
                print(note.text, note.user.value?.name ?? "-")
            }
        }
        #expect(
            console.lines == ["Buy tea Ada", "Call Ben Ada", "Buy milk Ben", "On the engine Ada"]
        )
    }

    @Test func `of many rows at most 1,000 records are read at a time`() async throws {
        let store = try Guide.store()
        try await store.insert(contentsOf: (0..<2_500).map { Note(text: "\($0)") })
        let statements = Mutex<[String]>([])
        let count = try await store.read { reader in
            reader.db.trace { event in statements.withLock { $0.append("\(event)") } }
            defer { reader.db.trace(options: []) }
            var count = 0
            try reader.forEach(Note.all) { _ in count += 1 }
            return count
        }
        #expect(count == 2_504)
        // The row numbers, and three batches.
        #expect(statements.withLock { $0.filter { $0.contains("FROM \"Note\"") } }.count == 4)
    }

    // MARK: Relationships

    @Test func `conditions and orders follow relationships`() async throws {
        let store = try Guide.store()
        // snippet.across
        let busy = User.filter { $0.notes.contains { !$0.isDone && $0.text.hasPrefix("Buy") } }
        let colleagues = User.filter { $0.company.name == "Acme" }
        let byCompany = User.sorted(by: \.company.name).sorted(by: \.age, .descending)
        // snippet.end
        #expect(try await store.fetch(busy).map(\.name) == ["Ada", "Ben"])
        #expect(try await store.fetch(colleagues).map(\.name) == ["Ada"])
        #expect(try await store.fetch(byCompany).map(\.name) == ["Eve", "Ada", "Ben"])
    }

    @Test func `included records are there, and others are not`() async throws {
        let store = try Guide.store()
        // snippet.including
        let users = try await store.fetch(
            User.sorted(by: \.name)
                .including(\.company)
                .including(\.notes) { notes in notes.filter { !$0.isDone } }
        )
        for user in users {
            print(user.name, user.company.value?.name ?? "-", user.notes.values?.count ?? 0)
        }
        // snippet.end
        #expect(console.lines == ["Ada Acme 2", "Ben Babbage 1", "Eve - 0"])
        let ada = try #require(try await store.fetch(User.self, key: 1))
        #expect(ada.company.rowID == RowID(1) && ada.company.value == nil)
        #expect(ada.notes.values == nil && ada.notes.count == nil)
        let error = #expect(throws: StoreError.self) { try ada.notes.get() }
        #expect(error?.code == .notLoaded)
        #expect(try users[2].company.get() == nil)
    }

    @Test func `linked rows are counted or loaded later`() async throws {
        let store = try Guide.store()
        // snippet.counting
        let counted = try await store.fetch(User.counting(\.notes))
        print(counted.map { $0.notes.count ?? 0 })  // [3, 1, 0]
        // snippet.end
        let loaded = try await store.read { reader in
            var users = try reader.fetch(User.all)
            try reader.load(User.including(\.notes), into: &users)
            return users
        }
        #expect(console.lines == ["[3, 1, 0]"])
        #expect(counted.allSatisfy { $0.notes.values == nil })
        #expect(loaded.map { $0.notes.values?.count } == [3, 1, 0])
    }

    // MARK: Aggregates

    @Test func `values are aggregated and counted by group`() async throws {
        let store = try Guide.store()
        // snippet.aggregates
        let ages = try await store.read { reader in
            let oldest = try reader.maximum(User.all, of: \.age) ?? 0
            let sum = try reader.sum(User.all, of: \.age)
            let average = try reader.average(User.all, of: \.age) ?? 0
            return (oldest, sum, average)
        }
        print(ages)  // (36, 72, 24.0)
        // snippet.end
        // snippet.groups
        let groups = try await store.read { reader in try reader.counts(User.all, by: \.status) }
        for group in groups {
            print(group.value?.rawValue ?? "unknown", group.count)
        }
        // snippet.end
        #expect(console.lines == ["(36, 72, 24.0)", "active 2", "away 1"])
        let youngest = try await store.read { reader in try reader.minimum(User.all, of: \.age) }
        #expect(youngest == 16)
        let byCompany = try await store.read { reader in
            try reader.counts(User.all, by: \.company.name)
        }
        #expect(byCompany.map(\.value) == [nil, "Acme", "Babbage"])
    }

    // MARK: SQL and GRDB

    @Test func `SQL is a condition, a query or a source of records`() async throws {
        let store = try Guide.store()
        // snippet.condition
        let older = User.filter { $0.status == .active && .sql("age % ? = 0", 4) }
        // snippet.end
        // snippet.query
        let (names, users) = try await store.read { reader in
            let names = try String.fetchAll(
                reader.db,
                sql: "SELECT name FROM User JOIN Note ON user = User._id WHERE text = ?",
                arguments: ["Buy milk"]
            )
            let users = try User.fetchAll(reader.db, sql: "SELECT * FROM User ORDER BY age")
            return (names, users)
        }
        print(names, users.map(\.name))  // ["Ben"] ["Eve", "Ben", "Ada"]
        // snippet.end
        // snippet.subquery
        let adults = try store.sql(for: User.filter { $0.age >= 18 })
        let youngest = try await store.read { reader in
            try SQLRequest<Int>("SELECT min(age) FROM (\(adults))").fetchOne(reader.db)
        }
        // snippet.end
        #expect(try await store.fetch(older).map(\.name) == ["Ada", "Eve"])
        #expect(console.lines == [#"["Ben"] ["Eve", "Ben", "Ada"]"#])
        #expect(youngest == 20)
        let same = try await store.fetch(User.sorted(by: \.age))
        #expect(users == same)
    }

    @Test func `an observation of GRDB tracks the tables of a typed request`() async throws {
        let store = try Guide.store()
        let reading = Task {
            // snippet.observation
            let observation = ValueObservation.tracking { db in
                try store.read(in: db) { reader in
                    try reader.fetch(User.sorted(by: \.name).counting(\.notes))
                }
            }
            for try await users in observation.values(in: store.reader) {
                print(users.map { "\($0.name) \($0.notes.count ?? 0)" })
            }
            // snippet.end
        }
        #expect(await console.next(1) == [#"["Ada 3", "Ben 1", "Eve 0"]"#])
        try await store.insert(Note(text: "Sleep", user: One(RowID(3))))
        #expect(await console.next(1) == [#"["Ada 3", "Ben 1", "Eve 1"]"#])
        reading.cancel()
        _ = await reading.result
    }
}

/// The SQL that the guide “Reading” shows, without the quotes of names.
struct ReadingSQLTests {
    private let store: Store

    init() throws {
        store = try Guide.store()
    }

    /// Checks the condition and the order of a request.
    private func check(
        _ request: EntityRequest<User>,
        is expected: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let request = try store.sql(for: request)
        let sql = try store.read { reader in
            try request.makePreparedRequest(reader.db, forSingleResult: false).statement.sql
        }
        #expect(sql.abbreviated == "SELECT … \(expected)", sourceLocation: sourceLocation)
    }

    /// Returns the statements that a body executes.
    private func statements(_ body: (StoreReader) throws -> Void) throws -> [String] {
        try store.read { reader in
            // The first statement of a connection looks up its collations.
            _ = try reader.count(User.all)
            let log = Mutex<[String]>([])
            reader.db.trace { event in
                let sql = "\(event)".abbreviated
                log.withLock { $0.append(sql) }
            }
            try body(reader)
            reader.db.trace(options: [])
            return log.withLock { $0 }
        }
    }

    @Test func `a request is one statement`() throws {
        let request = try store.sql(
            for: User.filter { $0.age >= 18 && $0.status == .active }.sorted(by: \.name).limit(20)
        )
        let sql = try store.read { reader in
            try request.makePreparedRequest(reader.db, forSingleResult: false).statement.sql
        }
        #expect(
            sql.replacing("\"", with: "") == """
                SELECT _0._id, _0.id AS id, _0.name AS name, _0.bornAt AS bornAt, _0.age AS age, \
                _0.status AS status, _0.company AS company FROM User AS _0 \
                WHERE (_0.age >= ? AND _0.status IS ?) ORDER BY _0.name, _0._id LIMIT 20 OFFSET 0
                """
        )
    }

    @Test func `the conditions of the guide become the SQL of its table`() throws {
        let conditions: [String: EntityRequest<User>] = [
            #"$0.name == "Ada""#: User.filter { $0.name == "Ada" },
            #"$0.bornAt == nil"#: User.filter { $0.bornAt == nil },
            #"$0.age.isIn(18...65)"#: User.filter { $0.age.isIn(18...65) },
            #"$0.status.isIn([.active, .away])"#: User.filter { $0.status.isIn([.active, .away]) },
            #"$0.name.hasPrefix("A")"#: User.filter { $0.name.hasPrefix("A") },
            #"$0.name.contains("d", folding: .caseInsensitive)"#: User.filter {
                $0.name.contains("d", folding: .caseInsensitive)
            },
            #"$0.company.name == "Acme""#: User.filter { $0.company.name == "Acme" },
            #"$0.notes.count > 1"#: User.filter { $0.notes.count > 1 },
            #"$0.notes.contains(\.isDone)"#: User.filter { $0.notes.contains(\.isDone) },
            #"$0.notes.isEmpty"#: User.filter { $0.notes.isEmpty },
        ]
        let rows = try GuidePage("Reading").rows { $0 == ["condition", "SQL"] }
            .map { $0.flatMap(GuidePage.code) }
        #expect(rows.map { $0[0] }.sorted() == conditions.keys.sorted())
        for row in rows {
            let request = try #require(conditions[row[0]])
            try check(request, is: "FROM User AS _0 WHERE \(row[1]) ORDER BY _0._id")
        }
    }

    @Test func `a path in an order is a join`() throws {
        try check(
            User.sorted(by: \.company.name).sorted(by: \.age, .descending),
            is: """
                FROM User AS _0 LEFT JOIN Company AS _s1 ON _s1._id = _0.company \
                WHERE 1 ORDER BY _s1.name, _0.age DESC, _0._id
                """
        )
    }

    @Test func `each inclusion is one more statement`() throws {
        let sql = try statements { reader in
            _ = try reader.fetch(
                User.sorted(by: \.name)
                    .including(\.company)
                    .including(\.notes) { notes in notes.filter { !$0.isDone } }
            )
        }
        #expect(
            sql == [
                "SELECT … FROM User AS _0 WHERE 1 ORDER BY _0.name, _0._id",
                """
                SELECT … FROM Company AS _0 WHERE _0._id IN (SELECT value FROM json_each(?)) \
                ORDER BY _0._id LIMIT -1 OFFSET 0
                """,
                """
                SELECT … FROM Note AS _0 \
                WHERE (_0.isDone IS NOT ?) AND _0.user IN (SELECT value FROM json_each(?)) \
                ORDER BY _0._notes_position IS NULL, _0._notes_position, _0._id
                """,
            ]
        )
        let counting = try statements { reader in _ = try reader.fetch(User.counting(\.notes)) }
        #expect(
            counting.last == """
                SELECT _0.user, count(*) FROM Note AS _0 \
                WHERE (1) AND _0.user IN (SELECT value FROM json_each(?)) GROUP BY _0.user
                """
        )
    }

    @Test func `counts and aggregates are computed by SQLite`() throws {
        let sql = try statements { reader in
            _ = try reader.count(User.filter { $0.company == nil })
            _ = try reader.maximum(User.all, of: \.age)
            _ = try reader.counts(User.all, by: \.status)
        }
        #expect(
            sql == [
                "SELECT count(*) FROM User AS _0 WHERE _0.company IS ?",
                """
                SELECT max(_value) FROM \
                (SELECT _0._id, _0.age AS _value FROM User AS _0 WHERE 1 ORDER BY _0._id)
                """,
                """
                SELECT _value, count(*) FROM \
                (SELECT _0._id, _0.status AS _value FROM User AS _0 WHERE 1 ORDER BY _0._id) \
                GROUP BY 1 ORDER BY _value
                """,
            ]
        )
    }
}

extension String {
    /// The statement without quotes, and with an ellipsis for the columns of a record.
    fileprivate var abbreviated: String {
        let plain = replacing("\"", with: "")
        guard plain.hasPrefix("SELECT _0._id, "), let end = plain.firstRange(of: " FROM ") else {
            return plain
        }
        return "SELECT …\(plain[end.lowerBound...])"
    }
}
