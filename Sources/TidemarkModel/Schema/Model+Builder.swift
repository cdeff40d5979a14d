extension Model {
    /// Creates a model of the entities that a closure lists.
    ///
    /// ```swift
    /// let model = Model {
    ///     EntityDescription("User") {
    ///         Attribute("id", .integer64)
    ///         Attribute("name", .string, isOptional: false)
    ///         Relationship("notes", to: "Note", isToMany: true, inverse: "user")
    ///     }
    ///     EntityDescription("Note") {
    ///         Attribute("id", .integer64)
    ///         Relationship("user", to: "User", inverse: "notes")
    ///     }
    /// }
    /// ```
    public init(@ListBuilder<EntityDescription> entities: () -> [EntityDescription]) {
        self.init(entities: entities())
    }
}

extension EntityDescription {
    /// Creates an entity with the attributes and relationships that a closure lists; everything but
    /// the name and the closure may be left out.
    public init(
        _ name: String,
        parent: String? = nil,
        isAbstract: Bool = false,
        primaryKey: [String] = [],
        uniquenessConstraints: [[String]] = [],
        fetchIndexes: [FetchIndex] = [],
        discriminator: String? = nil,
        identity: Identity? = nil,
        ignoredKeys: [String] = [],
        renamingIdentifier: String? = nil,
        @ListBuilder<EntityProperty> properties: () -> [EntityProperty]
    ) {
        let properties = properties()
        self.init(
            name,
            parent: parent,
            isAbstract: isAbstract,
            primaryKey: primaryKey,
            attributes: properties.compactMap(\.attribute),
            relationships: properties.compactMap(\.relationship),
            uniquenessConstraints: uniquenessConstraints,
            fetchIndexes: fetchIndexes,
            discriminator: discriminator,
            identity: identity,
            ignoredKeys: ignoredKeys,
            renamingIdentifier: renamingIdentifier
        )
    }
}

/// What an entity is made of.
public enum EntityProperty: Hashable, Sendable {
    /// A value its objects have.
    case attribute(Attribute)
    /// A link its objects have.
    case relationship(Relationship)

    fileprivate var attribute: Attribute? {
        if case .attribute(let attribute) = self { attribute } else { nil }
    }

    fileprivate var relationship: Relationship? {
        if case .relationship(let relationship) = self { relationship } else { nil }
    }
}

/// Gathers the elements that a closure lists, one a line; `if`, `switch` and `for` may choose among
/// them.
@resultBuilder
public enum ListBuilder<Element> {
    /// One element.
    public static func buildExpression(_ element: Element) -> [Element] { [element] }

    /// Several elements at once.
    public static func buildExpression(_ elements: [Element]) -> [Element] { elements }

    /// What stands on the lines of a closure.
    public static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap(\.self) }

    /// What an `if` without an `else` chooses.
    public static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }

    /// What an `if` or `switch` chooses first.
    public static func buildEither(first part: [Element]) -> [Element] { part }

    /// What an `if` or `switch` chooses second.
    public static func buildEither(second part: [Element]) -> [Element] { part }

    /// What a `for` goes through.
    public static func buildArray(_ parts: [[Element]]) -> [Element] { parts.flatMap(\.self) }
}

extension ListBuilder where Element == EntityProperty {
    /// An attribute.
    public static func buildExpression(_ attribute: Attribute) -> [EntityProperty] {
        [.attribute(attribute)]
    }

    /// A relationship.
    public static func buildExpression(_ relationship: Relationship) -> [EntityProperty] {
        [.relationship(relationship)]
    }
}
