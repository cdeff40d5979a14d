import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// A store of a sample's model, and what imports into it.
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

    /// Imports documents, and sees that the store is sound.
    func load(_ steps: [ImportSample.Step]) throws {
        for step in steps { try load(step) }
        try checkSoundness()
    }

    /// Throws where SQLite finds a dangling reference or a damaged table.
    func checkSoundness() throws {
        let complaints = try store.writer.read { db in try Store.complaints(db) }
        guard complaints.isEmpty else {
            throw Counterexample("The store is not sound: \(complaints)")
        }
    }

    /// All that the store holds.
    func contents() throws -> StoreContents { try StoreContents(store) }

    /// What the store holds, by keys.
    func keyedContents() throws -> String { try KeyedContents(store).text }

    /// What the store holds, by keys, without what waits.
    func linkedContents() throws -> String {
        try keyedContents().split(separator: "\n").filter { !$0.hasPrefix("waits") }
            .joined(separator: "\n")
    }

    fileprivate func clear() throws {
        try store.writer.write { db in
            try db.execute(sql: "DELETE FROM _tidemark_walk")
            try db.execute(sql: "DELETE FROM _tidemark_held")
            for table in store.layout.joins.map(\.name) + store.layout.tables.map(\.name) {
                try db.execute(sql: "DELETE FROM \(table.quotedDatabaseIdentifier)")
            }
            try db.execute(sql: "DELETE FROM sqlite_sequence")
        }
    }
}

/// Empty stores, made once for the samples that share a model: to lay out a model takes longer than
/// to import a few documents.
final class Benches {
    private var model = Model()
    private var benches: [Bench] = []
    private var taken = 0

    /// Takes back the stores that were handed out, and prepares for a sample.
    func begin(_ model: Model) {
        if model != self.model {
            benches = []
            self.model = model
        }
        taken = 0
    }

    /// An empty store.
    func next() throws -> Bench {
        if taken == benches.count { benches.append(try Bench(model)) }
        let bench = benches[taken]
        taken += 1
        try bench.clear()
        return bench
    }

    /// A store of some documents.
    func next(of steps: [ImportSample.Step]) throws -> Bench {
        let bench = try next()
        try bench.load(steps)
        return bench
    }
}

extension Property<ImportSample> {
    /// Tries the property with a store after all documents but the last, and the last.
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
    /// Tries the property with as many empty stores as it asks for.
    func holds(_ body: (World, Benches) throws -> Void) async throws {
        let benches = Benches()
        try await holds { world in
            benches.begin(world.model)
            try body(world, benches)
        }
    }
}
