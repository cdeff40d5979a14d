import Foundation
import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkYAML

/// The tables of docs/predicates.md, compared with the results of the predicates.
struct PredicateDocumentTests {
    private let page: DocumentPage
    private let store: Store

    init() throws {
        page = try DocumentPage("docs/predicates.md")
        let files = Dictionary(
            Transcript(page).commands.compactMap { command in
                command.file.map { ($0, command.shown.joined(separator: "\n")) }
            }
        ) { first, _ in first }
        let yaml = try #require(files["films.yml"])
        let model = try Model.decoding { try YAMLText(yaml).decode(Model.self) }
        store = try Store.validated(model: model)
        var films = try JSONDocument(Array(try #require(files["films.json"]).utf8)).items()
        _ = try Importer(store).import(&films, into: "Film")
    }

    @Test func `a predicate selects the films of the table`() throws {
        let rows = page.rows(below: "## Comparisons")
        #expect(rows.count > 30)
        for row in rows {
            let text = try #require(DocumentPage.code(in: row[0]).first)
            let request = RecordRequest("Film", where: try RecordPredicate(text))
            let films = try store.read { db in try db.fetch(request) }
            let ids = films.compactMap { film -> Int64? in
                guard case .integer(let id) = film["id"] else { return nil }
                return id
            }
            #expect(ids.map(String.init).joined(separator: " ") == row[1], "\(text)")
        }
    }

    @Test func `an invalid predicate throws the error of the table`() throws {
        let rows = page.rows(below: "## Errors", columns: "predicate")
        #expect(rows.count > 5)
        for row in rows {
            let text = try #require(DocumentPage.code(in: row[0]).first)
            let error = #expect(throws: RecordPredicateError.self, "\(text)") {
                let request = RecordRequest("Film", where: try RecordPredicate(text))
                _ = try store.read { db in try db.fetch(request) }
            }
            #expect(error?.description == row[1], "\(text)")
        }
    }

    @Test func `the limits are those of the table`() {
        let limits = PredicateLimits()
        let shown = page.rows(below: "## Errors", columns: "limit").map { $0[1] }
        let values = [
            limits.textBytes, limits.nesting, limits.alternation, limits.terms, limits.pathNames,
        ]
        #expect(shown == values.map(String.init))
    }

    @Test func `every operator of the grammar can be used in a request`() throws {
        let grammar = try #require(page.blocks.first { $0.text.contains("operator   =") }).text
        let start = try #require(grammar.range(of: "operator   ="))
        let rule = grammar[start.upperBound...].prefix { $0 != "o" }
        let operators = rule.split(separator: "\"").enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        #expect(operators.count == 17)
        for name in operators {
            let isList = name == "IN" || name == "BETWEEN"
            let predicate = try RecordPredicate("title \(name) \(isList ? "{'a', 'b'}" : "'a'")")
            let request = RecordRequest("Film", where: predicate)
            _ = try store.read { db in try db.fetch(request) }
        }
    }
}
