/// An entity of a model, which describes one kind of object.
///
/// Its objects are rows of a table.
public struct EntityDescription: Hashable, Sendable {
    /// The name of the entity.
    ///
    /// The name of a root entity is also the name of the table; see `EntityTree`.
    public var name: String

    /// The name of the entity from which this one inherits.
    public var parent: String?

    /// Whether the entity has no rows of its own, only rows of the entities that inherit from it.
    public var isAbstract: Bool

    /// The properties that form the primary key.
    ///
    /// If it is empty, ``Model/primaryKey(of:)`` returns an inherited key or the default.
    ///
    /// A part is an attribute, or the to-one relationship to a parent if the key is unique only
    /// within that parent: `["post", "id"]`.
    public var primaryKey: [String]

    /// The attributes that the entity declares, without inherited ones.
    public var attributes: [Attribute]

    /// The relationships that the entity declares, without inherited ones.
    public var relationships: [Relationship]

    /// The uniqueness constraints: each lists attributes whose combined values must be unique.
    public var uniquenessConstraints: [[String]]

    /// The indexes that the model declares on the entity's table.
    public var fetchIndexes: [FetchIndex]

    /// The JSON key whose value names the sub-entity of an object.
    public var discriminator: String?

    /// Whether the entities that inherit from this one share a table and its keys.
    ///
    /// If it is nil, ``Model/trees`` determines that from the model.
    public var identity: Identity?

    /// The JSON keys that are ignored deliberately: an import does not report them as unknown.
    ///
    /// Dots separate the components of a path through nested objects. A key also covers everything
    /// nested in its value, and `*` covers every key for which the entity has no property.
    public var ignoredKeys: [String]

    /// The name of the entity in the previous version of the model.
    public var renamingIdentifier: String?

    /// Further annotations, unchanged from the source of the model.
    public var userInfo: [String: String]

    /// Creates an entity.
    ///
    /// Only the name is required.
    public init(
        _ name: String,
        parent: String? = nil,
        isAbstract: Bool = false,
        primaryKey: [String] = [],
        attributes: [Attribute] = [],
        relationships: [Relationship] = [],
        uniquenessConstraints: [[String]] = [],
        fetchIndexes: [FetchIndex] = [],
        discriminator: String? = nil,
        identity: Identity? = nil,
        ignoredKeys: [String] = [],
        renamingIdentifier: String? = nil,
        userInfo: [String: String] = [:]
    ) {
        self.name = name
        self.parent = parent
        self.isAbstract = isAbstract
        self.primaryKey = primaryKey
        self.attributes = attributes
        self.relationships = relationships
        self.uniquenessConstraints = uniquenessConstraints
        self.fetchIndexes = fetchIndexes
        self.discriminator = discriminator
        self.identity = identity
        self.ignoredKeys = ignoredKeys
        self.renamingIdentifier = renamingIdentifier
        self.userInfo = userInfo
    }

    /// Whether the sub-entities of an abstract entity share one table and its keys.
    public enum Identity: String, Hashable, Sendable, Codable, CaseIterable {
        /// One table, in which a key identifies one row among all sub-entities.
        case shared
        /// A table for each sub-entity, so that the same key may identify a row in each of them.
        case separate
    }
}

/// An index that a model declares.
public struct FetchIndex: Hashable, Sendable {
    /// The name of the index, unique within its entity.
    public var name: String

    /// The indexed attributes or to-one relationships, in order.
    public var elements: [Element]

    /// Creates an index on the given elements.
    public init(_ name: String, elements: [Element]) {
        self.name = name
        self.elements = elements
    }

    /// One column of an index.
    public struct Element: Hashable, Sendable {
        /// The name of the attribute or to-one relationship.
        public var property: String

        /// Whether the column is in ascending order.
        public var isAscending: Bool

        /// Creates an element of an index.
        public init(_ property: String, isAscending: Bool = true) {
            self.property = property
            self.isAscending = isAscending
        }
    }
}
