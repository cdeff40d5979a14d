import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// The rows and paths that diagnostics report.
struct DiagnosticPathTests {
    private static let unknown = "The model has no attribute or relationship for this key."

    @Test func `the path of a diagnostic is the key in the document, or the default without one`()
        throws
    {
        let store = try Store.of(
            .named(
                "User",
                [
                    Attribute("bornAt", .date), Attribute("firstName", .string, isOptional: false),
                    Attribute("imageWidth", .integer16, remoteKey: "image.width"),
                ]
            )
        )
        try expect(
            store.load(
                "User",
                """
                [{"id": 1, "bornAt": "x", "firstName": "a"}, {"id": 2, "born_at": "x", "firstName": "a"},
                 {"id": 3, "Born-At": "x", "firstName": "a", "image": {"height": 1, "width": "x"}},
                 {"id": 4, "firstName": null}, {"id": 5}]
                """
            ),
            is: """
                User +3 !2
                User:1, bornAt: The value is not a date in a known form.
                User:2, born_at: The value is not a date in a known form.
                User:3, image.height: \(Self.unknown)
                User:3, Born-At: The value is not a date in a known form.
                User:3, image.width: The value is not a number.
                User:4, firstName: A row must have a value.
                User:5, first_name: A row must have a value.
                """
        )
    }

    @Test func `an invalid list is reported with the row that contains it`() throws {
        let store = try Store.of(
            .named(
                "Post",
                [],
                .many("comments", "Comment", inverse: "post"),
                .many("lines", "Line")
            ),
            .named("Comment", [], .one("post", "Post", inverse: "comments")),
            EntityDescription("Line", attributes: [.init("text", .string)])
        )
        try expect(
            store.load(
                "Post",
                """
                [{"id": 1, "comments": "none"}, {"id": 2, "comments": [1, "x", [2]]},
                 {"id": 3, "lines": "none"}, {"id": 4, "lines": [{"text": "a"}, 7]}]
                """
            ),
            is: """
                Line +1 !2, Post +4, ?1
                Post:1, comments: An array of objects or keys was expected. The value is not a number.
                Post:2, comments: The value is not a number.
                Post:2, comments: A list inside a list names no row.
                Post:3, lines: An array of objects was expected here.
                Post:4, lines: An object was expected here.
                """
        )
    }

    @Test func `an unknown discriminator value is reported with its row`() throws {
        let store = try Store.of(
            EntityDescription(
                "Media",
                isAbstract: true,
                attributes: [.init("id", .integer64)],
                discriminator: "kind"
            ),
            EntityDescription("Film", parent: "Media", attributes: [.init("minutes", .integer64)])
        )
        try expect(
            store.load("Media", #"[{"id": 1, "kind": "Film"}, {"id": 3, "kind": "Opera"}]"#),
            is: """
                Film +1, Media !1
                Media:3, kind: The value is not the name of Media or of one of its sub-entities.
                Media:3: The entity is abstract: no row can be of it.
                """
        )
    }

    @Test func `paths, keys and messages are truncated, and the number of diagnostics is bounded`()
        throws
    {
        var limits = Limits()
        limits.diagnosticTextBytes = 40
        limits.diagnostics = 50
        let long = String(repeating: "é", count: 100_000)
        let members = (0..<100).map { "\"\(long)\($0)\": 1, \"\($0)\(long)\": 2" }
        let document = """
            [{"id": "\(long)", "age": "x", \(members.joined(separator: ", "))}]
            """
        let store = try Store.of(
            EntityDescription("User", attributes: [.init("id", .string), .init("age", .integer16)])
        )
        let report = try store.report("User", document, limits: limits)
        #expect(report.diagnostics.count == 50)
        #expect(report.diagnosticsOmitted == 52)
        #expect(report.diagnostics[0].count == 100)
        for diagnostic in report.diagnostics {
            #expect(diagnostic.path.map { $0.utf8.count <= 40 } ?? true)
            #expect(diagnostic.key.map { $0.utf8.count <= 40 } ?? true)
            #expect(diagnostic.message.utf8.count <= 40)
        }
    }

    @Test func `members that a list's configuration uses are not reported as unknown`() throws {
        let store = try Store.of(
            .named("User", [Attribute("width", .integer16, remoteKey: "image.width")])
        )
        let session = ImportSession("users", into: "User")
        var format = ItemFormat()
        format.deletionFlag = ["meta", "deleted_at"]
        format.knownPaths = [["updated_at"], ["image", "stamp"], ["sync", "deep", "stamp"], []]
        let report = try store.writer.write { db in
            let importer = Importer(store)
            try importer.begin(db, session)
            var items = try JSONDocument(
                Array(
                    """
                    [{"id": 1, "updated_at": 1, "meta": {"deleted_at": null, "x": 1},
                      "image": {"width": 2, "stamp": 1, "odd": 1}, "sync": {"deep": 1}, "other": 1},
                     {"id": 2, "meta": {"deleted_at": 7}}]
                    """.utf8
                )
            ).items()
            return try importer.apply(db, &items, of: session, as: format, within: BatchLimit())
                .report
        }
        expect(
            report.text,
            is: """
                User +1
                User:1, image.odd: \(Self.unknown)
                User:1, other: \(Self.unknown)
                """
        )
    }

    @Test func `Parse's class names are not reported as unknown members`() throws {
        let store = try Store.of(.named("User", []))
        try expect(
            store.load(
                "User",
                #"[{"id": 1, "className": "User", "__type": "Object"}, {"id": 2, "className": "User"}]"#
            ),
            is: "User +2\nUser:2, className: \(Self.unknown)"
        )
    }
}
