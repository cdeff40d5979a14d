import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Migrations that add, drop and change relationships with existing links.
struct RelationshipMigrationTests {
    /// Returns a model of two entities with the given relationships.
    static func model(_ user: String, _ note: String) -> String {
        """
        User: {attributes: {id: integer64}, relationships: {\(user)}}, \
        Note: {attributes: {id: integer64}, relationships: {\(note)}}
        """
    }

    static let oneToMany = model(
        "notes: {to: Note, toMany: true, inverse: user}",
        "user: {to: User, inverse: notes}"
    )

    static let manyToMany = model(
        "notes: {to: Note, toMany: true, inverse: users}",
        "users: {to: User, toMany: true, inverse: notes}"
    )

    /// Inserts three users and four notes.
    static func rows(_ store: Store) throws {
        for id in 1...3 { try store.insert("User", ["id": .integer(Int64(id))]) }
        for id in 1...4 { try store.insert("Note", ["id": .integer(Int64(id))]) }
    }

    /// Returns a store of three users and four notes, some of which are linked.
    private func store(_ model: String, _ links: [(String, [String: [String]])]) throws -> Store {
        try TidemarkStoreTests.store(model) { store in
            try Self.rows(store)
            for (row, links) in links { try store.update(row, links: links) }
        }
    }

    // MARK: Rejected migrations

    @Test func `reports all reasons of a rejection at once, for values and for links`() throws {
        let store = try TidemarkStoreTests.store(
            """
            User: {attributes: {id: integer64, name: string, age: string}, \
            relationships: {tags: {to: Tag, toMany: true, inverse: users}}}, \
            Tag: {attributes: {id: integer64}, \
            relationships: {users: {to: User, toMany: true, inverse: tags}}}
            """
        ) { store in
            for id in 1...2 { try store.insert("Tag", ["id": .integer(Int64(id))]) }
            try store.insert(
                "User",
                ["id": .integer(1), "age": .string("old")],
                links: ["tags": ["Tag:1", "Tag:2"]]
            )
        }
        let rejections = try store.rejections(
            of: """
                User: {attributes: {id: integer64, name: {type: string, optional: false}, \
                age: integer16}, relationships: {tags: {to: Tag, inverse: users}}}, \
                Tag: {attributes: {id: integer64}, \
                relationships: {users: {to: User, toMany: true, inverse: tags}}}
                """
        )
        let paths = rejections.split(separator: "\n").map { $0.prefix { $0 != ":" } }
        #expect(paths.sorted() == ["User.age", "User.name", "User.tags"])
    }

    @Test func `rejects a to-one relationship if rows have several links`() throws {
        let store = try store(
            Self.manyToMany,
            [("Note:2", ["users": ["User:1", "User:3"]]), ("Note:4", ["users": ["User:1"]])]
        )
        try expect(
            store.rejections(
                of: Self.model(
                    "notes: {to: Note, toMany: true, inverse: user}",
                    "user: {to: User, inverse: notes, renamedFrom: users}"
                )
            ),
            is: """
                Note.user: It becomes to-one, but 1 row has more than one link, the first Note#2. \
                Leave each of them one link first.
                """
        )
        try expect(
            store.rejections(
                of: Self.model(
                    "note: {to: Note, inverse: users, renamedFrom: notes}",
                    "users: {to: User, toMany: true, inverse: note}"
                )
            ),
            is: """
                User.note: It becomes to-one, but 1 row has more than one link, the first User#1. \
                Leave each of them one link first.
                """
        )
    }

    @Test func `rejects a one-to-one relationship if rows have several links`() throws {
        let store = try store(
            Self.oneToMany,
            [("User:2", ["notes": ["Note:3", "Note:1"]]), ("User:3", ["notes": ["Note:4"]])]
        )
        try expect(
            store.rejections(
                of: Self.model(
                    "note: {to: Note, inverse: user, renamedFrom: notes}",
                    "user: {to: User, inverse: note}"
                )
            ),
            is: """
                User.note: It becomes to-one, but 1 row has more than one link, the first User#2. \
                Leave each of them one link first.
                """
        )
    }

    @Test func `an unresolved reference counts as a link of a new to-one relationship`() throws {
        let store = try store(Self.manyToMany, [("Note:2", ["users": ["User:1"]])])
        try store.addUnresolvedReference("Note.users", of: 2, to: "User", key: .integer(9))
        try expect(
            store.rejections(
                of: Self.model(
                    "notes: {to: Note, toMany: true, inverse: users}",
                    "users: {to: User, inverse: notes}"
                )
            ),
            is: """
                Note.users: It becomes to-one, but 1 row has more than one link, the first Note#2. \
                Leave each of them one link first.
                """
        )
    }

    @Test func `rejects inverses whose links differ`() throws {
        let store = try store(
            Self.model("notes: {to: Note, toMany: true}", "user: {to: User}"),
            [("User:1", ["notes": ["Note:1", "Note:2"]]), ("Note:1", ["user": ["User:2"]])]
        )
        try expect(
            store.rejections(of: Self.oneToMany),
            is: """
                Note.user: It becomes to-one, but 1 row has more than one link, the first Note#1. \
                Leave each of them one link first.
                """
        )
    }

    @Test func `rejects a destination other than that of the existing links`() throws {
        let store = try store(Self.oneToMany, [("User:2", ["notes": ["Note:3", "Note:1"]])])
        try expect(
            store.rejections(of: Self.model("", "user: {to: Note}")),
            is: """
                Note.user: 2 links lead to rows that it cannot lead to any longer, \
                the first User#2. Take these links away first.
                """
        )
    }

    // MARK: Links that are kept

    /// A change of relationships, with the expected steps and rows.
    struct Change: CustomTestStringConvertible, Sendable {
        let name: String
        let from: String
        let to: String
        let links: [(row: String, links: [String: [String]])]
        let steps: String
        let rows: String
        var testDescription: String { name }
    }

    @Test(arguments: Change.all) func `changes relationships and keeps the links`(
        change: Change
    ) throws {
        let store = try store(change.from, change.links)
        let (migrated, steps) = try store.migrating(to: change.to)
        expect(steps, is: change.steps)
        try expect(
            table(of: migrated).split(separator: "\n").filter { !$0.isEmpty }
                .joined(separator: "\n"),
            is: change.rows
        )
    }
}

extension Store {
    /// Records an unresolved reference as an import does.
    func addUnresolvedReference(
        _ relationship: String,
        of row: Int64,
        to entity: String,
        key: Value
    ) throws {
        try writer.write { db in
            try db.execute(
                sql: """
                    INSERT INTO _tidemark_held (relationship, owner, destination, key) \
                    VALUES (?, ?, ?, ?)
                    """,
                arguments: [relationship, row, entity, key.sql]
            )
        }
    }
}

extension Value {
    fileprivate var sql: DatabaseValue {
        switch self {
        case .integer(let number): number.databaseValue
        case .string(let text): text.databaseValue
        case .null, .double, .boolean, .decimal, .date, .uuid, .uri, .binary, .json: .null
        }
    }
}
