import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkStore

struct UnresolvedReferenceTests {
    private static let model = Model(entities: [
        .named(
            "User",
            [],
            .one("company", "Company", inverse: "users"),
            .one("profile", "Profile", inverse: "user"),
            .many("tags", "Tag", inverse: "users", isOrdered: true)
        ),
        .named("Company", [], .many("users", "User", inverse: "company")),
        .named("Profile", [], .one("user", "User", inverse: "profile")),
        .named("Tag", [], .many("users", "User", inverse: "tags")),
    ])

    /// Records unresolved references of a row by integer keys.
    private func addUnresolved(
        _ store: Store,
        _ row: String,
        _ relationship: String,
        _ keys: [Int64],
        positions: [Int64]? = nil
    ) throws {
        try store.write { writer in
            let record = try writer.record(RecordLocator(row))
            let layout = try store.layout.entity(record.reference.entity)
            let property = try #require(layout.relationship(relationship))
            try writer.setUnresolved(
                property,
                of: record.reference.number,
                keys: keys.map { [.integer($0)] },
                positions: positions
            )
        }
    }

    private func insert(_ store: Store, _ entity: String, _ ids: Int64...) throws {
        for id in ids { try store.insert(entity, ["id": .integer(id)]) }
    }

    @Test func `references of every kind of relationship resolve when the row arrives`() throws {
        let store = try Store.validated(model: Self.model)
        try insert(store, "User", 1)
        try insert(store, "Company", 5)
        try addUnresolved(store, "User:1", "company", [7])
        try addUnresolved(store, "User:1", "profile", [8])
        try addUnresolved(store, "User:1", "tags", [3, 1, 2], positions: [0, 1, 2])
        try addUnresolved(store, "Company:5", "users", [2])
        try insert(store, "Profile", 7)
        try expect(
            table(of: store, "User", "Company"),
            is: """
                User
                #  id  name  company  profile  tags
                1  1   -     -        -        []

                Company
                #  id  name  users
                1  5   -     []

                Unresolved
                relationship   owner  key  position
                Company.users  5      2    -
                User.company   1      7    -
                User.profile   1      8    -
                User.tags      1      3    0
                User.tags      1      1    1
                User.tags      1      2    2
                """
        )
        try insert(store, "Tag", 2, 3, 4, 1)
        try insert(store, "Company", 7)
        try insert(store, "Profile", 8)
        try insert(store, "User", 2)
        try expect(
            table(of: store),
            is: """
                User
                #  id  name  company  profile  tags
                1  1   -     7        8        [3 1 2]
                2  2   -     5        -        []

                Company
                #  id  name  users
                1  5   -     [2]
                2  7   -     [1]

                Profile
                #  id  name  user
                1  7   -     -
                2  8   -     1

                Tag
                #  id  name  users
                1  2   -     [1]
                2  3   -     [1]
                3  4   -     []
                4  1   -     [1]
                """
        )
    }

    @Test func `an update to the referenced key resolves a reference`() throws {
        let store = try Store.validated(model: Self.model)
        try insert(store, "User", 1)
        try insert(store, "Company", 5)
        try addUnresolved(store, "User:1", "company", [7])
        try store.update("Company:5", ["id": .integer(7)])
        try expect(
            table(of: store, "User"),
            is: """
                User
                #  id  name  company  profile  tags
                1  1   -     7        -        []
                """
        )
    }

    @Test func `a reference is discarded when its owner is relinked, unlinked or deleted`() throws {
        let store = try Store.validated(model: Self.model)
        try insert(store, "User", 1, 2, 3, 4)
        try insert(store, "Company", 5)
        for user in 1...4 { try addUnresolved(store, "User:\(user)", "company", [7]) }
        try store.update("User:1", links: ["company": ["Company:5"]])
        try store.update("User:2", links: ["company": []])
        try store.delete("User:3")
        try addUnresolved(store, "User:4", "company", [8])
        try expect(
            table(of: store, "User"),
            is: """
                User
                #  id  name  company  profile  tags
                1  1   -     5        -        []
                2  2   -     -        -        []
                4  4   -     -        -        []

                Unresolved
                relationship  owner  key  position
                User.company  4      8    -
                """
        )
        try insert(store, "Company", 7)
        try expect(
            table(of: store, "Company"),
            is: """
                Company
                #  id  name  users
                1  5   -     [1]
                2  7   -     []

                Unresolved
                relationship  owner  key  position
                User.company  4      8    -
                """
        )
    }

