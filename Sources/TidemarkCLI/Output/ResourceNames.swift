import TidemarkImport
import TidemarkRemote

/// What resources are called: by their entity, and by their path too where two lists share one.
struct ResourceNames {
    /// The entity of each resource, by path.
    private let entities: [String: String]

    init(_ entities: [String: String]) {
        self.entities = entities
    }

    init(of deletions: [PendingDeletion]) {
        self.init(Dictionary(deletions.map { ($0.resource, $0.entity) }) { first, _ in first })
    }

    init(of resources: [RemoteResource]) {
        self.init(Dictionary(resources.map { ($0.path, $0.entity) }) { first, _ in first })
    }

    /// The path of the resource that a user names by its entity or its path; nil for none.
    func path(of name: String) -> String? {
        if entities[name] != nil { return name }
        let paths = entities.filter { $0.value == name }.keys
        return paths.count == 1 ? paths.first : nil
    }

    /// The name in tables and sentences.
    func name(of path: String) -> String {
        guard let entity = entities[path] else { return path }
        return isUnique(entity) ? entity : "\(entity) (\(path))"
    }

    /// The word that names the resource in a command, ready to be pasted into a shell.
    func argument(for path: String) -> String {
        guard let entity = entities[path], isUnique(entity) else { return path.shellQuoted }
        return entity.shellQuoted
    }

    /// The paths in the order of their names.
    var sortedPaths: [String] {
        entities.keys.sorted { (name(of: $0), $0) < (name(of: $1), $1) }
    }

    private func isUnique(_ entity: String) -> Bool {
        entities.values.count { $0 == entity } == 1
    }
}

extension String {
    /// The text as one word of a POSIX shell.
    var shellQuoted: String {
        let isPlain = unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                || "_-./:@%+,".unicodeScalars.contains(scalar)
        }
        return isPlain && !isEmpty ? self : "'\(replacing("'", with: #"'\''"#))'"
    }
}

extension Int {
    /// The number with its noun: `1 request`, `2 requests`.
    func counted(_ noun: String) -> String {
        "\(self) \(noun)\(self == 1 ? "" : "s")"
    }
}
