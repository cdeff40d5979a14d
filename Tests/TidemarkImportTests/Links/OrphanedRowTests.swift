import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Deletion of rows that were inserted without a key and that no row links to any more.
struct OrphanedRowTests {
    private static let toy = EntityDescription("Toy", attributes: [Attribute("name", .string)])

    /// Returns a store of posts with authors, authors with pets, and pets with toys.
    ///
    /// `Toy` has no primary key.
    private func store() throws -> Store {
        try .of(
            .named("Post", [], .one("author", "Author", inverse: "posts")),
            .named(
                "Author",
                [],
                .many("posts", "Post", inverse: "author"),
                .one("pet", "Pet")
            ),
            .named("Pet", [], .one("toy", "Toy")),
            Self.toy
        )
    }

    private static let nested =
        #""author": {"name": "Ada", "pet": {"name": "Rex", "toy": {"name": "ball"}}}"#

    private static let onlyPost = """
        Post
        #  id  name  author
        1  1   -     -

        Author: no rows

        Pet: no rows

        Toy: no rows
        """

    @Test(arguments: [ImportOperations.all, .upsert])
    func `deleting a row without a key deletes those that it contains, at any depth`(
        _ operations: ImportOperations
    ) throws {
        let store = try store()
        for _ in 1...3 {
            try store.load("Post", #"[{"id": 1, \#(Self.nested)}]"#, operations)
            try expect(
                store.load("Post", #"[{"id": 1, \#(Self.nested)}]"#, operations),
                is: "Author =1, Pet =1, Post =1, Toy =1"
            )
            try expect(
                store.load("Post", #"[{"id": 1, "author": null}]"#, operations),
                is: "Author -1, Pet -1, Post ~1, Toy -1"
            )
            try expect(
                store.load("Post", #"[{"id": 1, "author": null}]"#, operations),
                is: "Post =1"
            )
        }
        try expect(table(of: store), is: Self.onlyPost)
        try store.writer.read { db in
            let sql = "SELECT count(*) FROM _tidemark_keyless"
            try #expect(Int.fetchOne(db, sql: sql) == 0)
        }
    }

    @Test func `deleting a row with a key deletes rows without a key that only it contains`() throws
    {
        let store = try store()
        try store.load(
            "Post",
            #"[{"id": 1}, {"id": 2, \#(Self.nested)}, {"id": 3, "author": {"id": 4, "pet": {}}}]"#
        )
        try expect(
            store.load("Post", #"[{"id": 1}]"#),
            is: "Author -1, Pet -1, Post =1 -2, Toy -1"
        )
        // A row with a key is kept, and so are the rows that it contains.
        try expect(
            table(of: store),
            is: """
                Post
                #  id  name  author
                1  1   -     -

                Author
                #  id  name  posts  pet
                2  4   -     []     #2

                Pet
                #  id  name  toy
                2  -   -     -

                Toy: no rows
                """
        )
        try expect(store.load("Author", "[]"), is: "Author -1, Pet -1")
        try expect(table(of: store), is: Self.onlyPost)
    }

    @Test func `a row without a key is kept while a row with a key or a user's row links to it`()
        throws
    {
        let store = try store()
        try store.load("Post", #"[{"id": 1}, {"id": 2, \#(Self.nested)}]"#)
        try store.insert("Author", ["name": .string("mine")], links: ["pet": ["Pet#1"]])
        try expect(
            store.load("Post", #"[{"id": 1}, {"id": 2, "author": null}]"#),
            is: "Author -1, Post ~1 =1"
        )
        try store.update("Post:1", links: ["author": ["Author#2"]])
        try expect(store.load("Post", #"[{"id": 1, "author": null}]"#), is: "Post ~1 -1")
        try expect(
            table(of: store, "Author", "Pet", "Toy"),
            is: """
                Author
                #  id  name  posts  pet
                2  -   mine  []     #1

                Pet
                #  id  name  toy
                1  -   Rex   #1

                Toy
                #  name
                1  ball
                """
        )
    }

    @Test func `a child without a key removed from its list is deleted with the rows it contains`()
        throws
    {
        let store = try Store.of(
            .named("Order", [], .many("lines", "Line", inverse: "order", .cascade)),
            EntityDescription(
                "Line",
                attributes: [Attribute("sku", .string)],
                relationships: [
                    .one("order", "Order", inverse: "lines"), .one("product", "Product"),
                ]
            ),
            .named("Product", [], .one("maker", "Maker")),
            .named("Maker")
        )
        let line = #"{"sku": "a", "product": {"name": "b", "maker": {"name": "c"}}}"#
        for _ in 1...2 {
            try store.load("Order", #"[{"id": 1, "lines": [\#(line), \#(line)]}]"#)
            try expect(
                store.load("Order", #"[{"id": 1, "lines": [\#(line)]}]"#, .upsert),
                is: "Line =1 -1, Maker =1 -1, Order =1, Product =1 -1"
            )
            try expect(
                store.load("Order", "[]"),
                is: "Line -1, Maker -1, Order -1, Product -1"
            )
        }
    }

    @Test(arguments: [("Badge", "Child"), ("Child", "Badge")])
    func `replacing a one-to-one link from the other side deletes the row without a key`(
        _ owner: String,
        _ part: String
    ) throws {
        // Which table has the column of the link depends on the names of the entities.
        let store = try Store.of(
            .named(owner, [], .one("part", part, inverse: "owner")),
            .named(part, [], .one("owner", owner, inverse: "part"), .one("toy", "Toy")),
            Self.toy
        )
        let object = #"{"id": 1, "part": {"name": "a", "toy": {"name": "ball"}}}"#
        try store.load(owner, "[\(object), {\"id\": 2}]")
        try store.load(part, #"[{"id": 5, "owner": 1}]"#, .upsert)
        try expect(
            table(of: store, part, "Toy"),
            is: """
                \(part)
                #  id  name  owner  toy
                2  5   -     1      -

                Toy: no rows
                """
        )
        // The same for a reference that was unresolved at first.
        try store.load(part, #"[{"id": 6, "owner": 3}]"#, .upsert)
        try store.load(owner, #"[{"id": 2, "part": {"name": "b"}}]"#, .upsert)
        try store.load(part, #"[{"id": 6, "owner": 2}]"#, .upsert)
        try expect(
            table(of: store, part),
            is: """
                \(part)
                #  id  name  owner  toy
                2  5   -     1      -
                3  6   -     2      -
                """
        )
    }

    @Test func `rows without a key that only link to each other are deleted`() throws {
        let store = try Store.of(
            .named("Post", [], .one("author", "Author")),
            .named("Author", [], .one("pet", "Pet", inverse: "owner")),
            .named("Pet", [], .one("owner", "Author", inverse: "pet"), .one("friend", "Author"))
        )
        let author = #"{"name": "a", "pet": {"name": "b"}}"#
        try store.load("Post", #"[{"id": 1, "author": \#(author)}, {"id": 2}]"#)
        try store.update("Pet#1", links: ["friend": ["Author#1"]])
        try store.update("Post:2", links: ["author": ["Author#1"]])
        let linked = #"[{"id": 1, "author": null}, {"id": 2}]"#
        try expect(store.load("Post", linked), is: "Post ~1 =1")
        try expect(
            store.load("Post", #"[{"id": 1}, {"id": 2, "author": null}]"#),
            is: "Author -1, Pet -1, Post ~1 =1"
        )
    }

    @Test func `a row that the same document inserts and unlinks is deleted`() throws {
        let store = try store()
        for _ in 1...2 {
            try store.load("Post", #"[{"id": 1, \#(Self.nested)}, {"id": 1, "author": null}]"#)
            try expect(table(of: store), is: Self.onlyPost)
        }
    }

    @Test(arguments: [
        ("Post", #"[{"id": 1, "author": 5}]"#, ImportOperations.all),
        ("Post", #"[{"id": 1, "author": {"id": 5}}, {"id": 1, "author": {"id": null}}]"#, .all),
        ("Author", #"[{"id": 5, "posts": [{"id": 1}]}]"#, .upsert),
        ("Author", #"[{"id": 5, "post_ids": [1]}]"#, .upsert),
    ])
    func `a row without a key is deleted however its link is replaced`(
        _ entity: String,
        _ document: String,
        _ operations: ImportOperations
    ) throws {
        let store = try store()
        try store.load("Author", #"[{"id": 5}]"#)
        try store.load("Post", #"[{"id": 1, \#(Self.nested)}]"#)
        try store.load(entity, document, operations)
        try expect(
            table(of: store, "Author", "Pet", "Toy"),
            is: """
                Author
                #  id  name  posts  pet
                1  5   -     [1]    -

                Pet: no rows

                Toy: no rows
                """
        )
    }

    @Test func `a relationship that unlinks orphans keeps rows without a key`() throws {
        let store = try Store.of(
            .named(
                "Post",
                [],
                Relationship("author", to: "Author", orphans: .unlink)
            ),
            .named("Author", [], .one("pet", "Pet")),
            .named("Pet")
        )
        let author = #"{"name": "a", "pet": {"name": "b"}}"#
        try store.load("Post", #"[{"id": 1, "author": \#(author)}]"#)
        try expect(store.load("Post", #"[{"id": 1, "author": null}]"#), is: "Post ~1")
        try expect(store.load("Post", "[]"), is: "Post -1")
    }

    @Test func `a chain of 10,000 rows without a key is deleted at once`() throws {
        let store = try Store.of(
            .named("Post", [], .one("first", "Item")),
            .named("Item", [], .one("next", "Item"))
        )
        try store.load("Post", #"[{"id": 1, "first": {"name": "a"}}]"#)
        try store.writer.write { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (VALUES (2) UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
                    INSERT INTO Item (_id, "next") SELECT i, NULL FROM n;
                    UPDATE Item SET "next" = _id + 1 WHERE _id < 10000;
                    INSERT INTO _tidemark_keyless (entity, "row")
                    SELECT 'Item', _id FROM Item WHERE _id > 1;
                    """
            )
        }
        try expect(store.load("Post", #"[{"id": 1, "first": 5}]"#), is: "Item -10000, Post ~1, ?1")
    }
}
