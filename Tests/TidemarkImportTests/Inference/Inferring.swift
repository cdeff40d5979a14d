import Foundation
import TidemarkImport
import TidemarkModel
import TidemarkStore

/// Samples, the model they suggest, and what an import with that model says of them.
struct Inferring {
    let inferred: InferredModel
    private let documents: [(document: JSONDocument, lists: [SampledList])]

    /// Infers a model from samples, each with the name of its file.
    init(_ samples: [(source: String, entity: String?, text: String)]) throws {
        var inference = ModelInference()
        documents = try samples.map { source, entity, text in
            let document = try JSONDocument(Array(text.utf8))
            return (document, try inference.add(document, from: source, entity: entity))
        }
        inferred = try inference.result()
    }

    var model: Model { inferred.model }

    /// Imports the samples into a store with the model.
    ///
    /// - Returns: The diagnostics of all imports, and the store.
    func imported() throws -> (diagnostics: [String], store: Store) {
        let store = try Store.inMemory(model: model)
        let importer = Importer(store)
        var diagnostics: [String] = []
        for (document, lists) in documents {
            for list in lists where list.count > 0 {
                var items = try document.items(at: list.keyPath)
                let options = ImportOptions(operations: .upsert)
                let report = try importer.import(&items, into: list.entity, options: options)
                diagnostics += report.diagnostics.map(\.text)
            }
        }
        return (diagnostics, store)
    }
}
