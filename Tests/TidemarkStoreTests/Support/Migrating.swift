import Foundation
import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkStore

/// Parses a model from the entities of a model file, in their order; words need no quotes.
func model(_ entities: String) throws -> Model {
    let json = "{entities: {\(entities)}}".replacing(/"[^"]*"|[A-Za-z][\w.]*/) { match in
        let word = String(match.output)
        return word.hasPrefix("\"") || word == "true" || word == "false" ? word : "\"\(word)\""
    }
    var model = try JSONDecoder().decode(Model.self, from: Data(json.utf8))
    let order = entities.split(separator: ", ").compactMap {
        $0.firstMatch(of: /^([A-Z]\w*): {/)?.1
    }
    model.entities.sort { one, other in
        order.firstIndex(of: one.name[...]) ?? 0 < order.firstIndex(of: other.name[...]) ?? 0
    }
    return model
}

/// Returns a store in memory with some rows.
func store(_ entities: String, _ rows: (Store) throws -> Void = { _ in }) throws -> Store {
    let store = try Store.validated(model: model(entities))
    try rows(store)
    return store
}

extension Store {
    /// Migrates, checks that the store is equal to a new one, and returns it with the steps, one
    /// per line.
    func migrating(
        to entities: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> (store: Store, steps: String) {
        try migrating(to: TidemarkStoreTests.model(entities), sourceLocation: sourceLocation)
    }

    func migrating(
        to model: Model,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> (store: Store, steps: String) {
        var steps = ""
        let before = try writer.read(SchemaShape.state)
        let dryRun = try dryRunMigration(to: model)
        #expect(
            try writer.read(SchemaShape.state) == before,
            "A dry run changed something.",
            sourceLocation: sourceLocation
        )
        let store = try migrate(to: model) { migration in
            #expect(migration == dryRun, sourceLocation: sourceLocation)
            steps = migration.lines
        }
        try store.expectIntegrity(sourceLocation: sourceLocation)
        return (store, steps)
    }

    /// Expects that a migration is rejected and the store unchanged, and returns the reasons, one
    /// per line.
    func rejections(
        of entities: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let before = try writer.read(SchemaShape.state)
        let model = try TidemarkStoreTests.model(entities)
        let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
            try migrate(to: model)
        }
        #expect(error?.code == .migrationRejected, sourceLocation: sourceLocation)
        let dryRun = try dryRunMigration(to: model)
        let after = try writer.read(SchemaShape.state)
        expect(after, is: before, sourceLocation: sourceLocation)
        try expectSettings(sourceLocation: sourceLocation)
        return dryRun.rejections.map(\.description).joined(separator: "\n")
    }

    /// Expects the schema of a new store with the same model, and no broken reference.
    func expectIntegrity(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let newStore = try Store.validated(model: model).writer.read(SchemaShape.init)
        let own = try writer.read(SchemaShape.init)
        expect(own.text, is: newStore.text, sourceLocation: sourceLocation)
        let checks = try writer.read { db in
            try ["integrity_check", "foreign_key_check"].flatMap {
                try String.fetchAll(db, sql: "PRAGMA \($0)")
            }
        }
        #expect(checks == ["ok"], sourceLocation: sourceLocation)
        let storedModel = try writer.read { db in try StoreMetadata.model(db, location: "memory") }
        #expect(storedModel == model, sourceLocation: sourceLocation)
        try expectSettings(sourceLocation: sourceLocation)
    }

    private func expectSettings(sourceLocation: SourceLocation) throws {
        let settings = try writer.writeWithoutTransaction { db in
            try ["foreign_keys", "legacy_alter_table"].map {
                try Int.fetchOne(db, sql: "PRAGMA \($0)")
            }
        }
        #expect(settings == [1, 0], sourceLocation: sourceLocation)
        let temporaryObjects = try writer.writeWithoutTransaction { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_temp_master")
        }
        #expect(temporaryObjects.isEmpty, sourceLocation: sourceLocation)
    }
}

extension Migration {
    /// The steps of the migration, one per line.
    var lines: String {
        let discarded =
            discardedReferences > 0 ? ["discard \(discardedReferences) references"] : []
        return (steps.map(\.description) + discarded).joined(separator: "\n")
    }
}
