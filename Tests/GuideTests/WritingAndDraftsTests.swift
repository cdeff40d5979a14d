import Foundation
import GRDB
import Synchronization
import Testing
import Tidemark

/// The code of the guide “Writing and drafts”.
struct WritingAndDraftsTests {
    private let console = GuideConsole()
    private let store: Store
    private let ada: User
    private let ben: User

    init() throws {
        store = try Guide.store()
        ada = try #require(try store.fetch(User.self, key: 1))
        ben = try #require(try store.fetch(User.self, key: 2))
    }

    private func print(_ items: Any...) { console.write(items) }

    /// Returns the texts of a user's notes, in their order.
    private func notes(of user: User) throws -> [String] {
        let users = try store.fetch(User.filter { $0.rowID == user.rowID }.including(\.notes))
        return users.flatMap { $0.notes.values ?? [] }.map(\.text)
    }

    // MARK: Inserting

    @Test func `a record is inserted, and gets an identity`() async throws {
        let (store, ada) = (store, ada)
        // snippet.insert
        let note = try await store.insert(Note(text: "Buy bread", user: One(ada)))
        print(note.rowID, note.rowID.isSaved)  // Note#5 true
        // snippet.end
        #expect(console.lines == ["Note#5 true"])
        #expect(note.remoteID == nil)
        #expect(try notes(of: ada) == ["Buy tea", "Call Ben", "On the engine", "Buy bread"])
    }

