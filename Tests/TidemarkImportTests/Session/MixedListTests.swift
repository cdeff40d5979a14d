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
    private let walk = ImportSession("feed", into: "Story")

    init() throws {
        let model = Model(entities: [.named("Story", []), .named("Comment", [])])
        store = try .watched(model: model)
        let importer = Importer(store)
        self.importer = importer
        let walk = walk
        try store.writer.write { db in try importer.begin(db, walk) }
    }

    private func apply(_ objects: String) throws -> BatchResult {
        var items = try JSONDocument(Array("[\(objects)]".utf8)).items()
        var reading = ItemFormat()
        reading.kind = "type"
        reading.entities = ["story": "Story", "comment": "Comment"]
        return try store.writer.write { [importer, walk] db in
            try importer.apply(db, &items, of: walk, as: reading, within: BatchLimit())
        }
    }

    private func digest() throws -> String {
        try store.writer.read { [importer, walk] db in try importer.digest(db, of: walk) }
    }

    @Test func `rows of two tables with the same number do not count as repeated`() throws {
        let first = try apply(#"{"type": "story", "id": 1}"#)
        let afterFirst = try digest()
        let second = try apply(#"{"type": "comment", "id": 7}"#)
        #expect([first.repeated, second.repeated] == [0, 0])
        #expect(first.marks.text == "=Story 1\nStory 1")
        #expect(second.marks.text == "=Comment 1\nComment 1")
        #expect(try digest() != afterFirst)
        let again = try apply(#"{"type": "comment", "id": 7}"#)
        #expect(again.repeated == 1)
    }

    @Test func `marking the rows of an unmodified page includes both tables`() throws {
        let step = try apply(#"{"type": "story", "id": 1}, {"type": "comment", "id": 7}"#)
        let read = try digest()
        try store.writer.write { [importer, walk] db in try importer.begin(db, walk) }
        let noted = try store.writer.write { [importer, walk] db in
            try importer.mark(db, step.marks, of: walk)
        }
        #expect(noted != nil)
        #expect(try digest() == read)
    }

    @Test func `marks with items in a table without such rows are rejected`() throws {
        _ = try apply(#"{"type": "story", "id": 1}"#)
        let marks = try #require(PageRows(text: "=Comment 1\nStory 1"))
        let noted = try store.writer.write { [importer, walk] db in
            try importer.mark(db, marks, of: walk)
        }
        #expect(noted == nil)
    }
}
