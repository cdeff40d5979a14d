import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// An export is the way back of an import.
struct ExportPropertyTests {
    /// What is exported with the keys of linked rows makes the same store again, whatever is linked
    /// with what.
    ///
    /// Rows without a key have no place in such an export.
    @Test(arguments: ExportOptions.Keys.allCases)
    func `an export with keys is imported as the same store`(keys: ExportOptions.Keys) async throws
    {
        let samples = World.random([
            .abstractParents, .deleteRules, .required, .oneWay, .dateFormats,
        ])
        let options = ExportOptions(keys: keys, relationships: .ids)
        try await Property(cases: 250, sample: samples).holds { world, benches in
            try roundTrip(world, benches, options)
        }
    }

    /// What is exported with the linked rows in it makes the same store again, rows without a key
    /// included.
    ///
    /// It holds where there is one relationship, with its inverse, between two entities.
    @Test(arguments: ExportOptions.Keys.allCases)
    func `an export with objects is imported as the same store`(
        keys: ExportOptions.Keys
    ) async throws {
        let samples = World.random([
            .ownedKeyless, .deleteRules, .required, .oneRelationship, .dateFormats,
        ])
        let options = ExportOptions(keys: keys, relationships: .objects)
        try await Property(cases: 250, sample: samples).holds { world, benches in
            try roundTrip(world, benches, options)
        }
    }

    /// Whatever is linked with what: a list is complete, or left out.
    @Test(arguments: [ExportOptions.Relationships.objects, .ids])
    func `importing an export into the same store changes nothing`(
        relationships: ExportOptions.Relationships
    ) async throws {
        let samples = World.random([
            .abstractParents, .deleteRules, .required, .oneWay, .dateFormats,
        ])
        let options = ExportOptions(relationships: relationships)
        try await Property(cases: 250, sample: samples).holds { world, benches in
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
    /// Whether it is about an object that holds a key of several parts, and no more: where a row
    /// must have other values too, such an object is a reference that waits for the row.
    fileprivate func isOfKey(in model: Model) -> Bool {
        message == "A row must have a value."
            && model[entity].map { model.primaryKey(of: $0).count > 1 } == true
    }
}
