import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkStore

struct DeleteTests {
    private func insert(_ store: Store, _ rows: String...) throws {
        for row in rows {
            let name = try RecordLocator(row)
            guard case .key(let key) = name.identifier else { continue }
            try store.insert(name.entity, ["id": .string(key.description)])
        }
    }

    /// Deletes rows as an import does, and returns the deleted and the kept ones as text.
    private func deleteRows(
        _ store: Store,
        _ entity: String,
        _ rows: [Int64],
        isRemembered: Bool = true
    ) throws -> String {
        try store.write { writer in
            let outcome = try writer.delete(
                [store.layout.entity(entity).table: rows],
                isRemembered: isRemembered
            )
            let deleted = outcome.deleted.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            let denied = outcome.denials.map { "\($0.table)#\($0.row) kept by \($0.relationship)" }
            return (deleted + denied).joined(separator: ", ")
        }
    }

    /// Companies with teams, declared with the parent first.
    private static let parentFirst = Model(entities: [
        .named("Company", [], .many("teams", "Team", inverse: "company", .cascade)),
        .named(
            "Team",
            [],
            .one("company", "Company", inverse: "teams"),
            .many("users", "User", inverse: "team", .cascade)
        ),
        .named("User", [], .one("team", "Team", inverse: "users")),
    ])
    private static let childFirst = Model(entities: parentFirst.entities.reversed())

    @Test(arguments: [parentFirst, childFirst])
    func `follows a chain of cascades and counts every row, in any order of tables`(
        _ model: Model
    ) throws {
        let store = try Store.validated(model: model)
        try insert(store, "Company:1", "Team:1", "Team:2", "User:1", "User:2", "User:3")
        try store.update("Company:1", links: ["teams": ["Team:1", "Team:2"]])
        try store.update("Team:1", links: ["users": ["User:1", "User:2"]])
        #expect(try store.delete("Company:1") == ["Company": 1, "Team": 2, "User": 2])
        try expect(
            table(of: store, "Company", "Team", "User"),
            is: """
                Company: no rows

                Team: no rows

                User
                #  id  name  team
                3  3   -     -
                """
        )
    }

    @Test func `follows a cycle of cascades once`() throws {
        let store = try Store.of(.named("Node", [], .one("next", "Node", .cascade)))
        try insert(store, "Node:1", "Node:2", "Node:3", "Node:4")
        for (from, to) in [(1, 2), (2, 3), (3, 1), (4, 1)] {
            try store.update("Node:\(from)", links: ["next": ["Node:\(to)"]])
        }
        #expect(try store.delete("Node:2") == ["Node": 3])
        try expect(
            table(of: store),
            is: """
                Node
                #  id  name  next
                4  4   -     -
                """
        )
    }

    @Test func `clears links on both sides and in join tables, records no references`() throws {
        let store = try Store.of(
            .named(
                "User",
                [],
                .one("company", "Company", inverse: "users"),
                .one("profile", "Profile", inverse: "user"),
                .many("tags", "Tag", inverse: "users"),
                .many("seen", "Company")
            ),
            .named("Company", [], .many("users", "User", inverse: "company")),
            .named("Profile", [], .one("user", "User", inverse: "profile")),
            .named("Tag", [], .many("users", "User", inverse: "tags"))
        )
        try insert(store, "Company:1", "Profile:1", "Tag:1", "Tag:2", "User:1", "User:2")
        for user in ["User:1", "User:2"] {
            try store.update(
                user,
                links: [
                    "company": ["Company:1"], "tags": ["Tag:1", "Tag:2"], "seen": ["Company:1"],
                ]
            )
        }
        try store.update("User:1", links: ["profile": ["Profile:1"]])
        #expect(try store.delete("User:1") == ["User": 1])
        #expect(try store.delete("Tag:2") == ["Tag": 1])
        #expect(try store.delete("Company:1") == ["Company": 1])
        try expect(
            table(of: store),
            is: """
                User
                #  id  name  company  profile  tags  seen
                2  2   -     -        -        [1]   []

                Company: no rows

                Profile
                #  id  name  user
                1  1   -     -

                Tag
                #  id  name  users
                1  1   -     [2]
                """
        )
    }

