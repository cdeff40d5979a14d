/// One value of a primary key.
///
/// If a key is unique only within a parent, it includes the primary key of that parent: the key
/// `["post", "id"]` of a comment has the parts `post_id`, which is the `id` of the post, and `id`.
package struct KeyPart: Hashable, Sendable {
    /// The to-one relationships that lead from the object to the one that has the value; empty if
    /// the object has the value itself.
    package let path: [String]

    /// The attribute that contains the value.
    package let attribute: Attribute

    /// The names of the relationships and of the attribute, joined by underscores.
    package var name: String { (path + [attribute.name]).joined(separator: "_") }
}

extension Model {
    /// Returns the values that form an entity's primary key: for an attribute the attribute itself,
    /// for a relationship the key of its destination.
    ///
    /// The result is empty if the entity has no key, or if a part of the key leads to an entity
    /// without a key or back to the entity itself. ``validate()`` reports both errors.
    package func keyParts(of entity: EntityDescription) -> [KeyPart] {
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

    /// Returns whether a relationship is part of the primary key of an entity that has it.
    package func isKeyPart(_ relationship: String, of entity: EntityDescription) -> Bool {
        primaryKey(of: entity).contains(relationship)
            && !attributes(of: entity).contains { $0.name == relationship }
    }

    /// Returns the JSON keys that an entity ignores deliberately, including those that it inherits.
    package func ignoredKeys(of entity: EntityDescription) -> [String] {
        lineage(of: entity).flatMap(\.json.ignoredKeys)
    }
}
