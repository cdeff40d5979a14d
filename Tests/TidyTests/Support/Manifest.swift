/// The targets of the package manifest and their dependencies.
struct Manifest {
    /// The modules of this package that each target depends on, by the name of the target.
    let dependencies: [String: Set<String>]

    /// Parses the text of a manifest, in which the name of a target precedes its dependencies.
    init(_ text: String) {
        var quoted: [String: Set<String>] = [:]
        for target in Self.targets(in: text) {
            let texts = Self.texts(in: target)
            guard let name = texts.first else { continue }
            quoted[name] = Set(texts.dropFirst())
        }
        let names = Set(quoted.keys)
        dependencies = quoted.mapValues { $0.intersection(names) }
    }

    /// Returns the text of each target, from its opening parenthesis to the next target.
    private static func targets(in text: String) -> [Substring] {
        let openings = [".target(", ".executableTarget(", ".testTarget("]
        let parts = openings.reduce([text[...]]) { parts, opening in
            parts.flatMap { $0.split(separator: opening, omittingEmptySubsequences: false) }
        }
        return Array(parts.dropFirst())
    }

    /// Returns the texts between quotation marks.
    private static func texts(in part: Substring) -> [String] {
        part.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}