    private static let denying = Model(entities: [
        .named("Company", [], .many("teams", "Team", inverse: "company", .cascade)),
        .named(
            "Team",
            [],
            .one("company", "Company", inverse: "teams"),
            .many("users", "User", inverse: "team", .deny)
        ),
        .named("User", [], .one("team", "Team", inverse: "users")),
    ])

    private func denying() throws -> Store {
        let store = try Store.validated(model: Self.denying)
        try insert(store, "Company:1", "Company:2", "Team:1", "Team:2", "User:1", "User:2")
        try store.update("Company:1", links: ["teams": ["Team:1", "Team:2"]])
        try store.update("Team:2", links: ["users": ["User:1"]])
        return store
    }

    @Test(arguments: [
        ("Team:2", "Team:2 cannot be deleted: Team.users has the delete rule deny."),
        ("Company:1", "Company:1 cannot be deleted: Team.users has the delete rule deny."),
    ])
    func `a deny rule protects a row, and the rows whose cascade would delete it`(
        _ row: String,
        _ message: String
    )
        throws
    {
        let store = try denying()
        let before = try table(of: store)
        try expect(
            errorMessage(store.delete(row)),
            is: "\(message) Unlink or delete the rows it is linked to first."
        )
        try expect(table(of: store), is: before)
    }

    @Test func `deletes the rows that no rule protects, and keeps the others`() throws {
        let store = try denying()
        try expect(
            deleteRows(store, "Company", [1, 2, 9]),
            is: "Company 1, Team#2 kept by Team.users"
        )
        try expect(
            table(of: store, "Company"),
            is: """
                Company
                #  id  name  teams
                1  1   -     [1 2]
                """
        )
        #expect(try store.delete("User:1") == ["User": 1])
        try expect(deleteRows(store, "Company", [1]), is: "Company 1, Team 2")
    }

    @Test func `a row that is deleted too does not protect others`() throws {
        let store = try Store.of(
            .named(
                "Node",
                [],
                .many("after", "Node", inverse: "before", .deny),
                .one("before", "Node", inverse: "after")
            )
        )
        try insert(store, "Node:1", "Node:2", "Node:3")
        try store.update("Node:2", links: ["before": ["Node:1"]])
        try store.update("Node:3", links: ["before": ["Node:2"]])
        try expect(
            deleteRows(store, "Node", [1, 2]),
            is: "Node#2 kept by Node.after, Node#1 kept by Node.after"
        )
        try expect(deleteRows(store, "Node", [1, 2, 3]), is: "Node 3")
    }

    @Test(arguments: [1, 5_000], [false, true])
    func `deletes a long chain of children or a cycle, from any start`(
        first: Int64,
        isCircle: Bool
    ) throws {
        let store = try Store.of(
            .named(
                "Node",
                [],
                .one("parent", "Node", inverse: "children"),
                .many("children", "Node", inverse: "parent", .cascade)
            )
        )
        let length: Int64 = 5_000
        try store.write { db in
            for id in 1...length { try db.insert("Node", values: ["id": .integer(id)]) }
            let step = first == 1 ? -1 : 1
            let end = isCircle ? first == 1 ? "\(length)" : "1" : "NULL"
            try db.db.execute(
                sql: "UPDATE Node SET parent = CASE _id WHEN ? THEN \(end) ELSE _id + ? END",
                arguments: [first, step]
            )
        }
        #expect(try store.delete("Node:\(first)") == ["Node": Int(length)])
        try expect(table(of: store), is: "Node: no rows")
    }

