import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Objects without a usable key in to-one relationships to entities that have a primary key.
struct KeylessObjectTests {
    private func store() throws -> Store {
        let store = try Store.of(
            .named(
                "Post",
                [],
                .one("author", "Author"),
                .one("seat", "Seat"),
                .one("next", "Post")
            ),
            .named("Author"),
            EntityDescription(
                "Seat",
                primaryKey: ["row", "number"],
                attributes: [
                    Attribute("row", .string), Attribute("number", .integer16),
                    Attribute("note", .string),
                ]
            )
        )
        try store.load(
            "Post",
            """
            [{"id": 1, "author": {"id": 5, "name": "Ada"}, "seat": {"row": "A", "number": 1}},
             {"id": 2, "author": 5}, {"id": 3}]
            """
        )
        return store
    }

    @Test(
        arguments: [
            (#""author": {"id": null, "name": "Nemo"}"#, "Author", "id"),
            (#""author": {"id": null}"#, "Author", "id"),
            (#""seat": {"row": "A", "number": null, "note": "a"}"#, "Seat", "row, number"),
            (#""seat": {"row": "A", "note": "a"}"#, "Seat", "row, number"),
            (#""seat": {"row": "B"}"#, "Seat", "row, number"),
        ],
        [1, 3]
    )
    func `an object with a null or partial key neither updates nor inserts a row`(
        _ object: (member: String, entity: String, key: String),
        _ post: Int
    ) throws {
        let store = try store()
        let before = try table(of: store)
        let document = #"[{"id": \#(post), \#(object.member)}]"#
        let (entity, key) = (object.entity, object.key)
        let counts = entity == "Author" ? "Author !1, Post =1" : "Post =1, Seat !1"
        try expect(
            store.load("Post", document, .upsert),
            is: "\(counts)\n\(entity), \(key): The object has no usable primary key."
        )
        try expect(table(of: store), is: before)
        #expect(throws: ImportError.self) {
            try store.load("Post", document, .upsert, invalid: .abort)
        }
    }

    @Test func `an object with a null key prevents deletions, because it may be any row`() throws {
        let store = try store()
        try store.load("Post", #"[{"id": 1, "next": {"id": 2}}]"#, .upsert)
        try expect(
            store.load("Post", #"[{"id": 1, "next": {"id": null, "name": "a"}}]"#),
            is: """
                Post =1 !1
                Post, id: The object has no usable primary key.
                Post: No rows were deleted: an object without a usable primary key may be any of them.
                """
        )
    }

    @Test func `an object without any part of the key updates the linked row`() throws {
        let store = try store()
        try expect(
            store.load("Post", #"[{"id": 1, "author": {"name": "Grace"}, "seat": {}}]"#, .upsert),
            is: "Author ~1, Post =1, Seat =1"
        )
    }

    @Test(arguments: [
        (#""seat": null"#, 0), (#""seat_row": null"#, 0),
        (#""seat": {"row": "B", "number": 1}"#, 1),
        (#""seat_row": "C", "seat_number": 1"#, 0), (#""seat": {"note": "b"}"#, 1),
        (#""name": "a""#, 1),
    ])
    func `a row inserted without a key is deleted when its link is replaced`(
        _ member: String,
        _ count: Int
    ) throws {
        let store = try store()
        try store.load("Seat", "[]")
        for _ in 1...3 {
            try store.load("Post", #"[{"id": 1, "seat": {"note": "a"}}]"#, .upsert)
            try store.load("Post", #"[{"id": 1, \#(member)}]"#, .upsert)
            try #expect(seats(store).count == count)
            if member.contains("\"B\"") {
                // A row with a key is kept.
                try store.load("Post", #"[{"id": 1, "seat": null}]"#, .upsert)
            }
        }
        try store.load("Post", #"[{"id": 1, "seat": null}]"#, .upsert)
        try store.writer.read { db in
            let sql = "SELECT count(*) FROM _tidemark_keyless"
            try #expect(Int.fetchOne(db, sql: sql) == 0)
        }
    }

    private func seats(_ store: Store) throws -> [String] {
        try store.read { db in
            try db.fetch(RecordRequest("Seat")).map(\.reference.description)
        }
    }

    @Test func `a row without a key that the user inserted is kept when its link is replaced`()
        throws
    {
        let store = try store()
        try store.load("Seat", "[]")
        try store.insert("Seat", ["note": .string("mine")])
        try store.insert("Post", ["id": .integer(4)], links: ["seat": ["Seat#2"]])
        for _ in 1...2 {
            try store.load("Post", #"[{"id": 1, "seat": {"note": "a"}}]"#, .upsert)
            try store.load("Post", #"[{"id": 1, "seat": null}, {"id": 4, "seat": null}]"#, .upsert)
            try #expect(seats(store) == ["Seat#2"])
        }
    }

    @Test func `a row without a key is kept while another row links to it`() throws {
        let store = try store()
        try store.load("Seat", "[]")
        try store.load("Post", #"[{"id": 1, "seat": {"note": "a"}}]"#, .upsert)
        try store.insert("Post", ["id": .integer(4)], links: ["seat": ["Seat#2"]])
        try expect(store.load("Post", #"[{"id": 1, "seat": null}]"#, .upsert), is: "Post ~1")
        try expect(
            store.load("Post", #"[{"id": 4, "seat": null}]"#, .upsert),
            is: "Post ~1, Seat -1"
        )
    }

    @Test func `a row without a key is kept while its list contains a row with a key`() throws {
        let store = try Store.of(
            .named("Post", [], .one("album", "Album")),
            .named("Album", [], .many("photos", "Photo", inverse: "album", .cascade)),
            .named("Photo", [], .one("album", "Album", inverse: "photos"))
        )
        try store.load("Post", #"[{"id": 1, "album": {"name": "a", "photos": [{"id": 7}]}}]"#)
        try expect(store.load("Post", #"[{"id": 1, "album": null}]"#), is: "Post ~1")
    }

    @Test func `a migration discards the record of rows without a key, so that they are kept`()
        throws
    {
        let store = try store()
        try store.load("Seat", "[]")
        try store.load("Post", #"[{"id": 1, "seat": {"note": "a"}}]"#, .upsert)
        var entities = store.layout.model.entities
        entities.append(.named("Tag"))
        let migrated = try store.migrate(to: Model(entities: entities))
        try migrated.load("Post", #"[{"id": 1, "seat": null}]"#, .upsert)
        try #expect(seats(migrated) == ["Seat#2"])
    }

    @Test func `a one-to-one row without a key is deleted when its link is replaced`() throws {
        let store = try Store.of(
            .named("User", [], .one("profile", "Profile", inverse: "user")),
            .named("Profile", [], .one("user", "User", inverse: "profile"))
        )
        for link in ["null", "7", #"{"id": 8}"#] {
            try store.load("User", #"[{"id": 1, "profile": {"name": "a"}}]"#)
            try store.load("User", #"[{"id": 1, "profile": \#(link)}]"#)
            try store.read { db in
                let rows = try db.fetch(RecordRequest("Profile"))
                #expect(rows.allSatisfy { $0["id"] != .null }, "\(link)")
            }
            try store.load("User", #"[{"id": 1, "profile": null}]"#)
        }
    }
}
