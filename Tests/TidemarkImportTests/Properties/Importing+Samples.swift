import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// A store with the model of a sample, and its importer.
struct Bench {
    let store: Store
    let importer: Importer

    fileprivate init(_ model: Model) throws {
        store = try Store.inMemory(model: model)
        importer = Importer(store)
    }

    /// Imports a document.
    @discardableResult
    func load(
        _ step: ImportSample.Step,
        _ options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        var items = try step.document.items
        return try importer.import(&items, into: step.entity, options: options)
    }

    /// Imports documents, and checks the integrity of the store.
    func load(_ steps: [ImportSample.Step]) throws {
        for step in steps { try load(step) }
        try checkSoundness()
    }

    /// Throws a counterexample if SQLite finds a dangling reference or a damaged table.
    func checkSoundness() throws {
        let complaints = try store.writer.read { db in try Store.complaints(db) }
        guard complaints.isEmpty else {
            throw Counterexample("The store is not sound: \(complaints)")
        }
    }

    /// Returns the contents of all tables, by row number.
    func contents() throws -> StoreContents { try StoreContents(store) }

    /// Returns the rows and unresolved references as text, by primary key.
    func keyedContents() throws -> String { try KeyedContents(store).text }

    /// Returns the rows as text, by primary key, without unresolved references.
    func linkedContents() throws -> String {
        try keyedContents().split(separator: "\n").filter { !$0.hasPrefix("waits") }
            .joined(separator: "\n")
    }

    /// Deletes all rows, with statements that are prepared once per store.
    fileprivate func clear() throws {
        let system = ["_tidemark_walk", "_tidemark_held"]
        let rows = store.layout.joins.map(\.name) + store.layout.tables.map(\.name)
        try store.writer.write { db in
            for table in system + rows + ["sqlite_sequence"] {
                let sql = "DELETE FROM \(table.quotedDatabaseIdentifier)"
                try db.cachedStatement(sql: sql).execute()
            }
        }
    }
}

/// A pool of empty stores for samples that share a model.
///
/// Stores are reused because creating the tables of a model takes longer than importing a few
/// documents.
final class Benches {
    private var model = Model()
    private var benches: [Bench] = []
    private var taken = 0

    /// Returns all stores to the pool, and discards them if the model is another one.
    func begin(_ model: Model) {
        if model != self.model {
            benches = []
            self.model = model
        }
        taken = 0
    }

    /// Returns an empty store.
    func next() throws -> Bench {
        if taken == benches.count { benches.append(try Bench(model)) }
        let bench = benches[taken]
        taken += 1
        try bench.clear()
        return bench
    }

    /// Returns a store into which documents were imported.
    func next(of steps: [ImportSample.Step]) throws -> Bench {
        let bench = try next()
        try bench.load(steps)
        return bench
    }
}

extension Property<ImportSample> {
    /// Tests the property with a store into which all documents but the last were imported, and
    /// with the last document.
    func holds(
        _ body: (Bench, ImportSample.Step, ImportSample) throws -> Void
    ) async throws {
        let benches = Benches()
        try await holds { sample in
            guard let last = sample.steps.last else { return }
            benches.begin(sample.model)
            try body(benches.next(of: sample.steps.dropLast()), last, sample)
        }
    }
}

extension Property<World> {
    /// Tests the property with a pool of empty stores.
    func holds(_ body: (World, Benches) throws -> Void) async throws {
        let benches = Benches()
        try await holds { world in
            benches.begin(world.model)
            try body(world, benches)
        }
    }
}
