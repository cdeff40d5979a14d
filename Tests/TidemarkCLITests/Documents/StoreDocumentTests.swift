import Foundation
import GRDB
import Testing
import TidemarkModel

@testable import TidemarkSync

/// The tables of docs/store.md, compared with those of a store.
@Suite(.timeLimit(.minutes(40)))
struct StoreDocumentTests {
    private let page: DocumentPage

    init() throws { page = try DocumentPage("docs/store.md") }

    @Test func `every internal table and column is described, and no other`() async throws {
        try await Shop.open { shop in
            // A store that pushes has all tables but the one that the first file creates.
            try shop.configure(service: "push: preset")
            try await shop.fill()
            let store = try DatabaseQueue(path: shop.folder.path("shop.db"))
            try await store.write { db in _ = try AssetTable.create(db) }
            let tables = try await store.read { db in
                try String.fetchAll(
                    db,
                    sql: """
                        SELECT name FROM sqlite_schema \
                        WHERE type = 'table' AND name GLOB '_tidemark_*' ORDER BY name
                        """
                )
            }
            #expect(tables.count > 10)
            for table in tables {
                let columns = try await store.read { db in
                    try db.columns(in: table).map(\.name)
                }
                #expect(described(below: "### `\(table)`") == columns.sorted(), "\(table)")
            }
            let headings = page.text.split(separator: "\n").filter { $0.hasPrefix("### `_") }
            #expect(headings.map { $0.filter { $0 != "`" } }.sorted() == tables.map { "### \($0)" })
        }
    }

    /// Returns the code in the first cells of the tables below a heading, sorted.
    private func described(below heading: String) -> [String] {
        page.rows(below: heading).flatMap { DocumentPage.code(in: $0[0]) }.sorted()
    }

    @Test func `the tables of the example are created as shown`() async throws {
        let folder = try Folder()
        for command in Transcript(page).commands where command.file == "shop.yml" {
            try folder.write(command.shown.joined(separator: "\n"), to: "shop.yml")
        }
        _ = try await folder.done(
            "import",
            "--into",
            "Product",
            "--model",
            "shop.yml",
            "--store",
            "shop.db",
            stdin: "[]"
        )
        let store = try DatabaseQueue(path: folder.path("shop.db"))
        let schema = try await store.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT sql || ';' FROM sqlite_schema \
                    WHERE tbl_name = 'Product' AND sql IS NOT NULL ORDER BY rowid
                    """
            )
        }
        let shown = page.blocks(in: "sql").map(\.text).joined()
        #expect(Self.words(shown) == Self.words(schema.joined()))
        let links = try await store.read { db in
            try db.columns(in: "_tidemark_Product_tags").map(\.name).sorted()
        }
        #expect(described(below: "### Links").filter { links.contains($0) } == links)
    }

    /// Returns a text without white space.
    private static func words(_ text: String) -> String {
        text.filter { !$0.isWhitespace }
    }

    @Test func `the table of column types lists every attribute type`() async throws {
        let folder = try Folder()
        let attributes = AttributeType.allCases.map { "      v\($0.rawValue): \($0.rawValue)" }
        try folder.write(
            "entities:\n  All:\n    attributes:\n      id: integer64\n"
                + attributes.joined(separator: "\n"),
            to: "all.yml"
        )
        _ = try await folder.done(
            "import",
            "--into",
            "All",
            "--model",
            "all.yml",
            "--store",
            "all.db",
            stdin: "[]"
        )
        let stored = try await DatabaseQueue(path: folder.path("all.db")).read { db in
            try db.columns(in: "All").filter { $0.name.hasPrefix("v") }
                .map { "\($0.name.dropFirst()): \($0.type)" }
        }
        let shown = page.rows(below: "### Column types").flatMap { row in
            DocumentPage.code(in: row[0]).map { "\($0): \(row[1])" }
        }
        #expect(shown.sorted() == stored.sorted())
    }
}
