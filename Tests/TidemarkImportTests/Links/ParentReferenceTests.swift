import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Nested objects that contain a reference to a parent.
struct ParentReferenceTests {
    private static let message =
        "The object names another parent than the one whose list it is in: it is linked to the "
        + "list's."

    @Test func `a key within a parent uses the containing row, and another parent is reported`()
        throws
    {
        let store = try Store.of(
            .named("Post", [], .many("comments", "Comment", inverse: "post")),
            EntityDescription(
                "Comment",
                primaryKey: ["post", "number"],
                attributes: [Attribute("number", .integer64), Attribute("text", .string)],
                relationships: [.one("post", "Post", inverse: "comments")]
            )
        )
        try expect(
            store.load(
                "Post",
                """
                [{"id": 9, "comments": [{"number": 1, "text": "own"},
                  {"number": 2, "post_id": 77, "text": "of 77"}, {"number": 3, "post_id": 9},
                  {"number": 4, "post": {"id": 78, "name": "n"}}]}]
                """,
                .upsert
            ),
            is: """
                Comment +4, Post +2
                Comment:[9,2], post: \(Self.message) ×2
                """
        )
        try expect(
            table(of: store),
            is: """
                Post
                #  id  name  comments
                1  9   -     [[9,1] [9,2] [9,3] [9,4]]
                2  78  n     []

                Comment
                #  number  text   post
                1  1       own    9
                2  2       of 77  9
                3  3       -      9
                4  4       -      9
                """
        )
    }

    private func people() throws -> Store {
        try .of(
            .named("Person", [], .many("posts", "Post", inverse: "author")),
            .named("Post", [], .one("author", "Person", inverse: "posts"))
        )
    }

    @Test(
        arguments: [
            (#""author": {"id": 6, "name": "Other"}"#, ["Post:1, author: \(message)"], "5 6=Other"),
            (#""author": 6"#, ["Post:1, author: \(message)"], "5"),
            (#""author_id": 6"#, ["Post:1, author: \(message)"], "5"),
            (#""author": {"id": "5"}"#, [], "5"), (#""author_id": 5"#, [], "5"),
            (#""author": {"id": 5, "name": "Ada"}"#, [], "5=Ada"), (#""author": null"#, [], "5"),
            (#""author": {"id": 5, "posts": []}"#, [], "5"),
            (#""author": {"name": "Ada"}"#, [], "5=Ada"), (#""author": {}"#, [], "5"),
            (
                #""author": {"id": null, "name": "Ada"}"#,
                ["Person, id: The object has no usable primary key."], "5"
            ),
        ] as [(String, [String], String)]
    )
    func `the containing list determines the parent, and a nested parent object is stored`(
        _ member: String,
        _ reported: [String],
        _ people: String
    ) throws {
        let store = try self.people()
        for _ in 1...2 {
            let report = try store.report(
                "Person",
                #"[{"id": 5, "posts": [{"id": 1, \#(member)}, {"id": 2}]}]"#,
                ImportOptions(operations: .upsert)
            )
            #expect(report.diagnostics.map(\.text) == reported)
            try store.read { db in
                let rows = try db.fetch(RecordRequest("Person")).map { row in
                    let key = if case .integer(let id) = row["id"] { "\(id)" } else { "-" }
                    return if case .string(let name) = row["name"] { "\(key)=\(name)" } else { key }
                }
                #expect(rows.joined(separator: " ") == people)
            }
            try expect(
                table(of: store, "Post"),
                is: """
                    Post
                    #  id  name  author
                    1  1   -     5
                    2  2   -     5
                    """
            )
        }
    }
}