    @Test func `several writes are one transaction`() async throws {
        let store = store
        // snippet.transaction
        try await store.write { writer in
            let cray = try writer.insert(Company(code: "C", name: "Cray"))
            try writer.insert(User(id: 4, name: "Sam", company: One(cray)))
        }
        // snippet.end
        #expect(try await store.count(User.filter { $0.company.name == "Cray" }) == 1)
        await #expect(throws: StoreError.self) {
            try await store.write { writer in
                try writer.insert(Company(code: "D", name: "Digital"))
                try writer.insert(User(id: 4, name: "Kim"))
            }
        }
        #expect(try await store.count(Company.all) == 3)
    }

    @Test func `an upsert writes all properties of the record`() async throws {
        let store = store
        // snippet.upsert
        try await store.upsert(Company(code: "A", name: "Acme Limited"))
        // snippet.end
        #expect(try await store.fetch(Company.self, key: "A")?.name == "Acme Limited")
        #expect(try await store.count(Company.all) == 2)
        try await store.upsert(User(id: 1, name: "Ada"))
        let user = try #require(try await store.fetch(User.self, key: 1))
        #expect(user.age == 0 && user.company == .none)
    }

    // MARK: Updating

    @Test func `a closure changes the stored record`() async throws {
        let (store, ada) = (store, ada)
        // snippet.update
        let changed = try await store.update(ada.rowID) { user in
            user.age += 1
            user.company = nil
        }
        print(changed)  // ["age", "company"]
        // snippet.end
        #expect(console.lines == [#"["age", "company"]"#])
        #expect(try await store.update(ada.rowID) { $0.age = 37 } == [])
        #expect(try await store.fetch(User.self, key: 1)?.age == 37)
    }

    @Test func `a copy overwrites what was changed since`() async throws {
        let (store, ada) = (store, ada)
        // snippet.stale
        var copy = ada
        copy.age = 37
        // Meanwhile, a pull or another window:
        try await store.update(ada.rowID) { $0.name = "Ada King" }
        let changed = try await store.write { [copy] writer in try writer.update(copy) }
        print(changed)  // ["name", "age"]: the name is "Ada" again
        // snippet.end
        #expect(console.lines == [#"["name", "age"]"#])
        #expect(try await store.fetch(User.self, key: 1)?.name == "Ada")
    }

    // MARK: Drafts

    @Test func `a draft writes what was changed in it`() async throws {
        let (store, ada) = (store, ada)
        // snippet.draft
        var draft = Draft(ada)
        draft.age = 37
        print(try draft.changes)  // ["age"]
        // Meanwhile, a pull or another window:
        try await store.update(ada.rowID) { $0.name = "Ada King" }
        let outcome = try await store.save(draft)
        print(outcome.changed, outcome.changedInStore)  // ["age"] ["name"]
        // snippet.end
        #expect(console.lines == [#"["age"]"#, #"["age"] ["name"]"#])
        #expect(outcome.record.name == "Ada King" && outcome.record.age == 37)
        #expect(outcome.isSaved && outcome.conflicts.isEmpty)
    }

    @Test(arguments: [
        (DraftConflictPolicy.mine, "Ada L.", 37), (.theirs, "Ada King", 37),
        (.stop, "Ada King", 36),
    ])
    func `a property that was changed on both sides is a conflict`(
        _ policy: DraftConflictPolicy,
        _ name: String,
        _ age: Int
    ) async throws {
        let (store, ada) = (store, ada)
        var draft = Draft(ada)
        draft.name = "Ada L."
        draft.age = 37
        try await store.update(ada.rowID) { $0.name = "Ada King" }
        let outcome = try await store.save(draft, onConflict: policy)
        #expect(outcome.record.name == name && outcome.record.age == age)
        #expect(outcome.isSaved == (policy != .stop))
    }

    @Test func `a conflict is reported with its values`() async throws {
        let (store, ada) = (store, ada)
        var draft = Draft(ada)
        draft.name = "Ada L."
        try await store.update(ada.rowID) { $0.name = "Ada King" }
        // snippet.conflict
        let outcome = try await store.save(draft, onConflict: .stop)
        if !outcome.isSaved {
            for conflict in outcome.conflicts {
                print(conflict.property, conflict.current, conflict.stored)
            }
        }
        // snippet.end
        #expect(console.lines == [#"name string("Ada L.") string("Ada King")"#])
        #expect(outcome.changed.isEmpty)
    }

    @Test func `a draft of a new record inserts it`() async throws {
        let store = store
        let outcome = try await store.save(Draft(Note(text: "Buy bread")))
        #expect(outcome.record.rowID == RowID(5))
        let deleted = Draft(outcome.record)
        try await store.delete(outcome.record.rowID)
        let error = await #expect(throws: StoreError.self) { try await store.save(deleted) }
        #expect(error?.code == .rowNotFound)
    }

    // MARK: Many rows

    @Test func `values are assigned to all rows of a request`() async throws {
        let (store, ada) = (store, ada)
        // snippet.batch
        let count = try await store.update(Note.filter { $0.user == ada.rowID }) {
            $0.set(\.isDone, to: true)
        }
        print(count)  // 2: one of the three was done already
        try await store.update(User.filter { $0.age < 18 }) { $0.add(2, to: \.age) }
        // snippet.end
        #expect(console.lines == ["2"])
        #expect(try await store.fetch(User.sorted(by: \.age)).map(\.age) == [18, 20, 36])
    }

    @Test func `rows are deleted with the rows that they own`() async throws {
        let (store, ada) = (store, ada)
        // snippet.delete
        let done = try await store.delete(Note.filter(\.isDone))
        print(done)  // ["Note": 1]
        let deleted = try await store.delete(ada.rowID)
        print(deleted["User"] ?? 0, deleted["Note"] ?? 0)  // 1 2
        // snippet.end
        #expect(console.lines == [#"["Note": 1]"#, "1 2"])
        #expect(try await store.fetch(Note.all).map(\.text) == ["Buy milk"])
    }

    @Test func `each write is the SQL that the guide shows`() throws {
        let sql = try store.write { writer in
            let log = Mutex<[String]>([])
            writer.db.trace { event in
                let sql = "\(event)".replacing("\"", with: "").replacing(
                    " -- RowStatement",
                    with: ""
                )
                log.withLock { $0.append(sql) }
            }
            try writer.insert(User(id: 4, name: "Sam"))
            try writer.update(ada.rowID) { user in
                user.age += 1
                user.company = nil
            }
            try writer.update(Note.filter { $0.user == ada.rowID }) { $0.set(\.isDone, to: true) }
            writer.db.trace(options: [])
            return log.withLock { $0 }
        }
        let shown = [
            """
            INSERT INTO User (id, name, bornAt, age, status, company) VALUES (?, ?, ?, ?, ?, ?)
            """,
            "UPDATE User SET age = ? WHERE _id = ?",
            "UPDATE User SET company = ?1 WHERE _id = ?2 AND company IS NOT ?1",
            """
            UPDATE Note SET isDone = ? WHERE _id IN (SELECT value FROM json_each(?)) \
            AND (isDone IS NOT ?) RETURNING _id
            """,
        ]
        #expect(sql.filter { shown.contains($0) } == shown)
    }

    // MARK: Links

    @Test func `a link is a property of the side that has one row`() async throws {
        let (store, ben) = (store, ben)
        let tea = RowID<Note>(1)
        // snippet.one
        try await store.update(tea) { $0.user = One(ben) }
        // snippet.end
        #expect(try notes(of: ada) == ["Call Ben", "On the engine"])
        #expect(try notes(of: ben) == ["Buy milk", "Buy tea"])
    }

    @Test func `a list is changed link by link, or as a whole`() async throws {
        let (store, ada) = (store, ada)
        let (call, milk) = (RowID<Note>(2), RowID<Note>(3))
        // snippet.many
        try await store.write { writer in
            try writer.link(\.notes, of: ada.rowID, to: milk, at: 0)
            try writer.unlink(\.notes, of: ada.rowID, from: call)
        }
        // snippet.end
        #expect(try notes(of: ada) == ["Buy milk", "Buy tea", "On the engine"])
        #expect(try notes(of: ben) == [])
        // snippet.order
        try await store.write { writer in
            let notes = try writer.rowIDs(
                Note.filter { $0.user == ada.rowID }.sorted(by: \.text, .descending)
            )
            try writer.setLinks(\.notes, of: ada.rowID, to: notes)
        }
        // snippet.end
        #expect(try notes(of: ada) == ["On the engine", "Buy tea", "Buy milk"])
        let isChanged = try await store.write { writer in
            let notes = try writer.rowIDs(
                Note.filter { $0.user == ada.rowID }.sorted(by: \.text, .descending)
            )
            return try writer.setLinks(\.notes, of: ada.rowID, to: notes)
        }
        #expect(!isChanged)
    }

    // MARK: Errors

    @Test func `an error names the row and the rule`() async throws {
        let store = store
        let acme = try #require(try await store.fetch(Company.self, key: "A"))
        // snippet.errors
        do {
            try await store.delete(acme.rowID)
        } catch let error as StoreError where error.code == .deletionDenied {
            print(error)
        }
        // snippet.end
        #expect(
            console.lines == [
                "Company#1 cannot be deleted: Company.employees has the delete rule deny. "
                    + "Unlink or delete the rows it is linked to first."
            ]
        )
        #expect(try await store.count(Company.all) == 2)
    }

    /// A write that fails, and the error.
    struct Failure: Sendable {
        let code: StoreError.Code
        let message: String
        let write: @Sendable (StoreWriter) throws -> Void
    }

    static let failures: [Failure] = [
        Failure(code: .invalidValue, message: "User.age: The value must be at least 0.") {
            try $0.update(RowID<User>(1)) { $0.age = -1 }
        },
        Failure(code: .invalidValue, message: "User#1 has been inserted already.") { writer in
            guard let ada = try writer.fetch(User.self, key: 1) else { return }
            try writer.insert(ada)
        },
        Failure(code: .duplicate, message: "User:1 already exists: it is User#1.") {
            try $0.insert(User(id: 1, name: "Ada"))
        },
        Failure(code: .rowNotFound, message: "The store has no row User#99.") {
            try $0.update(RowID<User>(99)) { $0.age = 1 }
        },
        Failure(code: .rowNotFound, message: "The store has no row Company#99.") {
            try $0.update(RowID<User>(1)) { $0.company = One(RowID(99)) }
        },
        Failure(
            code: .deletionDenied,
            message: "Company#1 cannot be deleted: Company.employees has the delete rule deny."
        ) { try $0.delete(Company.all) },
    ]

    @Test(arguments: failures)
    func `a write that the model does not allow changes nothing`(_ failure: Failure) throws {
        let error = #expect(throws: StoreError.self) { try store.write(failure.write) }
        #expect(error?.code == failure.code)
        #expect(error?.message == failure.message)
        #expect(try store.fetch(User.self, key: 1) == ada)
        #expect(try store.count(Company.all) == 2)
    }
}
