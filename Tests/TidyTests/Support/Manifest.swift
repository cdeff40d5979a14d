/// What the package's manifest says of its targets.
struct Manifest {
    /// The modules of this package that each target declares, by the target's name.
    let dependencies: [String: Set<String>]

    /// Reads the text of a manifest, which has each target's name before its dependencies.
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

    /// What stands behind the beginning of each target, up to that of the next.
    private static func targets(in text: String) -> [Substring] {
        let openings = [".target(", ".executableTarget(", ".testTarget("]
        let parts = openings.reduce([text[...]]) { parts, opening in
            parts.flatMap { $0.split(separator: opening, omittingEmptySubsequences: false) }
        }
        return Array(parts.dropFirst())
    }

    /// The texts between quotation marks.
    private static func texts(in part: Substring) -> [String] {
        part.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}
