import GRDB
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkStore

/// Stores of notes that record local changes.
enum Notebook {
    static let model = Model(entities: [
        EntityDescription(
            "Note",
            attributes: [
                Attribute("id", .integer64), Attribute("text", .string),
                Attribute("rank", .integer64, isExportable: false),
            ],
            relationships: [
                .one("user", "User", inverse: "notes"),
                .many("tags", "Tag", inverse: "notes", isOrdered: true),
            ]
        ),
        EntityDescription("Memo", parent: "Note", attributes: [Attribute("price", .decimal)]),
        .named(
            "User",
            [],
            .many("notes", "Note", inverse: "user", isOrdered: true, .cascade),
            .many("addresses", "Address", inverse: "owner", isOrdered: true, .cascade),
            .one("home", "Address"),
            .many("places", "Address")
        ),
        .named("Tag", [], .many("notes", "Note", inverse: "tags")),
        EntityDescription(
            "Address",
            attributes: [Attribute("city", .string), Attribute("floor", .integer16)],
            relationships: [.one("owner", "User", inverse: "addresses")]
        ),
    ])

    /// Creates a store whose rows are known to a service.
    ///
    /// Users 1 and 2, their notes 1 and 2 and the memo 3 (of 1), the tags 1 to 3, all with their
    /// numbers as keys. Note 1 has the tags 2 and 1, memo 3 the tag 3. User 1 has the addresses 1
    /// and 2, the home 3, and the place 4.
    static func store(
        _ model: Model = model,
        path: String? = nil,
        filledBy fill: (Database) throws -> Void = fill
    ) throws -> Store {
        let store =
            try path.map { try Store.validated(at: $0, model: model) }
            ?? Store.validated(model: model)
        try store.writer.write { db in
            try fill(db)
            try Capture.install(db, store.layout)
        }
        return store
    }

    private static func fill(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO User (id, name) VALUES (1, 'Ada'), (2, 'Ben');
                INSERT INTO Note (_entity, id, text, rank, user, _notes_position) VALUES
                    ('Note', 1, 'one', 10, 1, 0), ('Note', 2, 'two', 20, 2, 0);
                INSERT INTO Note (_entity, id, text, price, user, _notes_position) VALUES
                    ('Memo', 3, 'three', '3.50', 1, 1);
                INSERT INTO Tag (id, name) VALUES (1, 'a'), (2, 'b'), (3, 'c');
                INSERT INTO _tidemark_Note_tags (owner, member, position) VALUES
                    (1, 2, 0), (1, 1, 1), (3, 3, 0);
                INSERT INTO Address (city, floor, owner, _addresses_position) VALUES
                    ('Rom', 1, 1, 0), ('Bern', 2, 1, 1);
                INSERT INTO Address (city) VALUES ('Graz'), ('Linz');
                UPDATE User SET home = 3 WHERE _id = 1;
                INSERT INTO _tidemark_User_places (owner, member) VALUES (1, 4);
                """
        )
    }
}

extension Store {
    /// Runs statements in a transaction.
    func run(_ sql: String) throws {
        try writer.write { db in try db.execute(sql: sql) }
    }

    /// Collects local creations.
    func collect() throws {
        try writer.write { [layout] db in try Capture.of(db, layout)?.collect() }
    }

    /// Discards all local changes.
    func discardAll() throws {
        try write { writer in
            try Capture.of(writer.db, writer.layout)?.collect()
            try writer.discard(try writer.capturedChanges())
        }
    }
}
