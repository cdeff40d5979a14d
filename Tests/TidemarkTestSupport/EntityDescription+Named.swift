package import TidemarkModel
package import TidemarkStore

extension Store {
    /// Creates an in-memory store of entities, which is validated after every transaction.
    package static func of(_ entities: EntityDescription...) throws -> Store {
        try .validated(model: Model(entities: entities))
    }
}

extension EntityDescription {
    /// Creates an entity with the primary key `id` and the attribute `name`.
    ///
    /// An entity with a parent inherits both.
    package static func named(
        _ name: String,
        parent: String? = nil,
        _ attributes: [Attribute] = [],
        _ relationships: Relationship...
    ) -> EntityDescription {
        EntityDescription(
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
    /// Creates a to-many relationship.
    package static func many(
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

    /// Creates a to-one relationship.
    package static func one(
        _ name: String,
        _ destination: String,
        inverse: String? = nil,
        _ rule: DeleteRule = .nullify
    ) -> Relationship {
        Relationship(name, to: destination, inverse: inverse, deleteRule: rule)
    }
}
