import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkStore

/// Rows without a primary key that contain others: all are parts of the row with the key.
struct NestedPartTests {
    private static let model = Model(entities: [
        .named("User", [], .many("addresses", "Address", inverse: "owner", .cascade)),
        EntityDescription(
            "Address",
            attributes: [Attribute("city", .string)],
            relationships: [
                .one("owner", "User", inverse: "addresses"),
                .many("lines", "Line", inverse: "address", isOrdered: true, .cascade),
                .one("map", "Map"), .many("photos", "Photo"),
            ]
        ),
        EntityDescription(
            "Line",
            attributes: [Attribute("text", .string)],
            relationships: [.one("address", "Address", inverse: "lines")]
        ),
        EntityDescription("Map", attributes: [Attribute("scale", .integer64)]),
        EntityDescription("Photo", attributes: [Attribute("file", .string)]),
    ])

    /// A store in which no part has the number of the row that contains it.
    private static func store() throws -> Store {
        try Notebook.store(model) { db in
            try db.execute(
                sql: """
                    INSERT INTO User (id, name) VALUES (1, 'Ada'), (2, 'Ben');
                    INSERT INTO Map (_id, scale) VALUES (31, 10), (32, 20);
                    INSERT INTO Address (_id, city, owner, map) VALUES
                        (11, 'Rom', 1, 31), (12, 'Bern', 1, 32), (13, 'Graz', 2, NULL);
                    INSERT INTO Line (_id, text, address, _lines_position) VALUES
                        (21, 'one', 11, 0), (22, 'two', 11, 1), (23, 'three', 12, 0);
                    INSERT INTO Photo (_id, file) VALUES (41, 'a'), (42, 'b'), (43, 'c');
                    INSERT INTO _tidemark_Address_photos (owner, member) VALUES
                        (11, 41), (11, 42), (12, 43);
                    """
            )
        }
    }

    @Test(arguments: [
        "UPDATE Line SET text = 'x'",
        "DELETE FROM Line WHERE _id = 21",
        "DELETE FROM Line",
        "INSERT INTO Line (text, address) VALUES ('x', 12)",
        "INSERT INTO Line (text, address) VALUES ('x', 12); UPDATE Line SET address = 11",
        "UPDATE Line SET address = 12",
        "UPDATE Line SET address = 13",
        "UPDATE Line SET _lines_position = 1 - _lines_position WHERE address = 11",
        "DELETE FROM Line WHERE address = 11; DELETE FROM Address WHERE _id = 11",
        "DELETE FROM Address WHERE _id = 11",
        "DELETE FROM Address",
        "DELETE FROM User",
        "UPDATE Map SET scale = 1",
        "DELETE FROM Map",
        "UPDATE Address SET map = 31 WHERE _id = 13",
        "UPDATE Address SET map = NULL; DELETE FROM Map",
        "UPDATE Photo SET file = 'x'",
        "DELETE FROM Photo",
        "DELETE FROM _tidemark_Address_photos; DELETE FROM Photo",
        "UPDATE _tidemark_Address_photos SET owner = 13 WHERE member = 41",
        """
        INSERT INTO Address (_id, city, owner) VALUES (14, 'Prag', 2);
        INSERT INTO Line (text, address) VALUES ('x', 14)
        """,
        "UPDATE Address SET owner = 2",
        "UPDATE Address SET owner = 2 WHERE _id = 11; UPDATE Line SET text = 'x'",
        "UPDATE Address SET owner = 2 WHERE _id = 11; DELETE FROM Line",
    ])
    func `discarding restores parts of parts`(_ edit: String) throws {
        let store = try Self.store()
        let before = try StoreRows(store).text
        try store.run(edit)
        #expect(try StoreRows(store).text != before)
        let recorded = try store.outbox()
        #expect(!recorded.isEmpty)
        try store.discardAll()
        try expect(StoreRows(store).text, is: before)
        try expect(store.outbox(), is: "")
    }

    /// Another program has inserted the part itself: no row contained it then.
    @Test func `discarding removes the links to inserted parts`() throws {
        let store = try Self.store()
        let before = try StoreRows(store).text
        try store.run(
            """
            INSERT INTO Photo (_id, file) VALUES (44, 'x');
            INSERT INTO _tidemark_Address_photos (owner, member) VALUES (13, 44);
            INSERT INTO Map (_id, scale) VALUES (33, 5); UPDATE Address SET map = 33 WHERE _id = 13
            """
        )
        try store.discardAll()
        try store.run("DELETE FROM Photo WHERE _id = 44; DELETE FROM Map WHERE _id = 33")
        try expect(StoreRows(store).text, is: before)
        try expect(store.outbox(), is: "")
    }
}
