import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Samples, the model they suggest, and what an import with that model says of them.
struct Inferring {
    let inferred: InferredModel
    private let documents: [(document: JSONDocument, lists: [SampledList])]

    /// A document, the file it is from, and what its objects are called, if that is known.
    struct Sample {
        var source: String
        var entity: String?
        var text: String
    }

    init(_ samples: [Sample], limits: Limits = Limits()) throws {
        var inference = ModelInference(limits: limits)
        documents = try samples.map { sample in
            let document = try JSONDocument(Array(sample.text.utf8))
            let lists = try inference.add(document, from: sample.source, entity: sample.entity)
            return (document, lists)
        }
        inferred = try inference.result()
    }

    var model: Model { inferred.model }

    /// Whether a finding says that nothing tells the objects of a sample apart.
    func isKeyless(_ finding: String) -> Bool {
        keyless.contains { finding.hasPrefix("\($0): It has no primary key") }
    }

    /// The entities with samples whose objects nothing tells apart.
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
    /// - Returns: What the imports have to remark.
    func diagnostics() throws -> [String] {
        let store = try Store.watched(model: model)
        let importer = Importer(store)
        let options = ImportOptions(operations: .upsert)
        var diagnostics: [String] = []
        for (document, lists) in documents {
            for list in lists where list.count > 0 && !keyless.contains(list.entity) {
                var items = try document.items(at: list.keyPath)
                let report = try importer.import(&items, into: list.entity, options: options)
                diagnostics += report.diagnostics.map(\.text)
            }
        }
        return diagnostics
    }
}
