import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTesting

/// Primary keys that become unique only within a parent, or unique everywhere again.
struct ParentKeyMigrationTests {
    private static func blog(key: String) -> String {
        """
        Post: {attributes: {id: integer64}, \
        relationships: {comments: {to: Comment, toMany: true, inverse: post}}}, \
        Comment: {primaryKey: \(key), attributes: {id: integer64}, \
        relationships: {post: {to: Post, inverse: comments}}}, \
        Like: {attributes: {id: integer64}, relationships: {comment: {to: Comment}}}
        """
    }

    private func store(key: String, ids: [Int64]) throws -> Store {
        try TidemarkStoreTests.store(Self.blog(key: key)) { store in
            try store.insert("Post", ["id": .integer(1)])
            try store.insert("Post", ["id": .integer(2)])
            for (index, id) in ids.enumerated() {
                try store.insert(
                    "Comment",
                    ["id": .integer(id)],
                    links: ["post": ["Post:\(index + 1)"]]
                )
            }
            try store.insert("Like", ["id": .integer(1)])
        }
    }

    private func numbers(_ store: Store, _ names: [String]) throws -> [Int64?] {
        try store.read { reader in
            try names.map { try reader.rowReference(for: RecordLocator($0))?.number }
        }
    }

    @Test func `a key becomes unique within its parent, and rows keep their numbers`() throws {
        let old = try store(key: "id", ids: [7, 8])
        try old.addUnresolvedReference("Like.comment", of: 1, to: "Comment", key: .integer(9))
        let (new, steps) = try old.migrating(to: Self.blog(key: "[post, id]"))
        #expect(steps.contains("discard 1 references"))
        try #expect(
            numbers(new, ["Comment:[1,7]", "Comment:[2,8]", "Comment:[1,8]"]) == [1, 2, nil]
        )
        try new.insert("Comment", ["id": .integer(7)], links: ["post": ["Post:2"]])
        #expect(throws: DatabaseError.self) {
            try new.insert("Comment", ["id": .integer(7)], links: ["post": ["Post:2"]])
        }
    }

    @Test func `a key becomes unique everywhere, or is rejected if rows share a value`() throws {
        let (new, _) = try store(key: "[post, id]", ids: [7, 8]).migrating(to: Self.blog(key: "id"))
        try #expect(numbers(new, ["Comment:7", "Comment:8"]) == [1, 2])
        let rejections = try store(key: "[post, id]", ids: [7, 7]).rejections(
            of: Self.blog(key: "id")
        )
        #expect(rejections.contains("have the same id, which must be unique"))
    }

    @Test func `a reference to a key within a parent stays unresolved across other changes`() throws
    {
        let old = try store(key: "[post, id]", ids: [7])
        try old.addUnresolvedReference("Like.comment", of: 1, to: "Comment", key: .string("2,7"))
        let (new, steps) = try old.migrating(
            to: Self.blog(key: "[post, id]").replacing(
                "Post: {attributes: {",
                with: "Post: {attributes: {name: string, "
            )
        )
        #expect(!steps.contains("discard"))
        try new.insert("Comment", ["id": .integer(7)], links: ["post": ["Post:2"]])
        let like = try new.read { db in try db.record(RecordLocator("Like:1")) }
        #expect(like.links["comment"] == [RowReference("Comment", 2)])
    }
}
