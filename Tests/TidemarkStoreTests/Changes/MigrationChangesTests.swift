import Testing
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkStore

struct MigrationChangesTests {
    /// Returns the changes reported for a migration, and checks those of a row inserted after it.
    private func changes(
        from old: String,
        to new: String,
        _ rows: (Store) throws -> Void
    ) throws -> [String] {
        let store = try store(old, rows)
        let changes = try store.changes()
        let migrated = try store.migrate(to: model(new))
        var lines = try changes.lines()
        try migrated.insert("User", ["id": .integer(99)])
        let next = try changes.lines()
        #expect(next.first?.hasPrefix("insert User#3 99 id") == true, "\(next)")
        if lines.last == "--" { lines.removeLast() }
        return lines
    }

    private func addUsers(_ store: Store) throws {
        try store.insert("User", ["id": .integer(1), "age": .string("36")])
        try store.insert("User", ["id": .integer(2)])
    }

    @Test func `a rename changes no row`() throws {
        let lines = try changes(
            from: "User: {attributes: {id: integer64, age: string}}",
            to: "User: {attributes: {id: integer64, years: {type: string, renamedFrom: age}}}",
            addUsers
        )
        #expect(lines == [])
    }

    @Test func `converted, filled and dropped values are reported`() throws {
        let lines = try changes(
            from: "User: {attributes: {id: integer64, age: string}}",
            to: """
                User: {attributes: {id: integer64, age: integer16, \
                kind: {type: string, optional: false, default: x}}}
                """,
            addUsers
        )
        #expect(lines == ["update User#1 1 age, kind", "update User#2 2 kind"])
        let dropped = try changes(
            from: "User: {attributes: {id: integer64, age: string}}",
            to: "User: {attributes: {id: integer64}}",
            addUsers
        )
        #expect(dropped == ["update User#1 1 age"])
    }

    @Test func `the rows of a dropped entity are deleted, and links to them are lost`() throws {
        let lines = try changes(
            from: """
                User: {attributes: {id: integer64, age: string}, \
                relationships: {notes: {to: Note, toMany: true}}}, \
                Note: {attributes: {id: integer64}}
                """,
            to: "User: {attributes: {id: integer64, age: string}}"
        ) { store in
            try addUsers(store)
            try store.insert("Note", ["id": .integer(7)])
            try store.update("User:1", links: ["notes": ["Note:7"]])
        }
        #expect(Set(lines) == ["update User#1 1 notes", "delete Note#1 7"])
    }

    @Test func `unread changes keep the names and keys with which they were recorded`() throws {
        let store = try store("User: {attributes: {id: integer64, age: string}}", addUsers)
        let changes = try store.changes()
        try store.update("User:1", ["age": .string("37")])
        let migrated = try store.migrate(
            to: model(
                """
                Person: {renamedFrom: User, primaryKey: [id, age], attributes: \
                {id: integer64, age: string}}
                """
            )
        )
        try migrated.insert("Person", ["id": .integer(3), "age": .string("1")])
        let lines = try changes.lines()
        #expect(
            lines == [
                "update User#1 1 age", "--", "update Person#1 1,37", "update Person#2 -", "--",
                "insert Person#3 3,1 age, id", "--",
            ]
        )
    }

    @Test func `a failed migration is not reported, and recording continues`() throws {
        let store = try store("User: {attributes: {id: integer64, age: string}}", addUsers)
        let changes = try store.changes()
        struct Rejection: Error {}
        #expect(throws: Rejection.self) {
            try store.migrate(to: model("User: {attributes: {id: integer64}}")) { _ in
                throw Rejection()
            }
        }
        try store.update("User:2", ["age": .string("5")])
        let lines = try changes.lines()
        #expect(lines == ["update User#2 2 age", "--"])
    }
}
