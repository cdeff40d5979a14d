import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Import sessions, which apply a list in several transactions.
struct ImportSessionTests {
    private static let model = Model(entities: [
        .named(
            "Story",
            [],
            .many("comments", "Comment", inverse: "story"),
            .many("tags", "Tag", inverse: "stories")
        ),
        .named("Comment", [], .one("story", "Story", inverse: "comments")),
        .named("Tag", [], .many("stories", "Story", inverse: "tags")),
        EntityDescription("Line", attributes: [.init("text", .string)]),
    ])

    private func begin(_ store: Store, _ session: ImportSession) throws {
        try store.writer.write { db in try Importer(store).begin(db, session) }
    }

    private func apply(_ store: Store, _ session: ImportSession, _ json: String) throws -> String {
        var items = try JSONDocument(Array(json.utf8)).items()
        return try store.writer.write { db in
            try Importer(store).apply(db, &items, of: session).text
        }
    }

    private func finish(_ store: Store, _ session: ImportSession) throws -> String {
        try store.writer.write { db in try Importer(store).finish(db, session).text }
    }

    private func ids(_ store: Store, _ entity: String) throws -> [Int64] {
        try store.writer.read { db in
            try Int64.fetchAll(db, sql: "SELECT id FROM \"\(entity)\" ORDER BY id")
        }
    }

    private static let stories = ImportSession("stories", into: "Story")

    @Test func `an unknown or finished session throws, as does an entity without a primary key`()
        throws
    {
        let store = try Store.validated(model: Self.model)
        let message = "No import session of stories into Story was started. Start it first."
        try expect(errorMessage(apply(store, Self.stories, "[]")), is: message)
        try expect(errorMessage(finish(store, Self.stories)), is: message)
        try begin(store, ImportSession("stories", into: "Comment"))
        try expect(errorMessage(apply(store, Self.stories, "[]")), is: message)
        try begin(store, Self.stories)
        try expect(finish(store, Self.stories), is: "nothing")
        try expect(errorMessage(finish(store, Self.stories)), is: message)
        try expect(
            errorMessage(begin(store, ImportSession("lines", into: "Line"))),
            is: """
                The model’s entity Line has no primary key, so its objects cannot be matched with \
                rows. Declare one: primaryKey in a model in YAML, userInfo tidemark.primaryKey in a \
                Core Data model. Or import the objects as the children of a row.
                """
        )
        #expect(throws: StoreError.self) { try begin(store, ImportSession("x", into: "Nemo")) }
    }

    @Test func `a session deletes unlisted rows when it finishes, and no rows before`() throws {
        let store = try Store.validated(model: Self.model)
        try store.load("Story", #"[{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4, "name": "d"}]"#)
        try begin(store, Self.stories)
        try expect(
            apply(store, Self.stories, #"[{"id": 1, "name": "a"}, {"id": 5}]"#),
            is: "Story +1 ~1"
        )
        try begin(store, Self.stories)
        try expect(apply(store, Self.stories, #"[{"id": 2}, {"id": 6}]"#), is: "Story +1 =1")
        try expect(
            apply(store, Self.stories, #"[{"id": 4, "name": "d"}, {"id": 2}]"#),
            is: "Story =1"
        )
        try store.insert("Story", ["id": .integer(7)])
        #expect(try ids(store, "Story") == [1, 2, 3, 4, 5, 6, 7])
        try expect(finish(store, Self.stories), is: "Story -3")
        #expect(try ids(store, "Story") == [2, 4, 6, 7])
    }

    @Test func `a session without proof of deletions finishes only if no row would be deleted`()
        throws
    {
        let store = try Store.validated(model: Self.model)
        try store.load("Story", #"[{"id": 1}, {"id": 2}, {"id": 3}]"#)
        func end() throws -> SessionOutcome {
            try store.writer.write { db in
                try Importer(store).finish(db, Self.stories, guardedBy: nil, isProof: false)
            }
        }
        try begin(store, Self.stories)
        _ = try apply(store, Self.stories, #"[{"id": 1}, {"id": 2}]"#)
        #expect(try end() == .unproved)
        #expect(try ids(store, "Story") == [1, 2, 3])
        _ = try apply(store, Self.stories, #"[{"id": 3}]"#)
        #expect(try end() == .finished(ImportReport()))
        #expect(try ids(store, "Story") == [1, 2, 3])
        #expect(throws: ImportError.self) { try end() }
    }

    @Test func `a session resumes in a reopened store, without the page that was rolled back`()
        throws
    {
        let folder = try Folder()
        let path = folder.filePath("store.sqlite")
        do {
            let store = try Store.validated(at: path, model: Self.model)
            try store.load(
                "Story",
                #"[{"id": 1, "comments": [{"id": 1}, {"id": 2}]}, {"id": 2}, {"id": 3}]"#
            )
            try begin(store, Self.stories)
            _ = try apply(store, Self.stories, #"[{"id": 1, "comments": []}]"#)
        }
        do {
            let store = try Store.validated(at: path)
            var items = try JSONDocument(Array(#"[{"id": 2}, {"id": 9}]"#.utf8)).items()
            struct Crash: Error {}
            #expect(throws: Crash.self) {
                try store.writer.write { db in
                    _ = try Importer(store).apply(db, &items, of: Self.stories)
                    throw Crash()
                }
            }
        }
        let store = try Store.validated(at: path)
        _ = try apply(store, Self.stories, #"[{"id": 3, "comments": [{"id": 2}]}]"#)
        try expect(finish(store, Self.stories), is: "Comment -1, Story -1")
        try expect(
            table(of: store, "Story", "Comment"),
            is: """
                Story
                #  id  name  comments  tags
                1  1   -     []        []
                3  3   -     [2]       []

                Comment
                #  id  name  story
                2  2   -     3
                """
        )
        let rest = try store.writer.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM _tidemark_sweep")
        }
        #expect(rest == 0)
    }

    @Test func `rows that another list of the entity contains meanwhile are not deleted`() throws {
        let store = try Store.validated(model: Self.model)
        try store.load("Tag", #"[{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}, {"id": 5}]"#)
        let tags = ImportSession("tags", into: "Tag")
        try begin(store, tags)
        try begin(store, Self.stories)
        _ = try apply(store, tags, #"[{"id": 1}]"#)
        try store.load("Story", #"[{"id": 1, "tags": [{"id": 2}, 4]}]"#)
        _ = try apply(store, Self.stories, #"[{"id": 2, "tags": [{"id": 3, "name": "c"}]}]"#)
        try store.load("Tag", #"[{"id": 5}, {"id": 6}]"#, [.insert])
        try expect(finish(store, tags), is: "Tag -3")
        #expect(try ids(store, "Tag") == [1, 5, 6])
        try expect(finish(store, Self.stories), is: "nothing")
        #expect(try ids(store, "Story") == [1, 2])
    }

    @Test func `references stay unresolved until a later page contains their rows`() throws {
        let store = try Store.validated(model: Self.model)
        try begin(store, Self.stories)
        try expect(
            apply(store, Self.stories, #"[{"id": 1, "tag_ids": [1], "comment_ids": [1]}]"#),
            is: "Story +1, ?2"
        )
        try expect(
            apply(
                store,
                Self.stories,
                #"[{"id": 2, "tags": [{"id": 1}], "comments": [{"id": 1}]}]"#
            ),
            is: "Comment +1, Story +1, Tag +1"
        )
        _ = try finish(store, Self.stories)
        try expect(
            table(of: store, "Tag"),
            is: """
                Tag
                #  id  name  stories
                1  1   -     [1 2]
                """
        )
    }
}
