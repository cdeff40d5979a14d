package import TidemarkModel
package import TidemarkRemote

/// The parent that the path of a resource names, checked against a model: `posts/{post}/comments`.
package struct ParentPath: Hashable, Sendable {
    /// The to-one relationship from a child to its parent.
    let relationship: String

    /// The destination of the relationship.
    let parent: String

    /// The position in the parent's primary key of each value in the path.
    let parts: [Int]

    /// Parses the path of a resource; returns nil if it names no parent.
    ///
    /// - Throws: ``SyncError/Code/invalidParent`` if the path does not identify a single parent by
    ///   its primary key.
    package init?(of resource: RemoteResource, in model: Model) throws {
        let keys = resource.parentKeys
        guard let name = keys.first?.first else {
            guard !resource.path.contains(where: { "{}".contains($0) }) else {
                throw Self.error(
                    "The path \(resource.path) has a brace without its pair."
                )
            }
            return nil
        }
        if let other = keys.first(where: { $0.first != name })?.first {
            throw Self.error(
                "The path \(resource.path) names two parents, \(name) and \(other).",
                "A path can name one. If \(other) is a parent of \(name), write {\(name).\(other)}."
            )
        }
        guard let entity = model[resource.entity] else { return nil }
        guard let relationship = model.relationship(name, of: entity) else {
            let known = model.relationships(of: entity).filter { !$0.isToMany }.map(\.name).sorted()
            throw Self.error(
                "The path \(resource.path) names “\(name)”, which is not a relationship of "
                    + "\(entity.name).",
                known.isEmpty
                    ? "It has no to-one relationship."
                    : "Its to-one relationships are \(known.joined(separator: ", "))."
            )
        }
        guard !relationship.isToMany else {
            throw Self.error(
                "The path \(resource.path) names \(entity.name).\(name), which is a to-many "
                    + "relationship.",
                "Name the to-one relationship that leads from \(entity.name) to its parent."
            )
        }
        self.relationship = name
        parent = relationship.destination
        parts = try Self.positions(
            of: keys.map { Array($0.dropFirst()) },
            from: relationship,
            in: model,
            path: resource.path
        )
    }

    /// Returns the positions of key paths in the parent's primary key.
    ///
    /// Each must be a single value.
    private static func positions(
        of keyPaths: [[String]],
        from relationship: Relationship,
        in model: Model,
        path: String
    ) throws -> [Int] {
        let parent = relationship.destination
        let key = model[parent].map(model.keyParts(of:)) ?? []
        guard !key.isEmpty else {
            throw error(
                "The path \(path) names a \(parent), which has no primary key.",
                "Set primaryKey of \(parent)."
            )
        }
        let names = key.map { $0.path + [$0.attribute.name] }
        let written = names.map { "{\(([relationship.name] + $0).joined(separator: "."))}" }
        let positions = try keyPaths.map { keyPath in
            let matches = names.indices.filter { names[$0].starts(with: keyPath) }
            guard matches.count == 1, let position = matches.first else {
                let name = ([relationship.name] + keyPath).joined(separator: ".")
                throw error(
                    matches.isEmpty
                        ? "The path \(path) names \(name), which is not part of the key of "
                            + "\(parent)."
                        : "The path \(path) names \(name), whose key has \(matches.count) "
                            + "values.",
                    "Write \(written.joined(separator: " and "))."
                )
            }
            return position
        }
        guard Set(positions).count == names.count else {
            throw error(
                "The path \(path) is the same for several rows of \(parent), whose key has "
                    + "\(names.count) values.",
                "It must contain \(written.joined(separator: " and "))."
            )
        }
        for position in positions where !key[position].attribute.type.isWrittenInPaths {
            throw error(
                "The path \(path) names a \(parent) by \(key[position].attribute.name), "
                    + "which is of the type \(key[position].attribute.type.rawValue).",
                "Only numbers, strings, UUIDs and URIs can be part of a path."
            )
        }
        return positions
    }

    private static func error(_ message: String, _ hint: String? = nil) -> SyncError {
        SyncError(.invalidParent, message, hint: hint)
    }
}

extension AttributeType {
    fileprivate var isWrittenInPaths: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .decimal, .string, .uuid, .uri: true
        default: false
        }
    }
}
