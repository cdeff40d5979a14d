import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Hooks, which run an app's code during an import.
struct HookTests {
    private struct Stop: Error {}

    private func store() throws -> Store {
        let store = try Store.of(
            .named("User", [], .many("notes", "Note", inverse: "user")),
            .named("Note", [], .one("user", "User", inverse: "notes"))
        )
        try store.writer.write { db in try db.execute(sql: "CREATE TABLE journal (line TEXT)") }
        return store
    }

    private let journal = ImportHooks(didImport: { writer, row, change in
        try writer.db.execute(
            sql: "INSERT INTO journal VALUES (?)",
            arguments: ["\(change) \(row)"]
        )
    })

    private func load(_ store: Store, _ json: String, _ hooks: ImportHooks) throws -> String {
        var items = try JSONDocument(Array(json.utf8)).items()
        return try Importer(store, hooks: hooks).import(&items, into: "User").text
    }

    private func lines(_ store: Store) throws -> [String] {
        try store.writer.read { db in try String.fetchAll(db, sql: "SELECT line FROM journal") }
    }

    @Test func `an error in a hook rolls the import back`() throws {
        let store = try store()
        let hooks = ImportHooks(
            willImport: { _, item, _ in
                if item.node(at: "id")?.integer == 3 { throw Stop() }
                return .keep
            }
        )
        #expect(throws: Stop.self) { try load(store, #"[{"id": 1}, {"id": 3}]"#, hooks) }
        let late = ImportHooks(didImport: { _, _, _ in throw Stop() })
        #expect(throws: Stop.self) { try load(store, #"[{"id": 1}]"#, late) }
        try expect(load(store, "[]", ImportHooks()), is: "nothing")
    }

    @Test func `a hook replaces an item, or skips it and keeps its row unchanged`() throws {
        let store = try store()
        _ = try load(store, #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, ImportHooks())
        let hooks = ImportHooks(
            willImport: { _, item, entity in
                switch item.node(at: "id")?.integer {
                case 1: .skip
                case 2: .replace(try JSONDocument(Array(#"{"id": 2, "name": "\#(entity)"}"#.utf8)))
                default: .keep
                }
            }
        )
        try expect(
            load(store, #"[{"id": 1, "name": "x"}, {"id": 2, "name": "x"}, {"id": 3}]"#, hooks),
            is: "User +1 ~1"
        )
        try expect(
            table(of: store, "User"),
            is: """
                User
                #  id  name  notes
                1  1   a     []
                2  2   User  []
                3  3   -     []
                """
        )
    }

    @Test func `didImport is called once for each inserted or updated row, including nested ones`()
        throws
    {
        let store = try store()
        _ = try load(
            store,
            #"[{"id": 1, "notes": [{"id": 1}, {"id": 2}]}, {"id": 2}, {"id": 3}]"#,
            journal
        )
        #expect(
            try lines(store) == [
                "insert User#1", "insert User#2", "insert User#3", "insert Note#1",
                "insert Note#2",
            ]
        )
        try store.writer.write { db in try db.execute(sql: "DELETE FROM journal") }
        _ = try load(
            store,
            #"[{"id": 1, "notes": [{"id": 2, "name": "n"}]}, {"id": 2, "name": "b"}]"#,
            journal
        )
        #expect(try lines(store) == ["update User#2", "update Note#2"])
    }

    @Test func `a dry run rolls back the writes of a hook`() throws {
        let store = try store()
        var items = try JSONDocument(Array(#"[{"id": 1}]"#.utf8)).items()
        _ = try Importer(store, hooks: journal).dryRun(&items, into: "User")
        #expect(try lines(store) == [])
    }
}
