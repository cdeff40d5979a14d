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
        let samples = World.random([
            .abstractParents, .deleteRules, .required, .oneWay, .dateFormats,
        ])
        let options = ExportOptions(keys: keys, relationships: .ids)
        try await Property(cases: 20, sample: samples).holds { world, benches in
            try roundTrip(world, benches, options)
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
        let samples = World.random([
            .ownedKeyless, .deleteRules, .required, .oneRelationship, .dateFormats,
        ])
        let options = ExportOptions(keys: keys, relationships: .objects)
        try await Property(cases: 20, sample: samples).holds { world, benches in
            try roundTrip(world, benches, options)
        }
    }

    /// The property holds for any links, because a list is exported completely or not at all.
    @Test(arguments: [ExportOptions.Relationships.objects, .ids])
    func `importing an export into the same store changes nothing`(
        relationships: ExportOptions.Relationships
    ) async throws {
        let samples = World.random([
            .abstractParents, .deleteRules, .required, .oneWay, .dateFormats,
        ])
        let options = ExportOptions(relationships: relationships)
        try await Property(cases: 20, sample: samples).holds { world, benches in
            let bench = try benches.next(of: world.documents(at: 0))
            let before = try bench.keyedContents()
            for step in world.documents(at: 0) {
                let json = try export(step.entity, of: bench.store, options)
                var items = try JSONDocument(json).items()
                let report = try bench.importer.import(&items, into: step.entity)
                guard report.isUnchanged else {
                    throw Counterexample(
                        "\(report.text) from \(String(decoding: json, as: UTF8.self))"
                    )
                }
            }
            try same(try bench.keyedContents(), before, "Another store")
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

    private func roundTrip(_ world: World, _ benches: Benches, _ options: ExportOptions) throws {
        let bench = try benches.next(of: world.documents(at: 0))
        let copy = try benches.next()
        for step in world.documents(at: 0) {
            let json = try export(step.entity, of: bench.store, options)
            var items = try JSONDocument(json).items()
            let report = try copy.importer.import(&items, into: step.entity)
            guard report.diagnostics.allSatisfy({ $0.isOfKey(in: world.model) }) else {
                throw Counterexample(
                    "\(report.text) from \(String(decoding: json, as: UTF8.self))"
                )
            }
        }
        try same(try copy.keyedContents(), try bench.keyedContents(), "Another store")
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
