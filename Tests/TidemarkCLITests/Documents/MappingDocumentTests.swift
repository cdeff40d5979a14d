import Foundation
import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkYAML

/// The tables of docs/mapping.md, compared with what an import does.
struct MappingDocumentTests {
    private let page: DocumentPage

    init() throws { page = try DocumentPage("docs/mapping.md") }

    @Test func `an attribute has the remote keys of the table`() throws {
        let rows = page.rows(below: "## Names", columns: "attribute")
        #expect(rows.count > 4)
        let names = rows.flatMap { DocumentPage.code(in: $0[0]) }
        let entity = EntityDescription(
            "Article",
            attributes: names.map { Attribute($0, $0 == "id" ? .integer64 : .string) }
        )
        let mapping = EntityMapping(entity: entity, in: Model(entities: [entity]))
        for (attribute, row) in zip(mapping.attributes, rows) {
            #expect(attribute.remoteKeys == DocumentPage.code(in: row[1]), "\(attribute.name)")
        }
    }

    // MARK: Relationships

    @Test(arguments: [
        ("author of article 1", "SELECT a.id FROM Article JOIN Author a ON author = a._id"),
        (
            "seat of article 1",
            "SELECT s.row || ' ' || s.number FROM Article JOIN Seat s ON seat = s._id"
        ),
        (
            "tags of article 1",
            """
            SELECT group_concat(id, ' ') FROM (SELECT Tag.id FROM _tidemark_Article_tags l \
            JOIN Tag ON Tag._id = l.member JOIN Article a ON a._id = l.owner \
            WHERE a.id = 1 ORDER BY Tag.id)
            """
        ),
    ])
    func `an object links the rows of the table`(_ column: String, _ query: String) throws {
        let rows = page.rows(below: "## Relationships", columns: "object", column)
        #expect(rows.count > 3)
        for row in rows {
            let store = try filled()
            let object = try #require(DocumentPage.code(in: row[0]).first)
            try load("[\(object)]", into: "Article", of: store)
            let linked = try store.reader.read { db in try String.fetchOne(db, sql: query) }
            let shown = row[1].split(separator: ";").first.map(String.init)
            #expect(linked ?? "none" == shown, "\(object)")
        }
    }

    /// Returns a store with article 1, author 5, the tags 1 and 2, and other rows to link.
    private func filled() throws -> Store {
        let yaml = try #require(page.blocks(in: "yaml").first).text
        let model = try Model.decoding { try YAMLText(yaml).decode(Model.self) }
        let store = try Store.validated(model: model)
        try load(
            #"[{"id": 1, "author": {"id": 5}, "tags": [{"id": 1}, {"id": 2}]}]"#,
            into: "Article",
            of: store
        )
        try load(#"[{"id": 6}]"#, into: "Author", of: store)
        try load(#"[{"id": 3}]"#, into: "Tag", of: store)
        try load(#"[{"row": "A", "number": 12}]"#, into: "Seat", of: store)
        return store
    }

    private func load(_ json: String, into entity: String, of store: Store) throws {
        var items = try JSONDocument(Array(json.utf8)).items()
        _ = try Importer(store).import(
            &items,
            into: entity,
            options: ImportOptions(operations: .upsert)
        )
    }

    // MARK: Values

    @Test func `the table of values lists every attribute type`() {
        let names = page.rows(below: "## Values").flatMap { DocumentPage.code(in: $0[0]) }
        #expect(names.sorted() == AttributeType.allCases.map(\.rawValue).sorted())
    }

    @Test func `dates are parsed as the tables show`() throws {
        let plain = page.rows(below: "## Dates", columns: "JSON").map { ["", $0[0], $0[1]] }
        let formatted = page.rows(below: "## Dates", columns: "`dateFormat`")
        #expect(plain.count > 20)
        #expect(formatted.count > 5)
        for row in plain + formatted {
            let json = try #require(DocumentPage.code(in: row[1]).first)
            let format = DocumentPage.code(in: row[0]).first
            let date = try stored(json, as: Attribute("date", .date, dateFormat: format))
            #expect(date ?? "rejected" == row[2], "\(json) as \(format ?? "a date")")
        }
    }

    /// Returns the date that is stored for a value; nil if the value is rejected.
    private func stored(_ json: String, as attribute: Attribute) throws -> String? {
        let entity = EntityDescription(
            "Event",
            attributes: [Attribute("id", .integer64), attribute]
        )
        let store = try Store.validated(model: Model(entities: [entity]))
        try load(#"[{"id": 1, "date": \#(json)}]"#, into: "Event", of: store)
        let seconds = try store.reader.read { db in
            try Double.fetchOne(db, sql: "SELECT date FROM Event")
        }
        return seconds.flatMap(DateFormat.microseconds(fromSeconds:))
            .map { DateFormat.automatic.string(from: $0) }
    }

    // MARK: Options

    @Test func `the table lists every policy for invalid values, and no other`() {
        let rows = page.rows(below: "## Invalid values")
        let names = rows.flatMap { DocumentPage.code(in: $0[0]) }
        #expect(names == InvalidValuePolicy.allCases.map(\.rawValue))
    }

    @Test func `the table lists every operation, and no other`() async throws {
        let rows = page.rows(below: "## Operations and deletions")
        let names = rows.flatMap { DocumentPage.code(in: $0[0]) }
        let help = try await Folder().run("import", "--help").stdout
        let list = try #require(help.firstMatch(of: /--operations [^(]*\(values:([^;)]*)/)).output.1
        let known = list.split { !$0.isLetter }.map(String.init)
        #expect(names.sorted() == known.sorted())
    }
}
