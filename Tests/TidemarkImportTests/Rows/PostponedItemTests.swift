import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Items that are postponed because another row has their unique value, and later items that
/// affect them.
struct PostponedItemTests {
    private func store() throws -> Store {
        let store = try Store.validated(
            model: Model(entities: [
                EntityDescription(
                    "User",
                    attributes: [
                        .init("id", .integer64), .init("email", .string), .init("name", .string),
                    ],
                    uniquenessConstraints: [["email"]]
                )
            ])
        )
        try store.load("User", #"[{"id": 1, "email": "a"}, {"id": 2, "email": "b"}]"#)
        return store
    }

    // MARK: Later items

    @Test func `a postponed item is applied before the object of a later page with its key`() throws
    {
        let store = try store()
        let reports = try store.importPages(
            "User",
            [
                #"[{"id": 1, "email": "b", "name": "OLD"}]"#,
                #"[{"id": 1, "email": "c", "name": "NEW"}]"#,
                #"[{"id": 2, "email": "d", "name": "two"}]"#,
            ]
        )
        #expect(reports == ["nothing", "nothing", "User ~1", "User ~1"])
        try expect(
            table(of: store, "User"),
            is: """
                User
                #  id  email  name
                1  1   c      NEW
                2  2   d      two
                """
        )
    }

    @Test(arguments: [
        #""1""#, #""https://h/users/1/""#, #""https://elsewhere/1""#, #""/users/1""#, "1.0", "1e0",
    ])
    func `a later item with the key of a postponed one is postponed, in any spelling`(
        key: String
    ) throws {
        let store = try store()
        try expect(
            store.load(
                "User",
                #"""
                [{"id": 1, "email": "b", "name": "OLD"}, {"id": \#(key), "email": "c"},
                 {"id": 2, "email": "d"}]
                """#
            ),
            is: """
                User ~2
                User:\(key.filter { $0 != "\"" }), id: The document has several objects with this key.
                """
        )
        try expect(
            table(of: store, "User"),
            is: """
                User
                #  id  email  name
                1  1   c      OLD
                2  2   d      -
                """
        )
    }

    @Test func `postponed items with commas in different parts of their keys are distinguished`()
        throws
    {
        let store = try Store.validated(
            model: Model(entities: [
                EntityDescription(
                    "Item",
                    primaryKey: ["a", "b"],
                    attributes: [
                        .init("a", .string), .init("b", .string), .init("email", .string),
                    ],
                    uniquenessConstraints: [["email"]]
                )
            ])
        )
        try store.load("Item", #"[{"a": "x", "b": "y", "email": "m"}]"#)
        try expect(
            store.load(
                "Item",
                #"""
                [{"a": "p,q", "b": "r", "email": "m"}, {"a": "p", "b": "q,r", "email": "n"},
                 {"a": "p','q", "b": "r", "email": "o"}, {"a": "x", "b": "y", "email": "z"}]
                """#
            ),
            is: "Item +3 ~1"
        )
        try expect(
            store.anonymousTables(),
            is: """
                Item
                a      b    email
                p      q,r  n
                p','q  r    o
                p,q    r    m
                x      y    z
                """
        )
    }

    @Test func `an import inside a hook does not affect postponed items`() throws {
        let store = try store()
        let other = Importer(store)
        let hooks = ImportHooks(willImport: { reader, item, _ in
            guard item.node(at: "id")?.string == "2" else { return .keep }
            let text = #"[{"id": 8, "email": "a"}, {"id": 1, "name": "ONE"}]"#
            var items = try JSONDocument(Array(text.utf8)).items()
            let options = ImportOptions(operations: .upsert)
            _ = try other.import(reader.db, &items, into: "User", options: options)
            return .keep
        })
        let text = #"[{"id": 1, "email": "b"}, {"id": "2", "email": "c"}]"#
        var items = try JSONDocument(Array(text.utf8)).items()
        _ = try Importer(store, hooks: hooks).import(&items, into: "User")
        try expect(
            table(of: store, "User"),
            is: """
                User
                #  id  email  name
                1  1   b      ONE
                2  2   c      -
                """
        )
    }

    // MARK: Unique values of other rows

    private func kennel(isRequired: Bool) throws -> Store {
        let store = try Store.validated(
            model: Model(entities: [
                EntityDescription(
                    "Person",
                    attributes: [.init("id", .integer64), .init("email", .string)],
                    relationships: [.many("pets", "Pet", inverse: "owner", .cascade)],
                    uniquenessConstraints: [["email"]]
                ),
                EntityDescription(
                    "Pet",
                    attributes: [.init("tag", .string, isOptional: !isRequired)],
                    relationships: [.one("owner", "Person", inverse: "pets")],
                    uniquenessConstraints: [["tag"]]
                ),
            ])
        )
        try store.load(
            "Person",
            #"""
            [{"id": 1, "email": "e1", "pets": [{"tag": "x"}]},
             {"id": 2, "email": "e2", "pets": [{"tag": "z"}]},
             {"id": 4, "email": "m"}, {"id": 5, "email": "n"}]
            """#
        )
        return store
    }

    /// Items of which 3 is postponed until 4 changes its email.
    ///
    /// The pet of 3 is postponed with it; the pets of 1 and 2 swap the tag that it has.
    private static let swap = [
        #"{"id": 3, "email": "m", "pets": [{"tag": "z"}]}"#,
        #"{"id": 1, "email": "e1", "pets": [{"tag": "z"}]}"#,
        #"{"id": 2, "email": "e2", "pets": [{"tag": "x"}]}"#,
        #"{"id": 4, "email": "n"}, {"id": 5, "email": "q"}"#,
    ]

    private static let swapped = """
        Person
        #  id  email  pets
        1  1   e1     [#1]
        2  2   e2     [#2]
        3  4   n      []
        4  5   q      []
        5  3   m      []

        Pet
        #  tag  owner
        1  z    1
        2  x    2
        """

    private static let rejection =
        "Pet: The row breaks a rule of the store: UNIQUE constraint failed: Pet.tag."

    @Test(arguments: [true, false])
    func `a new row with a value that two others swap is rejected, and they swap it`(
        isRequired: Bool
    ) throws {
        let store = try kennel(isRequired: isRequired)
        let document = "[\(Self.swap.joined(separator: ","))]"
        try expect(
            store.load("Person", document),
            is: "Person +1 ~2 =2, Pet ~2 !1\n\(Self.rejection)"
        )
        try expect(table(of: store, "Person", "Pet"), is: Self.swapped)
        try expect(
            store.load("Person", document),
            is: "Person =5, Pet =2 !1\n\(Self.rejection)"
        )
    }

    @Test(arguments: [true, false])
    func `a session finishes if three rows compete for two values, and rejected rows keep theirs`(
        isRequired: Bool
    ) throws {
        let store = try kennel(isRequired: isRequired)
        let reports = try store.importPages("Person", Self.swap.map { "[\($0)]" })
        // When the session finishes, 3 is imported, and its pet is the first to request the tag of
        // the pet of 2, so that the pet of 1 cannot take it.
        #expect(
            reports == [
                "nothing", "Person =1", "Person =1", "Person ~2",
                "Person +1, Pet !3\n\(Self.rejection) ×3",
            ]
        )
        try expect(
            table(of: store, "Person", "Pet"),
            is: Self.swapped.replacing("z    1", with: "x    1").replacing("x    2", with: "z    2")
        )
    }
}

extension Store {
    /// Imports a list page by page, and returns the report of each page and that of the end.
    fileprivate func importPages(_ entity: String, _ pages: [String]) throws -> [String] {
        let importer = Importer(self)
        let session = ImportSession("list", into: entity)
        try writer.write { db in try importer.begin(db, session) }
        let reports = try pages.map { page in
            var items = try JSONDocument(Array(page.utf8)).items()
            return try writer.write { db in try importer.apply(db, &items, of: session).text }
        }
        let last = try writer.write { db in try importer.finish(db, session).text }
        return reports + [last]
    }
}
