import Foundation
import GRDB
import TidemarkCoreData
import TidemarkImport
import TidemarkInference
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkYAML

/// Models in their textual forms: a model that is read without an error gives a working store.
enum ModelTexts {
    /// Checks a Core Data model in XML.
    static func checkXML(_ bytes: [UInt8]) throws {
        let model: Model
        do {
            model = try ModelBundle.model(from: Data(bytes), named: "contents")
        } catch let error as ModelError {
            return try requireWords(error)
        }
        try check(model)
    }

    /// Checks a model in YAML, of which JSON is a subset.
    static func checkYAML(_ bytes: [UInt8]) throws {
        let model: Model
        do {
            let text = try YAMLText(String(decoding: bytes, as: UTF8.self))
            model = try Model.decoding { try text.decode(Model.self) }
        } catch let error as ModelError {
            return try requireWords(error)
        } catch is YAMLText.Failure {
            return
        }
        try check(model)
    }

    private static func requireWords(_ error: ModelError) throws {
        if error.description.isEmpty { throw Violation("an error without words") }
    }

    private static func check(_ model: Model) throws {
        let findings = model.findings()
        _ = ModelSummary(model)
        guard !findings.contains(where: { $0.severity == .error }) else { return }
        try model.validate()
        try checkCoding(model)
        let store = try Store.inMemory(model: model)
        let (importer, exporter) = (Importer(store), Exporter(store))
        for entity in model.entities where store.layout.index(of: entity.name) != nil {
            try check(entity, in: store, importer, exporter)
        }
    }

    private static func checkCoding(_ model: Model) throws {
        let text = try JSONEncoder().encode(model)
        let again = try Model.decoding { try JSONDecoder().decode(Model.self, from: text) }
        // The order is not compared, because JSONDecoder does not preserve the order of keys.
        try Violation.unlessEqual(
            again.entities.map(\.name).sorted(),
            model.entities.map(\.name).sorted(),
            "entities of \(String(decoding: text, as: UTF8.self))"
        )
        try Violation.unlessEqual(again, model, String(decoding: text, as: UTF8.self))
    }

    /// Checks that an object of the entity can be imported and exported.
    private static func check(
        _ entity: EntityDescription,
        in store: Store,
        _ importer: Importer,
        _ exporter: Exporter
    ) throws {
        let document = try JSONDocument(
            Array(#"[{"id": 1, "name": "a", "remoteID": "1"}, 1]"#.utf8)
        )
        do {
            var items = try document.items()
            _ = try importer.import(&items, into: entity.name)
        } catch let error as ImportError where error.code == .needsParent {
            return
        }
        try store.writer.write { db in
            var writer = JSONWriter()
            try exporter.write(db, RecordRequest(entity.name), into: &writer)
            _ = try JSONDocument(writer.bytes)
        }
    }
}
