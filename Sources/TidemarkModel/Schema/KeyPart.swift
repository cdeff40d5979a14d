/// One value of a primary key, as services write it.
///
/// A key that is unique only within its parent has the parent's key as its first part:
///
/// ```swift
/// // Comment has primaryKey: ["post", "id"], and `post` leads to Post, whose key is `id`.
/// model.keyParts(of: comment).map(\.name)   // ["post_id", "id"]
/// ```
public struct KeyPart: Hashable, Sendable {
    /// The to-one relationships that lead from the object to the one that has the value; empty when
    /// the object has it itself.
    public let path: [String]

    /// The attribute that has the value.
    public let attribute: Attribute

    /// The names of the relationships and of the attribute, joined by underscores.
    public var name: String { (path + [attribute.name]).joined(separator: "_") }
}

extension Model {
    /// The values that make an entity's primary key: for an attribute its own, for a relationship
    /// those of the key that it leads to.
    ///
    /// It is empty when the entity has no key, and when a part of its key leads to an entity that
    /// has none, or back to the entity itself; ``validate()`` reports both.
    public func keyParts(of entity: EntityDescription) -> [KeyPart] {
        keyParts(of: entity, path: [], visited: [])
    }

    private func keyParts(
        of entity: EntityDescription,
        path: [String],
        visited: Set<String>
    ) -> [KeyPart] {
        guard !visited.contains(entity.name) else { return [] }
        let attributes = attributes(of: entity)
        var parts: [KeyPart] = []
        for name in primaryKey(of: entity) {
            if let attribute = attributes.first(where: { $0.name == name }) {
                parts.append(KeyPart(path: path, attribute: attribute))
                continue
            }
            guard let parent = relationship(name, of: entity).flatMap({ self[$0.destination] })
            else { return [] }
            let inner = keyParts(
                of: parent,
                path: path + [name],
                visited: visited.union([entity.name])
            )
            guard !inner.isEmpty else { return [] }
            parts += inner
        }
        return parts
    }

    /// Whether a relationship is a part of the primary key of an entity that has it.
    public func isKeyPart(_ relationship: String, of entity: EntityDescription) -> Bool {
        primaryKey(of: entity).contains(relationship)
            && !attributes(of: entity).contains { $0.name == relationship }
    }

    /// The JSON names that an entity leaves out on purpose, those that it inherits among them.
    public func ignoredKeys(of entity: EntityDescription) -> [String] {
        lineage(of: entity).flatMap(\.ignoredKeys)
    }
}
