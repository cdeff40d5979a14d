import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// A list with objects of several entities.
struct MixedListTests {
    private let store: Store
    private let importer: Importer
    private let session = ImportSession("feed", into: "Story")

    init() throws {
        let model = Model(entities: [.named("Story", []), .named("Comment", [])])
        store = try .validated(model: model)
        let importer = Importer(store)
        self.importer = importer
        let session = session
        try store.writer.write { db in try importer.begin(db, session) }
    }

    private func apply(_ objects: String) throws -> BatchResult {
        var items = try JSONDocument(Array("[\(objects)]".utf8)).items()
        var format = ItemFormat()
        format.typeMember = "type"
        format.entities = ["story": "Story", "comment": "Comment"]
        return try store.writer.write { [importer, session] db in
            try importer.apply(db, &items, of: session, as: format, within: BatchLimit())
        }
    }

    private func digest() throws -> String {
        try store.writer.read { [importer, session] db in try importer.digest(db, of: session) }
    }

    @Test func `rows of two tables with the same number do not count as repeated`() throws {
        let first = try apply(#"{"type": "story", "id": 1}"#)
        let afterFirst = try digest()
        let second = try apply(#"{"type": "comment", "id": 7}"#)
        #expect([first.repeated, second.repeated] == [0, 0])
        #expect(first.rows.text == "=Story 1\nStory 1")
        #expect(second.rows.text == "=Comment 1\nComment 1")
        #expect(try digest() != afterFirst)
        let again = try apply(#"{"type": "comment", "id": 7}"#)
        #expect(again.repeated == 1)
    }

    @Test func `marking the rows of an unmodified page includes both tables`() throws {
        let step = try apply(#"{"type": "story", "id": 1}, {"type": "comment", "id": 7}"#)
        let read = try digest()
        try store.writer.write { [importer, session] db in try importer.begin(db, session) }
        let report = try store.writer.write { [importer, session] db in
            try importer.mark(db, step.rows, of: session)
        }
        #expect(report != nil)
        #expect(try digest() == read)
    }

    @Test func `marks with items in a table without such rows are rejected`() throws {
        _ = try apply(#"{"type": "story", "id": 1}"#)
        let rows = try #require(PageRows(text: "=Comment 1\nStory 1"))
        let report = try store.writer.write { [importer, session] db in
            try importer.mark(db, rows, of: session)
        }
        #expect(report == nil)
    }
}
