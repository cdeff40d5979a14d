extension Model {
    /// Creates a model from the entities that a closure lists.
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
    /// Creates an entity with the attributes and relationships that a closure lists.
    ///
    /// Only the name and the closure are required.
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

/// A property of an entity.
public enum EntityProperty: Hashable, Sendable {
    /// An attribute.
    case attribute(Attribute)
    /// A relationship.
    case relationship(Relationship)

    fileprivate var attribute: Attribute? {
        if case .attribute(let attribute) = self { attribute } else { nil }
    }

    fileprivate var relationship: Relationship? {
        if case .relationship(let relationship) = self { relationship } else { nil }
    }
}

/// A result builder that collects the elements listed in a closure, one on each line.
///
/// It supports `if`, `switch` and `for`.
@resultBuilder
public enum ListBuilder<Element> {
    /// Creates a list of one element.
    public static func buildExpression(_ element: Element) -> [Element] { [element] }

    /// Includes a list of elements.
    public static func buildExpression(_ elements: [Element]) -> [Element] { elements }

    /// Combines the lines of a closure.
    public static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap(\.self) }

    /// Returns the elements of an `if` without an `else`.
    public static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }

    /// Returns the elements of the first branch of an `if` or `switch`.
    public static func buildEither(first part: [Element]) -> [Element] { part }

    /// Returns the elements of the second branch of an `if` or `switch`.
    public static func buildEither(second part: [Element]) -> [Element] { part }

    /// Combines the iterations of a `for` loop.
    public static func buildArray(_ parts: [[Element]]) -> [Element] { parts.flatMap(\.self) }
}

extension ListBuilder where Element == EntityProperty {
    /// Creates a list of one attribute.
    public static func buildExpression(_ attribute: Attribute) -> [EntityProperty] {
        [.attribute(attribute)]
    }

    /// Creates a list of one relationship.
    public static func buildExpression(_ relationship: Relationship) -> [EntityProperty] {
        [.relationship(relationship)]
    }
}
