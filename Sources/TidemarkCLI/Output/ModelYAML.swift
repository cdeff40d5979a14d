import TidemarkModel
import Yams

/// An inferred model in YAML, as people would write it: a property a line, and what was decided
/// behind it.
struct ModelYAML {
    private let inferred: InferredModel
    private let samples: [(sample: String, list: SampledList)]
    private let notes: [String: [InferenceNote]]

    /// How wide lines become at most with their comments.
    private static let width = 100

    init(_ inferred: InferredModel, _ samples: [(sample: String, list: SampledList)]) {
        self.inferred = inferred
        self.samples = samples
        notes = Dictionary(grouping: inferred.notes, by: \.place)
    }

    /// The text, without a line end behind it.
    func text() throws -> String {
        let yaml = try YAMLEncoder().encode(inferred.model)
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

    private var header: [String] {
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
                lines += commented(line, "\(entity).\(name)")
            }
        }
        return lines
    }

    // MARK: Comments

    private func remarks(on place: String, indent: Int) -> [String] {
        notes[place, default: []].map {
            String(repeating: " ", count: indent) + "# \($0.message.onOneLine)"
        }
    }

    /// The line, with what is to be said of it behind it, or above where it would be too wide.
    private func commented(_ line: String, _ place: String) -> [String] {
        let remarks = remarks(on: place, indent: 6)
        guard let only = remarks.first, remarks.count == 1 else { return remarks + [line] }
        let both = "\(line)  \(only.drop { $0 == " " })"
        return both.count <= Self.width ? [both] : [only, line]
    }

    // MARK: Values

    /// A value on one line.
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

/// A text as YAML has it: as it stands where nothing else could be meant, else in quotation marks.
struct YAMLScalar: CustomStringConvertible {
    let description: String

    init(_ text: String) {
        description = Self.isPlain(text) ? text : Self.quoted(text)
    }

    /// The text in quotation marks, with everything escaped that cannot be seen.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            default: result += isVisible(scalar) ? String(scalar) : escaped(scalar)
            }
        }
        return result + "\""
    }

    /// Words that YAML 1.1 takes for something else than a text.
    private static let words: Set<String> = [
        "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf",
    ]

    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, !words.contains(text.lowercased()) else {
            return false
        }
        let isWord =
            first.isASCII && first.properties.isAlphabetic
            && text.unicodeScalars.allSatisfy {
                $0.isASCII
                    && ($0.properties.isAlphabetic || "0123456789_.-/".unicodeScalars.contains($0))
            }
        return isWord || Double(text)?.isFinite == true && first.isASCII && first != "+"
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
            .surrogate:
            false
        default: scalar.value != 0xFEFF
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let width = scalar.value > 0xFFFF ? 8 : 4
        let letter = width == 8 ? "U" : "u"
        return "\\\(letter)\(String(repeating: "0", count: width - digits.count))\(digits)"
    }
}

extension String {
    /// The text without anything that could end a line or steer the screen.
    fileprivate var onOneLine: String {
        harmless.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
