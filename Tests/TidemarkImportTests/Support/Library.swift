import Foundation
import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// A store of authors, books with chapters, and tags that records local changes, and what its
/// service sends.
struct Library {
    let store: Store
    var importer: Importer

    /// Creates a library that knows two authors, two books of the first, and two tags, of which the
    /// first book has one.
    init(_ policies: ConflictPolicies = ConflictPolicies()) throws {
        store = try .of(
            .named(
                "Author",
                [],
                .many("books", "Book", inverse: "author"),
                .one("agent", "Agent", inverse: "author")
            ),
            .named(
                "Book",
                [Attribute("year", .integer64)],
                .one("author", "Author", inverse: "books"),
                .many("tags", "Tag", inverse: "books"),
                .many("chapters", "Chapter", inverse: "book", .cascade)
            ),
            EntityDescription(
                "Chapter",
                primaryKey: ["book", "id"],
                attributes: [Attribute("id", .integer64), Attribute("name", .string)],
                relationships: [.one("book", "Book", inverse: "chapters")]
            ),
            .named("Tag", [], .many("books", "Book", inverse: "tags")),
            .named("Agent", [], .one("author", "Author", inverse: "agent"))
        )
        importer = Importer(store)
        importer.conflicts = policies
        try receive("Author", #"[{"id": 1, "name": "Ada"}, {"id": 2, "name": "Ben"}]"#)
        try receive("Tag", #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#)
        try receive(
            "Book",
            """
            [{"id": 1, "name": "one", "author": 1, "tags": [1]},
             {"id": 2, "name": "two", "author": 1, "tags": []}]
            """
        )
        try store.writer.write { [layout = store.layout] db in try Capture.install(db, layout) }
    }

    /// Imports a complete list of the service.
    func receive(_ entity: String, _ json: String) throws {
        var items = try JSONDocument(Array(json.utf8)).items()
        // The whole list, which proves deletions.
        var options = ImportOptions(operations: .all)
        options.origin = .service
        _ = try importer.import(&items, into: entity, options: options)
    }

    /// Imports an object that the service has sent in response to a change.
    func receive(response json: String, to change: Int64, of row: RowReference) throws {
        try store.writer.write { db in
            let reader = try StoreReader.prepare(db, in: store)
            let sent = try #require(try reader.capturedChanges([change]).first)
            let merge = ObjectMerge(importer, in: reader)
            let answered = try merge.answered(
                sent,
                before: reader.changeAfterRequest(of: sent)
            )
            try db.execute(sql: "DELETE FROM _tidemark_change WHERE _id = ?", arguments: [change])
            let capture = try #require(try Capture.of(db, store.layout))
            try capture.applyingRemote {
                try JSONDocument(Array(json.utf8)).withRoot { object in
                    _ = try merge.acknowledge(
                        answered,
                        showing: object,
                        at: Date(timeIntervalSince1970: 0)
                    )
                }
            }
        }
    }

    /// Changes rows as an app does.
    func edit(_ body: (StoreWriter) throws -> Void) throws {
        try store.write { writer in try body(writer) }
    }

    /// Sets the links of a book as an app does.
    func link(_ book: Int, tags: [Int]) throws {
        try edit { writer in
            _ = try writer.update(
                RecordLocator("Book:\(book)"),
                values: [:],
                links: ["tags": tags.map { try RecordLocator("Tag:\($0)") }]
            )
        }
    }

    /// Moves a book to another author as an app does.
    func move(_ book: Int, to author: Int) throws {
        try edit { writer in
            _ = try writer.update(
                RecordLocator("Book:\(book)"),
                values: [:],
                links: ["author": [RecordLocator("Author:\(author)")]]
            )
        }
    }

    /// Lets all changes wait for the response to their requests.
    func freeze() throws {
        try store.writer.write { [layout = store.layout] db in
            try Capture.of(db, layout)?.collect()
            try db.execute(sql: "UPDATE _tidemark_change SET frozen = 1, state = 'inFlight'")
        }
    }

    /// Lists the authors of the agents.
    func agents() throws -> [String] {
        try store.read { reader in
            try reader.fetch(RecordRequest("Agent", links: .all)).map {
                "\($0.reference): \($0.links["author"] ?? [])"
            }
        }
    }

    /// Lists the links of the books, and the local changes that are left.
    func state() throws -> String {
        let books: [String] = try store.read { reader in
            try reader.fetch(RecordRequest("Book", links: .all)).map { book in
                let author = book.links["author"]?.first.map { " by \($0.number)" } ?? ""
                let tags = (book.links["tags"] ?? []).map { " \($0.number)" }.joined()
                return "\(book.reference)\(author), tags\(tags)"
            }
        }
        let outbox = try store.outbox()
        return (books + (outbox.isEmpty ? [] : [outbox])).joined(separator: "\n")
    }
}
