import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// A store with the model of a sample, and its importer.
struct TestStore {
    let store: Store
    let importer: Importer

    init(_ model: Model) throws {
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
        try checkIntegrity()
    }

    /// Throws a counterexample if SQLite finds a dangling reference or a damaged table.
    func checkIntegrity() throws {
        let integrityErrors = try store.writer.read { db in try Store.integrityErrors(db) }
        guard integrityErrors.isEmpty else {
            throw Counterexample("The store is corrupt: \(integrityErrors)")
        }
    }

    /// Returns the contents of all tables, by row number.
    func contents() throws -> StoreContents { try StoreContents(store) }

    /// Returns the rows and unresolved references as text, by primary key.
    func keyedContents() throws -> String { try KeyedContents(store).text }

    /// Returns the rows as text, by primary key, without unresolved references.
    func linkedContents() throws -> String {
        try keyedContents().split(separator: "\n").filter { !$0.hasPrefix("unresolved") }
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
final class TestStorePool {
    private var model = Model()
    private var stores: [TestStore] = []
    private var usedCount = 0

    /// Returns all stores to the pool, and discards them if the model is another one.
    func begin(_ model: Model) {
        if model != self.model {
            stores = []
            self.model = model
        }
        usedCount = 0
    }

    /// Returns an empty store.
    func next() throws -> TestStore {
        if usedCount == stores.count { stores.append(try TestStore(model)) }
        let target = stores[usedCount]
        usedCount += 1
        try target.clear()
        return target
    }

    /// Returns a store into which documents were imported.
    func next(of steps: [ImportSample.Step]) throws -> TestStore {
        let target = try next()
        try target.load(steps)
        return target
    }
}

extension Property<ImportSample> {
    /// Tests the property with a store into which all documents but the last were imported, and
    /// with the last document.
    func holds(
        _ body: (TestStore, ImportSample.Step, ImportSample) throws -> Void
    ) async throws {
        let pool = TestStorePool()
        try await holds { sample in
            guard let last = sample.steps.last else { return }
            pool.begin(sample.model)
            try body(pool.next(of: sample.steps.dropLast()), last, sample)
        }
    }
}

extension Property<ServiceHistory> {
    /// Tests the property with a pool of empty stores.
    func holds(_ body: (ServiceHistory, TestStorePool) throws -> Void) async throws {
        let pool = TestStorePool()
        try await holds { history in
            pool.begin(history.model)
            try body(history, pool)
        }
    }
}
