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
    ///
    /// - Parameter entities: A closure with one entity on each line, and `if`, `switch` and `for`.
    public init(@ListBuilder<EntityDescription> entities: () -> [EntityDescription]) {
        self.init(entities: entities())
    }
}

extension EntityDescription {
    /// Creates an entity with the attributes and relationships that a closure lists.
    ///
    /// Only the name and the closure are required. An entity without a `primaryKey` that has an
    /// attribute `id` is identified by that.
    ///
    /// ```swift
    /// let stamps = EntityDescription("Stamps") {
    ///     for name in ["createdAt", "updatedAt"] { Attribute(name, .date) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the entity and of its table.
    ///   - parent: The name of the entity from which it inherits.
    ///   - isAbstract: Whether it has no rows of its own.
    ///   - primaryKey: The properties that form the primary key; empty for the default.
    ///   - uniquenessConstraints: The properties whose combined values are unique.
    ///   - fetchIndexes: The indexes of its table.
    ///   - discriminator: The JSON key that names the sub-entity of an object.
    ///   - identity: Whether the sub-entities of an abstract entity share a table.
    ///   - ignoredKeys: The JSON keys that are not reported as unknown.
    ///   - renamingIdentifier: Its name in the previous version of the model.
    ///   - userInfo: Further annotations.
    ///   - properties: A closure with one attribute or relationship on each line.
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
        userInfo: [String: String] = [:],
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
            renamingIdentifier: renamingIdentifier,
            userInfo: userInfo
        )
    }
}

/// A property of an entity: what a line of an entity's closure declares.
///
/// Write attributes and relationships as they are. The type is needed for a function that returns
/// several properties that entities have in common:
///
/// ```swift
/// func timestamps() -> [EntityProperty] {
///     [.attribute(Attribute("createdAt", .date)), .attribute(Attribute("updatedAt", .date))]
/// }
/// let note = EntityDescription("Note") {
///     Attribute("id", .integer64)
///     timestamps()
/// }
/// ```
public enum EntityProperty: Hashable, Sendable {
    /// An attribute, as a line `Attribute("id", .integer64)` declares it.
    case attribute(Attribute)
    /// A relationship, as a line `Relationship("user", to: "User")` declares it.
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
/// It supports `if`, `switch`, `for`, and lines that are lists themselves. An app does not name it,
/// except to write a builder function of its own:
///
/// ```swift
/// func entity(
///     _ name: String,
///     @ListBuilder<EntityProperty> properties: () -> [EntityProperty]
/// ) -> EntityDescription {
///     EntityDescription(name) {
///         Attribute("id", .uuid)
///         properties()
///     }
/// }
/// ```
@resultBuilder
public enum ListBuilder<Element> {
    /// Creates a list of one element, for a line that is an element.
    ///
    /// ```swift
    /// let model = Model {
    ///     EntityDescription("User") { Attribute("id", .integer64) }
    /// }
    /// ```
    public static func buildExpression(_ element: Element) -> [Element] { [element] }

    /// Includes a list of elements, for a line that is a list.
    ///
    /// ```swift
    /// let shared = [EntityDescription("Tag") { Attribute("id", .string) }]
    /// let model = Model {
    ///     shared
    ///     EntityDescription("Note") { Attribute("id", .integer64) }
    /// }
    /// ```
    public static func buildExpression(_ elements: [Element]) -> [Element] { elements }

    /// Combines the lines of a closure.
    public static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap(\.self) }

    /// Returns the elements of an `if` without an `else`; none if the condition is false.
    ///
    /// ```swift
    /// let hasDrafts = CommandLine.arguments.contains("--drafts")
    /// let note = EntityDescription("Note") {
    ///     Attribute("id", .integer64)
    ///     if hasDrafts { Attribute("isDraft", .boolean) }
    /// }
    /// ```
    public static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }

    /// Returns the elements of the first branch of an `if` or `switch`.
    public static func buildEither(first part: [Element]) -> [Element] { part }

    /// Returns the elements of the second branch of an `if` or `switch`.
    public static func buildEither(second part: [Element]) -> [Element] { part }

    /// Combines the iterations of a `for` loop, in order.
    ///
    /// ```swift
    /// let price = EntityDescription("Price") {
    ///     for currency in ["eur", "usd"] { Attribute(currency, .decimal) }
    /// }
    /// ```
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
