import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Imports in the scope of a predicate, which selects the stored rows that may be deleted.
struct PredicateScopeTests {
    private func store() throws -> Store {
        let store = try Store.of(.named("User", [Attribute("age", .integer32)]))
        try store.load(
            "User",
            """
            [{"id": 1, "name": "a", "age": 10}, {"id": 2, "name": "b", "age": 20},
             {"id": 3, "name": "c", "age": 30}]
            """
        )
        return store
    }

    private func load(_ store: Store, _ json: String, where format: String) throws -> String {
        try store.report("User", json, scope: .rows(where: RecordPredicate(format))).text
    }

    @Test func `a predicate that is invalid for the entity throws and changes nothing`() throws {
        let store = try store()
        let before = try table(of: store)
        let error = #expect(throws: RecordPredicateError.self) {
            try load(store, "[]", where: "height > 3")
        }
        #expect(error?.character == 1)
        try expect(table(of: store), is: before)
    }

    @Test func `only rows in scope are deleted, and a row outside is updated, not duplicated`()
        throws
    {
        let store = try store()
        try expect(
            load(store, #"[{"id": 3, "name": "C"}, {"id": 4, "age": 11}]"#, where: "age <= 20"),
            is: "User +1 ~1 -2"
        )
        try expect(
            table(of: store),
            is: """
                User
                #  id  name  age
                3  3   C     30
                4  4   -     11
                """
        )
    }

    @Test func `the scope is evaluated once, before the import changes rows`() throws {
        let store = try store()
        try expect(
            load(store, #"[{"id": 1, "age": 99}]"#, where: "age = 10"),
            is: "User ~1"
        )
        try expect(load(store, "[]", where: "age = 10"), is: "nothing")
        try expect(load(store, "[]", where: "age = 99"), is: "User -1")
    }
}
