import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Exported lists whose rows link to each other: each row is written in full once.
struct ExportedRowsTests {
    /// Expects that importing an export leaves its store unchanged, and reproduces it in a new one.
    private func expectSame(
        _ store: Store,
        _ entity: String,
        _ text: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let report = try store.report(entity, text)
        #expect(report.isUnchanged, "\(report.text)", sourceLocation: sourceLocation)
        let copy = try Store.validated(model: store.model)
        try copy.load(entity, text)
        try expect(
            copy.anonymousTables(),
            is: store.anonymousTables(),
            sourceLocation: sourceLocation
        )
    }

    @Test func `a linked row that is an item of the list is written as its key`() throws {
        let store = try Store.of(.named("Article", [], .many("related", "Article")))
        let count = 300
        func related(_ id: Int) -> String {
            (1...3).map { (id + $0 - 1) % count + 1 }.sorted().map(String.init)
                .joined(separator: ",")
        }
        let document =
            "["
            + (1...count)
            .map { #"{"id":\#($0),"name":"n","related":[\#(related($0))]}"# }
            .joined(separator: ",") + "]"
        try store.load("Article", document)
        let text = try store.export("Article")
        expect(text, is: document)
        try expectSame(store, "Article", text)
    }

    @Test func `a row linked by several items is written in full once, then without relationships`()
        throws
    {
        let store = try Store.of(
            .named("Article", [], .one("author", "Author", inverse: "articles")),
            .named(
                "Author",
                [],
                .many("articles", "Article", inverse: "author"),
                .one("best", "Article"),
                .many("homes", "Home")
            ),
            .named("Home")
        )
        let text = """
            [{"id":1,"name":null,"author":{"id":5,"name":"Ada","best":2,\
            "homes":[{"id":8,"name":null},{"id":9,"name":null}]}},\
            {"id":2,"name":null,"author":{"id":5,"name":"Ada"}},\
            {"id":3,"name":null}]
            """
        try store.load("Article", text)
        try expect(store.export("Article"), is: text)
        try expectSame(store, "Article", text)
        // Without the first article, the second one contains the author in full.
        try expect(
            store.export("Article", where: "id > 1"),
            is: """
                [{"id":2,"name":null,"author":{"id":5,"name":"Ada","best":2,\
                "homes":[{"id":8,"name":null},{"id":9,"name":null}]}},{"id":3,"name":null}]
                """
        )
    }

    @Test func `a composite key is an object of its parts, and so is any key for Rails`() throws {
        let store = try Store.of(
            EntityDescription(
                "Seat",
                primaryKey: ["row", "place"],
                attributes: [.init("row", .string), .init("place", .integer64)],
                relationships: [.one("next", "Seat")]
            ),
            .named("User", [], .one("boss", "User"))
        )
        let seats = """
            [{"row":"A","place":2},{"row":"A","place":1,"next":{"row":"A","place":2}}]
            """
        try store.load("Seat", seats)
        try expect(store.export("Seat"), is: seats)
        try expectSame(store, "Seat", seats)
        try store.load("User", #"[{"id": 1}, {"id": 2, "boss_id": 1}]"#)
        try expect(
            store.export("User", ExportOptions(relationships: .nestedAttributes)),
            is: """
                [{"id":1,"name":null},{"id":2,"name":null,"boss_attributes":{"id":1}}]
                """
        )
    }

    @Test func `a list that contains a row without a key is omitted`() throws {
        let store = try Store.of(.named("User", [], .many("friends", "User"), .one("boss", "User")))
        try store.load("User", #"[{"id": 1}]"#)
        try store.insert("User")
        try store.insert(
            "User",
            ["id": .integer(3)],
            links: ["friends": ["User#1", "User#2"], "boss": ["User#2"]]
        )
        let text = try store.export("User")
        expect(
            text,
            is: """
                [{"id":1,"name":null,"friends":[]},{"id":null,"name":null,"friends":[]},\
                {"id":3,"name":null}]
                """
        )
    }

    @Test func `a row whose values are too deep to embed is written as its key`() throws {
        let store = try Store.of(
            EntityDescription(
                "Note",
                attributes: [.init("id", .integer64), .init("body", .json)],
                relationships: [.one("next", "Note")]
            )
        )
        let deep = String(repeating: "[", count: 254) + String(repeating: "]", count: 254)
        let notes = #"[{"id":1,"body":1,"next":2},{"id":2,"body":\#(deep)}]"#
        try store.load("Note", notes)
        try expect(store.export("Note"), is: notes)
        try expect(store.export("Note", where: "id = 1"), is: #"[{"id":1,"body":1,"next":2}]"#)
    }
}
