/// The JSON names of a relationship.
package struct RelationshipMapping: Sendable {
    /// The relationship.
    package let relationship: Relationship

    /// The JSON names under which its objects are sent, best first.
    ///
    /// A scalar there is a reference.
    package let remoteNames: [RemoteName]

    /// The JSON names that contain only references, best first: a list for each part of the
    /// destination's primary key.
    ///
    /// It is empty if the destination has no key. If a part of the key is in the destination's
    /// parent, its name contains both names: `comment_post_id`. A to-many relationship to a
    /// composite key has reference names only if the model declares them.
    package let referenceNames: [[RemoteName]]

    /// The names under which its objects are exported.
    package let exportKeys: ExportKeys

    /// The names under which references to its objects are exported, one for each part of the key.
    package let referenceExportKeys: [ExportKeys]

    /// The name of the relationship.
    package var name: String { relationship.name }

    /// The JSON names under which its objects are sent, best first.
    package var remoteKeys: [String] { remoteNames.map(\.text) }

    /// The JSON names that contain only references, best first, for each part of the key.
    package var referenceKeys: [[String]] { referenceNames.map { $0.map(\.text) } }

    init(_ relationship: Relationship, in model: Model, naming: NamingConvention) {
        var names = RemoteNames(explicit: relationship.json.remoteKey)
        names.add(spellingsOf: relationship.name, by: naming)
        let key = model[relationship.destination].map(model.keyParts(of:))?.map(\.name) ?? []
        let references = ReferenceNames(relationship, naming: naming)
        self.relationship = relationship
        remoteNames = names.list
        exportKeys =
            relationship.json.remoteKey.map(ExportKeys.init(declared:))
            ?? ExportKeys(
                snake: naming.snakeCase(relationship.name),
                camel: naming.camelCase(relationship.name) ?? relationship.name
            )
        switch key.count {
        case 0:
            referenceNames = []
            referenceExportKeys = []
        case 1:
            referenceNames = [references.single]
            referenceExportKeys = [references.singleExport]
        default:
            referenceNames = references.parts(key)
            referenceExportKeys = references.partExports(key)
        }
    }

    /// The names with the part of the key that they refer to; nil for names that contain objects.
    var namesByPart: [(part: Int?, names: [RemoteName])] {
        [(nil, remoteNames)] + referenceNames.enumerated().map { ($0.offset, $0.element) }
    }
}

/// The possible names of references to a relationship's objects.
private struct ReferenceNames {
    let relationship: Relationship
    let naming: NamingConvention

    /// The relationship's name and, for a to-many relationship, its singular form.
    private let stems: [String]

    init(_ relationship: Relationship, naming: NamingConvention) {
        self.relationship = relationship
        self.naming = naming
        let singular = naming.inflection.singular(relationship.name)
        stems =
            relationship.isToMany && singular != relationship.name
            ? [relationship.name, singular] : [relationship.name]
    }

    /// The names of references to a key with one part.
    var single: [RemoteName] {
        var names = RemoteNames()
        for key in relationship.json.referenceKeys { names.add(key, rank: .explicit) }
        names.add(relationship.json.remoteKey, rank: .explicit)
        let plural = relationship.isToMany ? "s" : ""
        for stem in stems { names.add("\(naming.snakeCase(stem))_id\(plural)", rank: .reference) }
        for ending in ["Id", "ID"] {
            for stem in stems {
                for camel in [naming.camelCase(stem), naming.plainCamelCase(stem)] {
                    names.add("\(camel ?? stem)\(ending)\(plural)", rank: .reference)
                }
            }
        }
        for stem in stems { names.add("\(naming.kebabCase(stem))-id\(plural)", rank: .reference) }
        return names.list
    }

    /// The first reference key that the model declares, otherwise the singular name followed by
    /// `id`.
    var singleExport: ExportKeys {
        if let key = relationship.json.referenceKeys.first ?? relationship.json.remoteKey {
            return ExportKeys(declared: key)
        }
        let stem = stems.last ?? relationship.name
        let plural = relationship.isToMany ? "s" : ""
        return ExportKeys(
            snake: "\(naming.snakeCase(stem))_id\(plural)",
            camel: "\(naming.camelCase(stem) ?? stem)Id\(plural)"
        )
    }

    /// Returns the names of references to each part of a key.
    func parts(_ key: [String]) -> [[RemoteName]] {
        let explicit = explicitParts(key)
        return key.enumerated().map { index, part in
            var names = RemoteNames(explicit: explicit?[index])
            guard !relationship.isToMany else { return names.list }
            for text in spellings(part) { names.add(text, rank: .reference) }
            return names.list
        }
    }

    /// Returns the names under which references to each part of a key are exported.
    func partExports(_ key: [String]) -> [ExportKeys] {
        if let explicit = explicitParts(key) { return explicit.map(ExportKeys.init(declared:)) }
        guard !relationship.isToMany else { return [] }
        return key.map { part in
            let joined = joined(part)
            return ExportKeys(
                snake: naming.snakeCase(joined),
                camel: naming.camelCase(joined) ?? joined
            )
        }
    }

    private func explicitParts(_ key: [String]) -> [String]? {
        relationship.json.referenceKeys.count == key.count ? relationship.json.referenceKeys : nil
    }

    private func joined(_ part: String) -> String { "\(relationship.name)_\(part)" }

    private func spellings(_ part: String) -> [String] {
        let joined = joined(part)
        let snake = naming.snakeCase(joined)
        return [
            joined, snake, naming.camelCase(snake), naming.plainCamelCase(snake),
            naming.kebabCase(joined),
        ]
        .compactMap { $0 }
    }
}
