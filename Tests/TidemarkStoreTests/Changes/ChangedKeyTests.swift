import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkStore

/// The keys of changed rows if a key contains a parent's key, or if a migration changes it.
struct ChangedKeyTests {
    private static func entities(_ postKey: String = "integer64") -> String {
        """
        Post: {attributes: {id: \(postKey)}, \
        relationships: {comments: {to: Comment, toMany: true, inverse: post}}}, \
        Comment: {primaryKey: [post, number], attributes: {number: integer64, text: string}, \
        relationships: {post: {to: Post, inverse: comments}, \
        replies: {to: Reply, toMany: true, inverse: comment}}}, \
        Reply: {primaryKey: [comment, id], attributes: {id: integer64}, \
        relationships: {comment: {to: Comment, inverse: replies}}}
        """
    }

    /// Returns the lines of each commit as a set, since their order is undefined.
    private func commits(_ changes: ChangeBatches) throws -> [Set<String>] {
        try changes.lines().split(separator: "--").map(Set.init)
    }

    @Test func `a row is reported when its key appears or changes with its parent`() throws {
        let store = try store(Self.entities()) { store in
            try store.insert("Comment", ["number": .integer(0)])
            try store.addUnresolvedReference("Comment.post", of: 1, to: "Post", key: .integer(1))
            try store.insert("Reply", ["id": .integer(5)], links: ["comment": ["Comment#1"]])
            try store.insert("Reply", ["id": .integer(6)])
        }
        let changes = try store.changes()
        try store.insert("Post", ["id": .integer(1)])
        try store.update("Post:1", ["id": .integer(9)])
        try store.write { db in
            _ = try db.update(RecordLocator("Post:9"), values: ["id": .integer(8)])
            _ = try db.update(RecordLocator("Post:8"), values: ["id": .integer(9)])
        }
        try store.write { db in
            _ = try db.update(RecordLocator("Comment#1"), values: ["text": .string("a")])
            _ = try db.update(RecordLocator("Reply#1"), values: ["id": .integer(7)])
            try db.db.execute(sql: "UPDATE Post SET id = 3")
        }
        try #expect(
            commits(changes) == [
                ["insert Post#1 1 id", "update Comment#1 1,0 post", "update Reply#1 1,0,5"],
                ["update Post#1 9 id", "update Comment#1 9,0", "update Reply#1 9,0,5"],
                ["update Post#1 3 id", "update Comment#1 3,0 text", "update Reply#1 3,0,7 id"],
            ]
        )
    }

    @Test func `a row that moves to another parent is reported with its new key`() throws {
        let store = try store(Self.entities()) { store in
            try store.insert("Post", ["id": .integer(1)])
            try store.insert("Post", ["id": .integer(2)])
            try store.insert("Comment", ["number": .integer(0)], links: ["post": ["Post:1"]])
            try store.insert("Reply", ["id": .integer(5)], links: ["comment": ["Comment:[1,0]"]])
        }
        let changes = try store.changes()
        try store.update("Comment#1", links: ["post": ["Post:2"]])
        try #expect(
            commits(changes) == [["update Comment#1 2,0 post", "update Reply#1 2,0,5"]]
        )
    }

    // MARK: Migrations

    /// Returns the changes that are reported for a migration.
    private func changes(
        from old: String,
        to new: String,
        _ rows: (Store) throws -> Void
    ) throws -> [RowChange] {
        let store = try store(old, rows)
        let changes = try store.changes()
        _ = try store.migrate(to: model(new))
        return try changes.poll()?.changes ?? []
    }

    @Test func `a converted key is also reported for the children whose keys contain it`() throws {
        let changes = try changes(from: Self.entities(), to: Self.entities("string")) { store in
            try store.insert("Post", ["id": .integer(5)])
            try store.insert("Comment", ["number": .integer(0)], links: ["post": ["Post:5"]])
            try store.insert("Reply", ["id": .integer(7)], links: ["comment": ["Comment:[5,0]"]])
            try store.insert("Reply", ["id": .integer(8)])
        }
        let post = Value.string("5")
        #expect(
            Set(changes) == [
                RowChange(.update, of: "Post", row: 1, key: RecordKey([post]), properties: ["id"]),
                RowChange(.update, of: "Comment", row: 1, key: RecordKey([post, .integer(0)])),
                RowChange(
                    .update,
                    of: "Reply",
                    row: 1,
                    key: RecordKey([post, .integer(0), .integer(7)])
                ),
            ]
        )
    }

    /// Returns a model of boxes on shelves with a primary key and the type of the weight.
    private static func boxes(key: String, weight: String) -> String {
        """
        Shelf: {attributes: {id: integer64}, \
        relationships: {boxes: {to: Box, toMany: true, inverse: shelf}}}, \
        Box: {primaryKey: \(key), attributes: {x: integer64, y: integer64, weight: \(weight)}, \
        relationships: {shelf: {to: Shelf, inverse: boxes}}}
        """
    }

    @Test(arguments: [
        ("[x, y]", "[shelf, y]", ["update Box#1 3,2 weight", "update Box#2 - weight"]),
        ("x", "[shelf, x]", ["update Box#1 3,1 weight", "update Box#2 - weight"]),
        ("[shelf, x]", "x", ["update Box#1 1 weight", "update Box#2 4 weight"]),
        ("[shelf, x]", "[shelf, y]", ["update Box#1 3,2 weight", "update Box#2 - weight"]),
        ("x", "[y, x]", ["update Box#1 2,1 weight", "update Box#2 5,4 weight"]),
    ])
    func `a row changed by a migration is reported with the key of the new model`(
        old: String,
        new: String,
        expected: [String]
    ) throws {
        func rows(_ store: Store) throws {
            try store.insert("Shelf", ["id": .integer(3)])
            try store.insert(
                "Box",
                ["x": .integer(1), "y": .integer(2), "weight": .string("7")],
                links: ["shelf": ["Shelf:3"]]
            )
            try store.insert(
                "Box",
                ["x": .integer(4), "y": .integer(5), "weight": .string("8")]
            )
        }
        let before = Self.boxes(key: old, weight: "string")
        let converted = try changes(
            from: before,
            to: Self.boxes(key: new, weight: "integer64"),
            rows
        )
        #expect(converted.map(\.text) == expected)
        let rekeyed = try changes(from: before, to: Self.boxes(key: new, weight: "string"), rows)
        let keyed = expected.map { $0.replacing(" weight", with: "") }
        // The key of a box without a shelf is null before and after.
        let isNull = old.hasPrefix("[shelf") && new.hasPrefix("[shelf")
        #expect(rekeyed.map(\.text) == (isNull ? [keyed[0]] : keyed))
    }

    @Test func `a migration that changes no keys or values reports no rows`() throws {
        let renamed = Self.entities()
            .replacing("text: string", with: "note: {type: string, renamedFrom: text}")
        let changes = try changes(from: Self.entities(), to: renamed) { store in
            try store.insert("Post", ["id": .integer(5)])
            try store.insert("Comment", ["number": .integer(0)], links: ["post": ["Post:5"]])
        }
        #expect(changes == [])
    }
}
