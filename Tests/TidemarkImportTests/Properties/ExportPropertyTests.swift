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
    /// It holds where there is one relationship, with its inverse, between two entities: a list
    /// inside others lacks the rows it stands in, and only of the inverse of the list around it is
    /// that known.
    @Test(arguments: ExportOptions.Keys.allCases)
    func `an export with objects is imported as the same store`(
        keys: ExportOptions.Keys
    ) async throws {
        let samples = World.random([
            .ownedKeyless, .deleteRules, .required, .oneRelationship, .dateFormats,
        ])
        let options = ExportOptions(keys: keys, relationships: .objects)
        try await Property(cases: 250, sample: samples).holds { world, benches in
            guard !world.model.leadsToItself else { return }
            try roundTrip(world, benches, options)
        }
    }

    private func roundTrip(_ world: World, _ benches: Benches, _ options: ExportOptions) throws {
        let bench = try benches.next(of: world.documents(at: 0))
        let exporter = Exporter(bench.store, options: options)
        let copy = try benches.next()
        for step in world.documents(at: 0) {
            var writer = JSONWriter()
            try bench.store.writer.read { db in
                try exporter.write(db, RecordRequest(step.entity), into: &writer)
            }
            var items = try JSONDocument(writer.bytes).items()
            let report = try copy.importer.import(&items, into: step.entity)
            guard report.diagnostics.allSatisfy({ $0.isOfKey(in: world.model) }) else {
                throw Counterexample(
                    "\(report.text) from \(String(decoding: writer.bytes, as: UTF8.self))"
                )
            }
        }
        try same(try copy.keyedContents(), try bench.keyedContents(), "Another store")
    }
}

extension Model {
    /// Whether a relationship leads from an entity to itself.
    fileprivate var leadsToItself: Bool {
        entities.contains { entity in
            entity.relationships.contains { $0.destination == entity.name }
        }
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
