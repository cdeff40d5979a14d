import TidemarkImport
import TidemarkRemote

/// The names of resources in output: the entity, followed by the path if several lists share the
/// entity.
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

    /// Returns the path of the resource that a user specified by entity or by path; nil if there is
    /// none or several.
    func path(of name: String) -> String? {
        if entities[name] != nil { return name }
        let paths = entities.filter { $0.value == name }.keys
        return paths.count == 1 ? paths.first : nil
    }

    /// Returns the name for tables and sentences.
    func name(of path: String) -> String {
        guard let entity = entities[path] else { return path }
        return isUnique(entity) ? entity : "\(entity) (\(path))"
    }

    /// Returns the name of the resource as an argument of a command, quoted for a shell.
    func argument(for path: String) -> String {
        guard let entity = entities[path], isUnique(entity) else { return path.shellQuoted }
        return entity.shellQuoted
    }

    /// The paths, sorted by name.
    var sortedPaths: [String] {
        entities.keys.sorted { (name(of: $0), $0) < (name(of: $1), $1) }
    }

    private func isUnique(_ entity: String) -> Bool {
        entities.values.count { $0 == entity } == 1
    }
}

extension String {
    /// The text, quoted as one word for a POSIX shell if necessary.
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
