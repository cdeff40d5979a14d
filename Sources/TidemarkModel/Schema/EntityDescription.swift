/// A kind of object: what Core Data calls an entity and a database a table.
public struct EntityDescription: Hashable, Sendable {
    /// The entity's name, which is also its table's.
    public var name: String

    /// The entity this one inherits from.
    public var parent: String?

    /// Whether no row is ever of this entity itself, only of those that inherit from it.
    public var isAbstract: Bool

    /// The properties that make the primary key, when the model says so; see
    /// ``Model/primaryKey(of:)``.
    ///
    /// A part is an attribute, or the to-one relationship to a parent where a key is unique only
    /// within that: `["post", "id"]`.
    public var primaryKey: [String]

    /// The attributes this entity declares itself.
    public var attributes: [Attribute]

    /// The relationships this entity declares itself.
    public var relationships: [Relationship]

    /// Lists of attributes whose values together may not occur twice.
    public var uniquenessConstraints: [[String]]

    /// Lists of attributes that fetches look rows up by.
    public var fetchIndexes: [FetchIndex]

    /// The JSON key whose value names the sub-entity an object belongs to.
    public var discriminator: String?

    /// Whether the entities that inherit from this one share a table and their keys.
    public var identity: Identity?

    /// The JSON keys that are left out on purpose: an import does not report them as unknown.
    ///
    /// Dots lead through nested objects; a key matches everything beneath it, and `*` every
    /// key that the entity does not have.
    public var ignoredKeys: [String]

    /// The entity's name in the previous version of the model.
    public var renamingIdentifier: String?

    /// Further annotations, kept as they were found.
    public var userInfo: [String: String]

    /// Creates an entity; everything but the name may be left out.
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

    /// Whether the children of an abstract entity are one kind of thing, or several that look
    /// alike.
    public enum Identity: String, Hashable, Sendable, Codable, CaseIterable {
        /// One table; a key names one row among all children.
        case shared
        /// A table for each child; the same key may name a row in each.
        case separate
    }
}

/// An index that a model asks for.
public struct FetchIndex: Hashable, Sendable {
    /// The index's name, unique within its entity.
    public var name: String

    /// The indexed attributes or to-one relationships, in order.
    public var elements: [Element]

    /// Creates an index over the given elements.
    public init(_ name: String, elements: [Element]) {
        self.name = name
        self.elements = elements
    }

    /// One column of an index.
    public struct Element: Hashable, Sendable {
        /// The attribute or to-one relationship.
        public var property: String

        /// Whether the index sorts it from the smallest up.
        public var isAscending: Bool

        /// Creates an element of an index.
        public init(_ property: String, isAscending: Bool = true) {
            self.property = property
            self.isAscending = isAscending
        }
    }
}
