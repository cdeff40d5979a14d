import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Round trips: importing an export reproduces the store.
struct ExportPropertyTests {
    /// An export with the keys of linked rows reproduces the store, for any links.
    ///
    /// Such an export cannot contain rows without a key.
    @Test(arguments: ExportOptions.Keys.allCases)
    func `importing an export with keys reproduces the store`(keys: ExportOptions.Keys) async throws
    {
        let samples = ServiceHistory.random([
            .abstractParents, .deleteRules, .required, .unidirectional, .dateFormats,
        ])
        let options = ExportOptions(keys: keys, relationships: .ids)
        try await Property(cases: 20, sample: samples).holds { history, pool in
            try roundTrip(history, pool, options)
        }
    }

    /// An export with embedded rows reproduces the store, including rows without a key.
    ///
    /// The property holds for models with one relationship and its inverse, besides that of
    /// children without a key.
    @Test(arguments: ExportOptions.Keys.allCases)
    func `importing an export with embedded objects reproduces the store`(
        keys: ExportOptions.Keys
    ) async throws {
        let samples = ServiceHistory.random([
            .ownedKeyless, .deleteRules, .required, .oneRelationship, .dateFormats,
        ])
        let options = ExportOptions(keys: keys, relationships: .objects)
        try await Property(cases: 20, sample: samples).holds { history, pool in
            try roundTrip(history, pool, options)
        }
    }

    /// The property holds for any links, because a list is exported completely or not at all.
    @Test(arguments: [ExportOptions.Relationships.objects, .ids])
    func `importing an export into the same store changes nothing`(
        relationships: ExportOptions.Relationships
    ) async throws {
        let samples = ServiceHistory.random([
            .abstractParents, .deleteRules, .required, .unidirectional, .dateFormats,
        ])
        let options = ExportOptions(relationships: relationships)
        try await Property(cases: 20, sample: samples).holds { history, pool in
            let target = try pool.next(of: history.documents(at: 0))
            let before = try target.keyedContents()
            for step in history.documents(at: 0) {
                let json = try export(step.entity, of: target.store, options)
                var items = try JSONDocument(json).items()
                let report = try target.importer.import(&items, into: step.entity)
                guard report.isUnchanged else {
                    throw Counterexample(
                        "\(report.text) from \(String(decoding: json, as: UTF8.self))"
                    )
                }
            }
            try same(try target.keyedContents(), before, "The stores differ")
        }
    }

    private func export(
        _ entity: String,
        of store: Store,
        _ options: ExportOptions
    ) throws -> [UInt8] {
        var writer = JSONWriter()
        try store.reader.read { db in
            try Exporter(store, options: options).write(db, RecordRequest(entity), into: &writer)
        }
        return writer.bytes
    }

    private func roundTrip(
        _ history: ServiceHistory,
        _ pool: TestStorePool,
        _ options: ExportOptions
    ) throws {
        let target = try pool.next(of: history.documents(at: 0))
        let copy = try pool.next()
        for step in history.documents(at: 0) {
            let json = try export(step.entity, of: target.store, options)
            var items = try JSONDocument(json).items()
            let report = try copy.importer.import(&items, into: step.entity)
            guard report.diagnostics.allSatisfy({ $0.isOfKey(in: history.model) }) else {
                throw Counterexample(
                    "\(report.text) from \(String(decoding: json, as: UTF8.self))"
                )
            }
        }
        try same(try copy.keyedContents(), try target.keyedContents(), "The stores differ")
    }
}

extension Diagnostic {
    /// Returns whether the diagnostic may be about an object that contains only a composite key.
    ///
    /// If the row requires other values too, such an object is an unresolved reference to it.
    fileprivate func isOfKey(in model: Model) -> Bool {
        message == "A row must have a value."
            && model[entity].map { model.primaryKey(of: $0).count > 1 } == true
    }
}
