import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Children whose key is unique within a parent that is postponed or rejected, because another row
/// has its unique value.
struct UnresolvedParentTests {
    private func store() throws -> Store {
        let store = try Store.of(
            EntityDescription(
                "Item",
                attributes: [.init("id", .integer64), .init("sku", .string)],
                relationships: [.many("subs", "Sub", inverse: "item", .cascade)],
                uniquenessConstraints: [["sku"]]
            ),
            EntityDescription(
                "Sub",
                primaryKey: ["item", "k"],
                attributes: [.init("k", .integer64)],
                relationships: [
                    .one("item", "Item", inverse: "subs"),
                    .many("leaves", "Leaf", inverse: "sub", .cascade),
                    .many("notes", "Note", inverse: "sub", .cascade),
                ]
            ),
            EntityDescription(
                "Leaf",
                primaryKey: ["sub", "n"],
                attributes: [.init("n", .integer64)],
                relationships: [.one("sub", "Sub", inverse: "leaves")]
            ),
            .named("Note", [], .one("sub", "Sub", inverse: "notes"))
        )
        try store.load(
            "Item",
            #"""
            [{"id": 1, "sku": "a", "subs": [
                {"k": 1, "leaves": [{"n": 1}, {"n": 2}]},
                {"k": 2, "notes": [{"id": 7, "name": "kept"}]}]}]
            """#
        )
        return store
    }

    private func tables(_ store: Store) throws -> String {
        try table(of: store, "Item", "Sub", "Leaf", "Note")
    }

    /// Returns a document whose item 2 has the stored `sku` of item 1.
    ///
    /// Item 1 follows with the `sku` of the argument: another one, or the same.
    private func document(_ sku: String) -> String {
        #"""
        [{"id": 2, "sku": "a", "subs": [
             {"k": 1, "leaves": [{"n": 1}], "notes": [{"id": 7}]}]},
         {"id": 1, "sku": "\#(sku)", "subs": [{"k": 1, "leaves": [{"n": 2}]}]}]
        """#
    }

    private static let stored = """
        Item
        #  id  sku  subs
        1  1   b    [[1,1]]
        2  2   a    [[2,1]]

        Sub
        #  k  item  leaves     notes
        1  1  1     [[1,1,2]]  []
        3  1  2     [[2,1,1]]  [7]

        Leaf
        #  n  sub
        2  2  [1,1]
        3  1  [2,1]

        Note
        #  id  name  sub
        1  7   kept  [2,1]
        """

    private static let rejected = """
        Item:2: The row breaks a rule of the store: UNIQUE constraint failed: Item.sku.
        """

    @Test(arguments: [UnresolvedReferencePolicy.deferred, .ignore])
    func `children of a postponed row do not prevent deletions in the lists of other rows`(
        _ unresolved: UnresolvedReferencePolicy
    ) throws {
        let store = try store()
        try expect(
            store.load("Item", document("b"), unresolved: unresolved),
            is: "Item +1 ~1, Leaf +1 =1 -1, Note ~1, Sub +1 =1 -1"
        )
        try expect(tables(store), is: Self.stored)
        try expect(
            store.load("Item", document("b"), unresolved: unresolved),
            is: "Item =2, Leaf =2, Note =1, Sub =2"
        )
        try expect(tables(store), is: Self.stored)
    }

    @Test func `children of a rejected row are stored, and linked when it is imported`() throws {
        let store = try store()
        try expect(
            store.load("Item", document("a")),
            is: "Item =1 !1, Leaf +1 =1 -1, Note ~1, Sub +1 =1 -1, ?1\n\(Self.rejected)"
        )
        let state = try tables(store)
        try expect(
            store.load("Item", document("a")),
            is: "Item =1 !1, Leaf =2, Note =1, Sub =2, ?1\n\(Self.rejected)"
        )
        try expect(tables(store), is: state)
        try expect(
            store.load("Item", document("b")),
            is: "Item +1 ~1, Leaf =2, Note =1, Sub ~1 =1"
        )
        try expect(tables(store), is: Self.stored)
    }

    @Test func `children of a rejected row are not stored if unresolved references are ignored`()
        throws
    {
        let store = try store()
        for report in [
            "Item =1 !1, Leaf =1 -1, Note ~1, Sub =1 -1", "Item =1 !1, Leaf =1, Sub =1",
        ] {
            try expect(
                store.load("Item", document("a"), unresolved: .ignore),
                is: "\(report)\n\(Self.rejected)"
            )
        }
    }

    @Test func `children of a row that the operations exclude are neither written nor deleted`()
        throws
    {
        let store = try store()
        let before = try tables(store)
        try expect(
            store.load(
                "Item",
                #"[{"id": 1, "subs": [{"k": 1, "leaves": [{"n": 1}]}, {"k": 3}]}, {"id": 3}]"#,
                [.insert, .delete]
            ),
            is: "Item +1"
        )
        try expect(
            store.load(
                "Item",
                #"[{"id": 1}, {"id": 4, "subs": [{"k": 1, "leaves": [{"n": 1}]}]}]"#,
                [.update, .delete]
            ),
            is: "Item =1 -1"
        )
        try expect(tables(store), is: before)
    }

    @Test func `a session deletes unlisted children although an item is postponed to its end`()
        throws
    {
        let store = try store()
        let importer = Importer(store)
        let session = ImportSession("items", into: "Item")
        try store.writer.write { db in try importer.begin(db, session) }
        let pages = [
            #"[{"id": 2, "sku": "a", "subs": [{"k": 1, "notes": [{"id": 7}]}]}]"#,
            #"[{"id": 1, "sku": "b", "subs": [{"k": 1, "leaves": [{"n": 2}]}]}]"#,
        ]
        var reports = try pages.map { page in
            var items = try JSONDocument(Array(page.utf8)).items()
            return try store.writer.write { db in try importer.apply(db, &items, of: session).text }
        }
        reports.append(try store.writer.write { db in try importer.finish(db, session).text })
        #expect(
            reports == [
                "Note ~1, Sub +1, ?1", "Item ~1, Leaf =1, Sub =1",
                "Item +1, Leaf -1, Sub ~1 -1",
            ]
        )
        try expect(
            tables(store),
            is: """
                Item
                #  id  sku  subs
                1  1   b    [[1,1]]
                2  2   a    [[2,1]]

                Sub
                #  k  item  leaves     notes
                1  1  1     [[1,1,2]]  []
                3  1  2     []         [7]

                Leaf
                #  n  sub
                2  2  [1,1]

                Note
                #  id  name  sub
                1  7   kept  [2,1]
                """
        )
    }
}
