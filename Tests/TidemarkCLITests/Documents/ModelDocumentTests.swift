import Foundation
import Testing

@testable import TidemarkModel

/// The tables of docs/model.md, compared with what a model may contain.
struct ModelDocumentTests {
    private let page: DocumentPage

    init() throws { page = try DocumentPage("docs/model.md") }

    @Test(arguments: [
        ("### Entities", EntityBody.keys), ("### Attributes", AttributeBody.keys),
        ("### Relationships", RelationshipBody.keys),
    ])
    func `every key is described, and no other`(_ heading: String, _ keys: [String]) {
        #expect(described(below: heading, cells: 4) == keys.sorted())
    }

    @Test func `every attribute type is described, and no other`() {
        let types = AttributeType.allCases.map(\.rawValue)
        #expect(described(below: "### Attributes", cells: 3) == types.sorted())
    }

    @Test func `the default values in the table of types are valid`() throws {
        for row in page.rows(below: "### Attributes") where row.count == 3 {
            for name in DocumentPage.code(in: row[0]) {
                let type = try #require(AttributeType(rawValue: name))
                guard let text = DocumentPage.code(in: row[2]).first else { continue }
                let value = DefaultValue.value(of: text.filter { $0 != "'" }, as: type)
                #expect(value != nil, "\(name): \(text)")
            }
        }
    }

    @Test func `every annotation of a Core Data model is described, and no other`() {
        #expect(described(below: "## Core Data models", cells: 4) == AnnotationKey.words.sorted())
    }

    /// Returns the code in the first cells of all tables below a heading with the given number of
    /// columns, sorted.
    private func described(below heading: String, cells: Int) -> [String] {
        page.rows(below: heading).filter { $0.count == cells }
            .flatMap { DocumentPage.code(in: $0[0]) }.sorted()
    }
}
