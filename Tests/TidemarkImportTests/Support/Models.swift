import TidemarkModel

extension Entity {
    /// An entity that is known by its `id` and has a `name`.
    static func named(
        _ name: String,
        parent: String? = nil,
        _ attributes: [Attribute] = [],
        _ relationships: Relationship...
    ) -> Entity {
        Entity(
            name,
            parent: parent,
            attributes: parent == nil
                ? [Attribute("id", .integer64), Attribute("name", .string)] + attributes
                : attributes,
            relationships: relationships
        )
    }
}

extension Relationship {
    /// A to-many relationship.
    static func many(
        _ name: String,
        _ destination: String,
        inverse: String? = nil,
        isOrdered: Bool = false,
        _ rule: DeleteRule = .nullify
    ) -> Relationship {
        Relationship(
            name,
            to: destination,
            isToMany: true,
            isOrdered: isOrdered,
            inverse: inverse,
            deleteRule: rule
        )
    }

    /// A to-one relationship.
    static func one(
        _ name: String,
        _ destination: String,
        inverse: String? = nil,
        _ rule: DeleteRule = .nullify
    ) -> Relationship {
        Relationship(name, to: destination, inverse: inverse, deleteRule: rule)
    }
}
