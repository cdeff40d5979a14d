import TidemarkImport
import TidemarkInference
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Samples and the model that is inferred from them.
struct Inferring {
    let inferred: InferredModel
    private let documents: [(document: JSONDocument, lists: [SampledList])]

    /// A document, the name of its file, and the entity of its objects if it is known.
    struct Sample {
        var source: String
        var entity: String?
        var text: String
    }

    init(_ samples: [Sample]) throws {
        var inference = ModelInference()
        documents = try samples.map { sample in
            let document = try JSONDocument(Array(sample.text.utf8))
            let lists = try inference.add(document, from: sample.source, entity: sample.entity)
            return (document, lists)
        }
        inferred = try inference.result()
    }

    var model: Model { inferred.model }

    /// Returns whether a finding reports that the entity of a sample has no primary key.
    func isKeyless(_ finding: String) -> Bool {
        keyless.contains { finding.hasPrefix("\($0): It has no primary key") }
    }

    /// The entities of samples that have no primary key.
    var keyless: Set<String> {
        let sampled = Set(documents.flatMap { $0.lists.map(\.entity) })
        return Set(
            model.entities.filter {
                sampled.contains($0.name) && model.primaryKey(of: $0).isEmpty
            }
            .map(\.name)
        )
    }

    /// Imports the samples into a store with the model.
    ///
    /// - Returns: The diagnostics of all imports.
    func diagnostics() throws -> [String] {
        let store = try Store.validated(model: model)
        let importer = Importer(store)
        let options = ImportOptions(operations: .upsert)
        var diagnostics: [String] = []
        for (document, lists) in documents {
            for list in lists where list.count > 0 && !keyless.contains(list.entity) {
                var items = try document.items(at: JSONPath(list.keyPath ?? ""))
                let report = try importer.import(&items, into: list.entity, options: options)
                diagnostics += report.diagnostics.map(\.text)
            }
        }
        return diagnostics
    }
}