    @Test func `a deny rule at the end of a long cascade protects all of it`() throws {
        let store = try Store.of(
            .named(
                "Node",
                [],
                .one("next", "Node", inverse: "previous", .cascade),
                .one("previous", "Node", inverse: "next"),
                .many("guards", "Guard", .deny)
            ),
            .named("Guard")
        )
        let length: Int64 = 3_000
        try store.write { db in
            for id in 1...length { try db.insert("Node", values: ["id": .integer(id)]) }
            try db.db.execute(
                sql: "UPDATE Node SET \"next\" = _id + 1 WHERE _id < ?",
                arguments: [length]
            )
        }
        try insert(store, "Guard:1")
        try store.update("Node:\(length)", links: ["guards": ["Guard:1"]])
        try expect(deleteRows(store, "Node", [1]), is: "Node#\(length) kept by Node.guards")
        #expect(try store.delete("Guard:1") == ["Guard": 1])
        #expect(try store.delete("Node:1") == ["Node": Int(length)])
    }

    @Test(arguments: [false, true])
    func `each row of a long chain protects the previous one, with or without cascades`(
        hasParts: Bool
    ) throws {
        let store = try Store.of(
            .named(
                "Node",
                [],
                .many("after", "Node", inverse: "before", .deny),
                .one("before", "Node", inverse: "after"),
                .one("part", "Part", .cascade)
            ),
            .named("Part")
        )
        let length: Int64 = 10_000
        try store.write { db in
            for id in 1...length {
                if hasParts { try db.insert("Part", values: ["id": .integer(id)]) }
                try db.insert("Node", values: ["id": .integer(id)])
            }
            try db.db.execute(
                sql:
                    "UPDATE Node SET \"before\" = nullif(_id - 1, 0), part = \(hasParts ? "_id" : "NULL")"
            )
        }
        let kept = (1..<length).reversed().map { "Node#\($0) kept by Node.after" }
        try expect(
            deleteRows(store, "Node", Array(1..<length)),
            is: kept.joined(separator: ", ")
        )
        #expect(
            try deleteRows(store, "Node", Array(1...length))
                == "Node \(length)" + (hasParts ? ", Part \(length)" : "")
        )
    }

    @Test func `records references to the deleted rows only on request`() throws {
        for isRemembered in [true, false] {
            let store = try Store.of(
                .named(
                    "User",
                    [],
                    .one("boss", "User", inverse: "team"),
                    .many("team", "User", inverse: "boss"),
                    .many("tags", "Tag", inverse: "users")
                ),
                .named("Tag", [], .many("users", "User", inverse: "tags"))
            )
            try insert(store, "User:1", "User:2", "User:3", "Tag:1")
            try store.insert("User", links: ["boss": ["User:1"]])
            try store.update("User:2", links: ["boss": ["User:1"], "tags": ["Tag:1"]])
            try store.update("User:3", links: ["boss": ["User:2"], "tags": ["Tag:1"]])
            try expect(
                deleteRows(store, "User", [1, 2], isRemembered: isRemembered),
                is: "User 2"
            )
            try expect(deleteRows(store, "Tag", [1], isRemembered: isRemembered), is: "Tag 1")
            let rows = """
                User
                #  id  name  boss  team  tags
                3  3   -     -     []    []
                4  -   -     -     []    []

                Tag: no rows
                """
            let unresolved = """


                Unresolved
                relationship  owner  key  position
                User.boss     3      2    -
                User.boss     #4     1    -
                User.tags     3      1    -
                """
            try expect(table(of: store), is: isRemembered ? rows + unresolved : rows)
        }
    }

    @Test func `raw SQL deletions obey the delete rules that the schema expresses`() throws {
        let store = try denying()
        try store.writer.write { db in
            try db.execute(sql: "DELETE FROM Team WHERE id = 1")
        }
        #expect(throws: DatabaseError.self) {
            try store.writer.write { db in try db.execute(sql: "DELETE FROM Team WHERE id = 2") }
        }
        try expect(
            table(of: store),
            is: """
                Company
                #  id  name  teams
                1  1   -     [2]
                2  2   -     []

                Team
                #  id  name  company  users
                2  2   -     1        [1]

                User
                #  id  name  team
                1  1   -     2
                2  2   -     -
                """
        )
    }
}
