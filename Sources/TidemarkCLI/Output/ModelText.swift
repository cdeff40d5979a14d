import TidemarkInference
import TidemarkModel

/// A model as text: one paragraph per entity, one line per property.
struct ModelText: CustomStringConvertible {
    private let model: ModelSummary

    init(_ model: ModelSummary) {
        self.model = model
    }

    var description: String {
        model.entities.sorted { $0.key < $1.key }.map { paragraph($0.value, named: $0.key) }.joined(
            separator: "\n\n"
        )
    }

    private func paragraph(
        _ entity: ModelSummary.EntitySummary,
        named name: String
    ) -> String {
        let parent = entity.parent.map { ": \($0)" } ?? ""
        let abstract = entity.isAbstract ? " (abstract)" : ""
        let key = entity.primaryKey.map(\.local).joined(separator: ", ")
        let attributes = entity.attributes.sorted { $0.key < $1.key }.map { name, attribute in
            "  \(name): \(attribute.type.rawValue)\(attribute.optional ? "" : ", required")"
                + " ← \(attribute.remoteKeys.joined(separator: ", "))"
        }
        let relationships = entity.relationships.sorted { $0.key < $1.key }.map {
            name,
            relationship in
            "  \(name) → \(relationship.toMany ? "many " : "")\(relationship.destination)"
                + (relationship.ordered ? ", ordered" : "")
                + (relationship.inverse.map { ", back by \($0)" } ?? "")
                + ", \(relationship.deleteRule.rawValue) ← \(relationship.remoteKeys.joined(separator: ", "))"
        }
        let title = name + parent + abstract + (key.isEmpty ? ", no primary key" : ", key \(key)")
        return ([title] + attributes + relationships).joined(separator: "\n")
    }
}

extension Model {
    /// Returns a remark that a store was created with this inferred model.
    ///
    /// - Parameters:
    ///   - store: The path of the store.
    ///   - source: The source from which the model was inferred.
    ///   - isDryRun: Whether the store exists only in memory.
    /// - Returns: One or two sentences.
    func announcement(of store: String, from source: String, isDryRun: Bool) -> String {
        let names = entities.map(\.name).sorted().joined(separator: ", ")
        guard !isDryRun else {
            return "A model for \(store) would be inferred from \(source), with \(names)."
        }
        return "The model of \(store) was inferred from \(source), with \(names). "
            + "`tidemark model show --store \(store.shellQuoted)` prints it."
    }
}