    @Test func `composite keys match as a whole, and texts do not match numbers`() throws {
        let store = try Store.of(
            EntityDescription(
                "Order",
                primaryKey: ["store", "number"],
                attributes: [.init("store", .integer64), .init("number", .string)]
            ),
            .named("Item", [], .one("order", "Order")),
            EntityDescription(
                "Country",
                primaryKey: ["code"],
                attributes: [.init("code", .string)]
            ),
            .named("City", [], .one("country", "Country"))
        )
        try insert(store, "Item", 1)
        try insert(store, "City", 1)
        try store.write { writer in
            var number = "7,'8"
            try number.withUTF8 { bytes in
                let text = StoredValue.text(UnsafeRawBufferPointer(bytes))
                let order = try #require(store.layout.entity("Item").relationship("order"))
                try writer.setUnresolved(order, of: 1, keys: [[.integer(1), text]])
                let country = try #require(store.layout.entity("City").relationship("country"))
                try writer.setUnresolved(country, of: 1, keys: [[text]])
            }
        }
        try store.insert("Order", ["store": .integer(1), "number": .string("7")])
        try store.insert("Order", ["number": .string("7,'8")])
        try store.insert("Country", ["code": .string("7")])
        try expect(
            table(of: store, "Item", "City"),
            is: """
                Item
                #  id  name  order
                1  1   -     -

                City
                #  id  name  country
                1  1   -     -

                Unresolved
                relationship  owner  key              position
                City.country  1      '7,''8'          -
                Item.order    1      '1,''7,''''8'''  -
                """
        )
        try store.insert("Order", ["store": .integer(1), "number": .string("7,'8")])
        try store.insert("Country", ["code": .string("7,'8")])
        try expect(
            table(of: store, "Item", "City"),
            is: """
                Item
                #  id  name  order
                1  1   -     [1,7,'8]

                City
                #  id  name  country
                1  1   -     7,'8
                """
        )
    }

    @Test func `rows of sub-entities resolve a reference, rows of the parent do not`() throws {
        let store = try Store.of(
            .named("Vehicle"),
            .named("Car", parent: "Vehicle"),
            .named("Sedan", parent: "Car"),
            .named("Driver", [], .one("car", "Car"))
        )
        try insert(store, "Driver", 1, 2)
        try addUnresolved(store, "Driver:1", "car", [1])
        try addUnresolved(store, "Driver:2", "car", [2])
        try insert(store, "Vehicle", 1)
        try insert(store, "Sedan", 2)
        try expect(
            table(of: store, "Driver"),
            is: """
                Driver
                #  id  name  car
                1  1   -     -
                2  2   -     2

                Unresolved
                relationship  owner  key  position
                Driver.car    1      1    -
                """
        )
    }

    @Test func `an owner deleted by another writer is skipped`() throws {
        let store = try Store.validated(model: Self.model)
        try insert(store, "User", 1)
        try addUnresolved(store, "User:1", "company", [7])
        try store.writer.write { try $0.execute(sql: "DELETE FROM User") }
        try expect(
            table(of: store, "User"),
            is: """
                User: no rows

                Unresolved
                relationship  owner        key  position
                User.company  #1, deleted  7    -
                """
        )
        try insert(store, "Company", 7)
        try expect(
            table(of: store, "User", "Company"),
            is: """
                User: no rows

                Company
                #  id  name  users
                1  7   -     []
                """
        )
    }

    @Test func `resolves more references at once than one batch holds`() throws {
        let store = try Store.validated(model: Self.model)
        try insert(store, "User", 1)
        let keys = (1...12_000).map(Int64.init)
        try addUnresolved(store, "User:1", "tags", keys.reversed(), positions: keys)
        try store.write { writer in
            for key in keys {
                try writer.insert("Tag", values: ["id": .integer(key)])
            }
        }
        let links = try store.read {
            try $0.record(RecordLocator("User:1")).links["tags"]
        }
        #expect(links?.map(\.number) == keys.reversed())
        let property = try store.read { try $0.unresolvedReferenceCount() }
        #expect(property == 0)
    }

    @Test func `references that cannot be linked do not stop the linking of others`() throws {
        let comment = EntityDescription(
            "Comment",
            primaryKey: ["post", "id"],
            attributes: [Attribute("id", .integer64)],
            relationships: [.one("post", "Post", inverse: "comments")]
        )
        let store = try Store.of(
            .named("Post", [], .many("comments", "Comment", inverse: "post")),
            comment
        )
        // More comments of the same key than one batch links, as another program may insert them.
        try store.writer.write { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10002)
                    INSERT INTO Comment (_id, id) SELECT i, i / 10002 FROM n;
                    INSERT INTO _tidemark_held (relationship, owner, destination, key)
                    SELECT 'Comment.post', _id, 'Post', 1 FROM Comment ORDER BY _id
                    """
            )
        }
        try insert(store, "Post", 1)
        let linked = try store.writer.read { db in
            try Int64.fetchAll(db, sql: "SELECT _id FROM Comment WHERE post = 1 ORDER BY _id")
        }
        #expect(linked == [1, 10_002])
        let left = try store.read { db in try db.unresolvedReferenceCount() }
        #expect(left == 10_000)
    }

    @Test func `unresolved references are kept when the store is closed`() throws {
        let folder = try Folder()
        let path = folder.filePath("store.sqlite")
        do {
            let store = try Store.validated(at: path, model: Self.model)
            try insert(store, "User", 1)
            try addUnresolved(store, "User:1", "company", [7])
        }
        let store = try Store.validated(at: path)
        try insert(store, "Company", 7)
        try expect(
            table(of: store, "User"),
            is: """
                User
                #  id  name  company  profile  tags
                1  1   -     7        -        []
                """
        )
    }
}
