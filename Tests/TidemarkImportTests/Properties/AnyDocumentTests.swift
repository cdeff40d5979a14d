import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// What holds for every model and every document, whatever is wrong with it.
struct AnyDocumentTests {
    @Test func `random models are valid`() async throws {
        try await Property(cases: 400, sample: ImportSample.wild()).holds { sample in
            let errors = sample.model.findings().filter { $0.severity == .error }
            guard errors.isEmpty else { throw Counterexample("\(errors)") }
        }
    }

    /// The store after an import is the same as before it when the document was imported before.
    ///
    /// It holds for documents that do not contradict themselves: they have no two objects of one
    /// row, of a relationship and its inverse only one speaks, and they do not refer to rows that
    /// they delete. Otherwise the word that came last counts, and what came last may be a reference
    /// that waited. Values that may not occur twice are left out: the row that has one may go with
    /// the import that refuses another for it.
    @Test func `a document that is imported twice changes nothing`() async throws {
        let samples = ImportSample.wild(.all.subtracting(.uniques), isConsistent: true)
        try await Property(cases: 800, sample: samples).holds { bench, last, _ in
            try bench.load(last)
            try bench.checkSoundness()
            let before = try bench.contents()
            try bench.load(last)
            try same(try bench.contents().text, before.text, "The second import changed it")
        }
    }

    /// The report of a dry run is that of the import, and the store stays as it was.
    @Test func `a dry run predicts exactly`() async throws {
        try await Property(cases: 500, sample: ImportSample.wild()).holds { bench, last, _ in
            let before = try bench.contents()
            var items = try last.document.items
            let prediction = try bench.importer.dryRun(&items, into: last.entity)
            try same(try bench.contents().text, before.text, "The dry run changed the store")
            let report = try bench.load(last)
            try same(prediction.text, report.text, "The dry run was wrong")
        }
    }

    /// Whatever the place of the item that cannot be stored, the store stays as it was.
    @Test func `an import that is given up leaves no trace`() async throws {
        try await Property(cases: 400, sample: ImportSample.wild()).holds { bench, last, sample in
            let before = try bench.contents()
            let options = ImportOptions(invalid: .abort)
            var items = BreakingItems(items: try last.document.items, place: sample.place)
            do {
                _ = try bench.importer.import(&items, into: last.entity, options: options)
            } catch is ImportError {
                try same(try bench.contents().text, before.text, "A refused row left a trace")
            } catch is Broken {
                try same(try bench.contents().text, before.text, "A failure left a trace")
            }
        }
    }
}

/// Items that cannot be read on from a place.
private struct BreakingItems<Items: JSONItems>: JSONItems {
    var items: Items
    var place: Int

    mutating func next(_ body: (JSONNode) throws -> Void) throws -> Bool {
        guard place > 0 else { throw Broken() }
        place -= 1
        return try items.next(body)
    }
}

/// Items cannot be read on.
private struct Broken: Error {}
