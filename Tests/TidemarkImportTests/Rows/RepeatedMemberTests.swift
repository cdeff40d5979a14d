import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Objects with duplicate members.
struct RepeatedMemberTests {
    private func store() throws -> Store {
        let store = try Store.of(
            .named(
                "Post",
                [Attribute("size", .integer64, remoteKey: "data.size")],
                .many("comments", "Comment", inverse: "post"),
                .one("author", "Comment")
            ),
            .named("Comment", [], .one("post", "Post", inverse: "comments"))
        )
        try store.load("Post", #"[{"id": 1, "comments": [{"id": 1}, {"id": 2}]}, {"id": 2}]"#)
        return store
    }

    private static let message = "The object has this member twice: the last one is used."

    @Test(
        arguments: [
            (#""name": "a", "name": "b""#, "name"), (#""x": 1, "y": 1, "x": 2"#, "x"),
            (#""data": {"size": 1}, "data": {"size": 2}"#, "data"),
            (#""data": {"size": 1, "size": 2}"#, "data.size"),
            (#""author": 1, "author": 2"#, "author"),
            (#""author_id": 1, "author_id": 2"#, "author_id"),
            (#""comments": [], "comments": []"#, "comments"),
            (##""na\u006de": "a", "name": "b""##, "name"),
        ] as [(String, String)]
    )
    func `a duplicate member of an object is reported once`(
        _ members: String,
        _ path: String
    ) throws {
        let report = try store().report("Post", #"[{"id": 1, \#(members)}, {"id": 2, "x": 1}]"#)
        let reported = report.diagnostics.filter { $0.message == Self.message }.map(\.text)
        #expect(reported == ["Post:1, \(path): \(Self.message)"])
    }

    @Test func `the last of two duplicate members is stored`() throws {
        let store = try store()
        try store.load(
            "Post",
            #"[{"id": 1, "name": "a", "name": "b", "data": {"size": 1}, "data": {}}, {"id": 2}]"#
        )
        try expect(
            table(of: store, "Post"),
            is: """
                Post
                #  id  name  size  comments  author
                1  1   b     -     [1 2]     -
                2  2   -     -     []        -
                """
        )
    }

    @Test(arguments: [
        #""comments": [{"id": 1}, {"id": 2}], "comments": []"#,
        #""comments": [], "comments": [{"id": 2}]"#, #""comment_ids": [1], "comment_ids": []"#,
    ])
    func `a duplicate list neither deletes nor unlinks rows`(_ members: String) throws {
        let store = try store()
        try store.load("Post", #"[{"id": 1, \#(members)}, {"id": 2}]"#)
        try expect(
            table(of: store, "Comment"),
            is: """
                Comment
                #  id  name  post
                1  1   -     1
                2  2   -     1
                """
        )
    }

    @Test func `an object with a duplicate key member prevents deletions`() throws {
        let store = try store()
        try expect(
            store.load("Post", #"[{"id": 2, "id": 3}]"#),
            is: """
                Post +1
                Post:2, id: \(Self.message)
                Post: No rows were deleted: an object without a usable primary key may be any of them.
                """
        )
    }
}
