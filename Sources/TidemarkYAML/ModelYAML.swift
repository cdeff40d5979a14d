package import TidemarkInference
package import TidemarkModel
import Yams

/// A model as readable YAML: one line per property, with comments on what was inferred.
///
/// Parsing the text returns the same model.
package struct ModelYAML {
    private let model: Model
    private let header: [String]
    private let notes: [String: [InferenceNote]]

    /// The maximum width of a line that includes a comment.
    private static let width = 100

    /// Creates the text of a model.
    package init(_ model: Model) {
        self.model = model
        header = []
        notes = [:]
    }

    /// Creates the text of an inferred model, with comments that explain the inference.
    package init(_ inferred: InferredModel, samples: [(sample: String, list: SampledList)]) {
        model = inferred.model
        header = Self.header(samples)
        notes = Dictionary(grouping: inferred.notes, by: \.path)
    }

    /// Returns the text, without a line break at the end.
    package func text() throws -> String {
        let yaml = try YAMLEncoder().encode(model)
        let entities = try Yams.compose(yaml: yaml)?.mapping?["entities"]?.mapping ?? [:]
        var lines = header
        lines.append("entities:")
        for (name, body) in entities {
            let name = name.string ?? ""
            lines += remarks(on: name, indent: 2)
            lines.append("  \(YAMLScalar(name)):")
            lines += self.lines(body.mapping ?? [:], of: name)
        }
        return lines.joined(separator: "\n")
    }

    private static func header(
        _ samples: [(sample: String, list: SampledList)]
    ) -> [String] {
        let lists = samples.filter { $0.list.count > 0 }.map { sample, list in
            "#   \(list.count) × \(list.entity)\(list.keyPath.map { " at \($0)" } ?? "") in \(sample)"
                .onOneLine
        }
        return [
            "# Inferred from samples. Nothing is required, since no sample proves that a later one has it."
        ] + lists
    }

    private func lines(_ body: Node.Mapping, of entity: String) -> [String] {
        var lines: [String] = []
        for (key, value) in body where key.string != "order" {
            let key = key.string ?? ""
            guard ["attributes", "relationships"].contains(key), let properties = value.mapping
            else {
                lines.append("    \(key): \(Self.flow(value))")
                continue
            }
            lines.append("    \(key):")
            for (name, property) in properties {
                let name = name.string ?? ""
                let line = "      \(YAMLScalar(name)): \(Self.flow(property))"
                lines += commented(line, for: "\(entity).\(name)")
            }
        }
        return lines
    }

    // MARK: Comments

    private func remarks(on path: String, indent: Int) -> [String] {
        notes[path, default: []].map {
            String(repeating: " ", count: indent) + "# \($0.message.onOneLine)"
        }
    }

    /// Returns a line with its comment, which is placed above the line if both together are too
    /// wide.
    private func commented(_ line: String, for path: String) -> [String] {
        let remarks = remarks(on: path, indent: 6)
        guard let only = remarks.first, remarks.count == 1 else { return remarks + [line] }
        let both = "\(line)  \(only.drop { $0 == " " })"
        return both.count <= Self.width ? [both] : [only, line]
    }

    // MARK: Values

    /// Returns a value in flow style, on one line.
    private static func flow(_ node: Node) -> String {
        switch node {
        case .mapping(let mapping):
            let members = mapping.map { "\(flow($0.key)): \(flow($0.value))" }
            return "{\(members.joined(separator: ", "))}"
        case .sequence(let sequence):
            return "[\(sequence.map(flow).joined(separator: ", "))]"
        case .scalar(let scalar):
            if scalar.style == .plain, ["true", "false"].contains(scalar.string) {
                return scalar.string
            }
            let isText = scalar.style != .plain && scalar.style != .any
            return isText ? YAMLScalar.quoted(scalar.string) : YAMLScalar(scalar.string).description
        case .alias(let alias):
            return YAMLScalar.quoted(alias.anchor.rawValue)
        }
    }
}

extension String {
    /// The text without line breaks and control characters.
    fileprivate var onOneLine: String {
        let visible = unicodeScalars.map { scalar in
            let isHarmful =
                scalar.properties.generalCategory == .control || scalar.properties.isWhitespace
            return isHarmful ? " " as Character : Character(scalar)
        }
        return visible.split(separator: " ").map { String($0) }.joined(separator: " ")
    }
}
