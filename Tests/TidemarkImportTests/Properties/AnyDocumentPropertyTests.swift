import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Properties of imports that hold for every model and every document, however invalid.
struct AnyDocumentPropertyTests {
    @Test func `random models are valid`() async throws {
        try await Property(cases: 30, sample: ImportSample.random()).holds { sample in
            let errors = sample.model.findings().filter { $0.severity == .error }
            guard errors.isEmpty else { throw Counterexample("\(errors)") }
        }
    }

    /// An import leaves the store unchanged if the document was imported before.
    ///
    /// The property holds for documents without contradictions: they do not contain two objects of
    /// one row, they contain only one side of a relationship and its inverse, and they do not
    /// refer to rows that they delete. Otherwise the last value is stored, which may be that of an
    /// unresolved reference. Unique values are excluded: the import that rejects a row because of
    /// a unique value may delete the row that has the value.
    @Test func `importing a document again changes nothing`() async throws {
        let samples = ImportSample.random(.all.subtracting(.uniques), isConsistent: true)
        try await Property(cases: 60, sample: samples).holds { target, last, _ in
            try target.load(last)
            try target.checkIntegrity()
            let before = try target.contents()
            try target.load(last)
            try same(try target.contents().text, before.text, "The second import changed it")
        }
    }

    /// The report of a dry run equals that of the import, and the store is unchanged.
    @Test func `a dry run predicts the report of the import`() async throws {
        try await Property(cases: 40, sample: ImportSample.random()).holds { target, last, _ in
            let before = try target.contents()
            var items = try last.document.items
            let prediction = try target.importer.dryRun(&items, into: last.entity)
            try same(try target.contents().text, before.text, "The dry run changed the store")
            let report = try target.load(last)
            try same(prediction.text, report.text, "The dry run was wrong")
        }
    }

    /// The store is unchanged, whichever item cannot be read or stored.
    @Test func `a failed import leaves the store unchanged`() async throws {
        let samples = ImportSample.random()
        try await Property(cases: 30, sample: samples).holds { target, last, sample in
            let before = try target.contents()
            let options = ImportOptions(invalid: .abort)
            var items = FailingItems(items: try last.document.items, position: sample.eventIndex)
            do {
                _ = try target.importer.import(&items, into: last.entity, options: options)
            } catch is ImportError {
                try same(try target.contents().text, before.text, "A rejected row left a trace")
            } catch is Broken {
                try same(try target.contents().text, before.text, "A failure left a trace")
            }
        }
    }
}

/// Items that throw ``Broken`` at a position.
private struct FailingItems<Items: JSONItems>: JSONItems {
    var items: Items
    var position: Int

    mutating func next(_ body: (JSONNode) throws -> Void) throws -> Bool {
        guard position > 0 else { throw Broken() }
        position -= 1
        return try items.next(body)
    }
}

/// The error of items that cannot be read further.
private struct Broken: Error {}
