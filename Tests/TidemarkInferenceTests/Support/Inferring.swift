import Testing
import TidemarkInference
import TidemarkJSON
import TidemarkModel
import TidemarkTestSupport

/// Infers a model from samples, each with its entity or source and its JSON.
func infer(
    _ samples: KeyValuePairs<String, String>,
    limits: InferenceLimits = InferenceLimits()
) throws -> InferredModel {
    var inference = ModelInference(limits: limits)
    for (source, json) in samples {
        try inference.add(JSONDocument(json), from: source)
    }
    return try inference.result()
}

/// Expects the model of samples in short form; see ``InferredModel/text``.
func expect(
    _ samples: KeyValuePairs<String, String>,
    give expected: String,
    limits: InferenceLimits = InferenceLimits(),
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let text = try infer(samples, limits: limits).text
    #expect(text == expected, sourceLocation: sourceLocation)
}

/// Returns the error of inferring a model from samples, or an empty string.
func errorMessage(
    _ samples: KeyValuePairs<String, String>,
    limits: InferenceLimits = InferenceLimits()
) -> String {
    do {
        _ = try infer(samples, limits: limits)
        return ""
    } catch {
        return "\(error)"
    }
}

extension InferredModel {
    /// The model in short form, one entity per line.
    ///
    /// `User[id]: id integer64, city string ← address.city; notes →→ Note ⇄ user cascade`.
    var text: String {
        model.entities.map { entity in
            let key = model.primaryKey(of: entity).joined(separator: ",")
            let attributes = entity.attributes.map { attribute in
                let path = attribute.json.remoteKey.map { " ← \($0)" } ?? ""
                return "\(attribute.name) \(attribute.type.rawValue)\(path)"
            }
            let relationships = entity.relationships.map(Self.text)
            let properties = [attributes, relationships].filter { !$0.isEmpty }
                .map { $0.joined(separator: ", ") }
            return "\(entity.name)[\(key)]: \(properties.joined(separator: "; "))"
        }
        .joined(separator: "\n")
    }

    private static func text(_ relationship: Relationship) -> String {
        let json = relationship.json
        let names = [json.remoteKey].compactMap(\.self) + json.referenceKeys
        let path = names.isEmpty ? "" : " ← \(names.joined(separator: " "))"
        let rule =
            relationship.deleteRule == .nullify ? "" : " \(relationship.deleteRule.rawValue)"
        return "\(relationship.name) \(relationship.isToMany ? "→→" : "→") "
            + "\(relationship.destination)\(path) ⇄ \(relationship.inverse ?? "nothing")\(rule)"
    }

    /// The doubtful notes.
    var doubtfulNotes: [String] { notes.filter(\.needsReview).map(\.description) }
}
