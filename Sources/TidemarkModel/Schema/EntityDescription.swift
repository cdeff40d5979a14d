/// An entity of a model, which describes one kind of object: its attributes, relationships and key.
///
/// Its objects are rows of a table with the name of the entity. Entities that inherit from one
/// another share the table of the topmost one.
///
/// ```swift
/// let order = EntityDescription("Order", primaryKey: ["number"]) {
///     Attribute("number", .integer64)
///     Attribute("total", .decimal)
///     Relationship("user", to: "User", inverse: "orders")
/// }
/// ```
///
/// The name is not `Entity`, because frameworks such as RealityKit export a type of that name.
public struct EntityDescription: Hashable, Sendable {
    /// The name of the entity.
    ///
    /// The name of a root entity is also the name of its table. It follows the same rules as
    /// ``Attribute/name``, and differs from all other names of entities in more than case.
    public var name: String

    /// The name of the entity from which this one inherits attributes, relationships and primary
    /// key; nil by default.
    ///
    /// The rows of both are in one table, whose column `_entity` contains the entity of each row.
    ///
    /// ```swift
    /// let model = Model {
    ///     EntityDescription("Item", discriminator: "type") {
    ///         Attribute("id", .integer64)
    ///         Attribute("title", .string)
    ///     }
    ///     EntityDescription("Book", parent: "Item") { Attribute("pages", .integer32) }
    ///     EntityDescription("Film", parent: "Item") { Attribute("minutes", .integer32) }
    /// }
    /// ```
    public var parent: String?

    /// Whether the entity has no rows of its own, only rows of the entities that inherit from it;
    /// false by default.
    ///
    /// An abstract entity at the top only declares common properties, and has no table; see
    /// ``identity``.
    public var isAbstract: Bool

    /// The properties that form the primary key, by which an import finds the row of an object.
    ///
    /// If it is empty, ``Model/primaryKey(of:)`` returns an inherited key, or the attribute `id`,
    /// or `remoteID`. A part is an attribute, or the to-one relationship to a parent if the key is
    /// unique only within that parent. In the table the key is a `UNIQUE` constraint; it may be
    /// null in rows that the app has inserted and that have no key at the service yet.
    ///
    /// ```swift
    /// let seat = EntityDescription("Seat", primaryKey: ["row", "number"]) {
    ///     Attribute("row", .string)
    ///     Attribute("number", .integer16)
    /// }
    /// let comment = EntityDescription("Comment", primaryKey: ["post", "number"]) {
    ///     Attribute("number", .integer32)
    ///     Relationship("post", to: "Post", inverse: "comments")
    /// }
    /// ```
    public var primaryKey: [String]

    /// The attributes that the entity declares, without inherited ones.
    ///
    /// See ``Model/attributes(of:)`` for all.
    public var attributes: [Attribute]

    /// The relationships that the entity declares, without inherited ones.
    ///
    /// See ``Model/relationships(of:)`` for all.
    public var relationships: [Relationship]

    /// The uniqueness constraints: each lists attributes or to-one relationships whose combined
    /// values no two rows share.
    ///
    /// They become `UNIQUE` constraints of the table. An imported object whose unique value belongs
    /// to another row is stored after all others, because the other row may change, too. The
    /// primary key need not be listed.
    ///
    /// ```swift
    /// let user = EntityDescription("User", uniquenessConstraints: [["email"]]) {
    ///     Attribute("id", .integer64)
    ///     Attribute("email", .string)
    /// }
    /// ```
    public var uniquenessConstraints: [[String]]

    /// The indexes that the model declares on the entity's table; none by default.
    ///
    /// They speed up queries of the app. Primary keys, uniqueness constraints and references have
    /// an index anyway.
    public var fetchIndexes: [FetchIndex]

    /// The representation of the entity's objects in JSON.
    public var json: JSONRepresentation

    /// Whether the entities that inherit from this abstract one share a table and its keys; nil by
    /// default.
    ///
    /// If it is nil, they share one if a relationship leads to this entity or it has a
    /// ``JSONRepresentation/discriminator``, and have a table each otherwise.
    public var identity: Identity?

    /// The name of the entity in the previous version of the model; nil by default.
    ///
    /// A migration then renames the table and keeps its rows. Without it, the old table is dropped
    /// with its rows.
    public var renamingIdentifier: String?

    /// Further annotations, unchanged from the source of the model; empty by default.
    ///
    /// `Service.resource(of:naming:)` reads two of them, and so does the command if `tidemark.yml`
    /// lists no resources: `tidemark.path`, the path of the entity's list, and `tidemark.type`, the
    /// type name of its objects at the service.
    public var userInfo: [String: String]

    /// Creates an entity from lists of attributes and relationships.
    ///
    /// Only the name is required.
    package init(
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
        json = JSONRepresentation(discriminator: discriminator, ignoredKeys: ignoredKeys)
        self.identity = identity
        self.renamingIdentifier = renamingIdentifier
        self.userInfo = userInfo
    }

    /// The representation of an entity's objects in JSON.
    public struct JSONRepresentation: Hashable, Sendable {
        /// The JSON key whose value names the sub-entity of an object; nil by default.
        ///
        /// An object is a `BlogPost` if the value is `BlogPost`, `blog_post` or `blog-posts`.
        /// Without the member, or with an unknown value, which is reported, it is of the entity of
        /// the list.
        public var discriminator: String?

        /// The JSON keys that are ignored deliberately: an import does not report them as unknown;
        /// none by default.
        ///
        /// Dots separate the components of a path through nested objects. A key also covers
        /// everything nested in its value, and `*` covers every key for which the entity has no
        /// property.
        ///
        /// ```swift
        /// var article = model.entities[0]
        /// article.json.ignoredKeys = ["etag", "links.self"]
        /// ```
        public var ignoredKeys: [String]
    }

    /// Whether the sub-entities of an abstract entity share one table and its keys.
    ///
    /// Only an abstract entity without a parent has an identity; ``Model/validate()`` warns about
    /// others.
    public enum Identity: String, Hashable, Sendable, Codable, CaseIterable {
        /// One table, in which a key identifies one row among all sub-entities.
        ///
        /// Choose it if the service gives the objects of all sub-entities their identifiers from
        /// one sequence.
        case shared
        /// A table for each sub-entity, so that the same key may identify a row in each of them.
        ///
        /// No relationship can then lead to the abstract entity.
        case separate
    }
}

/// An index that a model declares for the queries of an app.
///
/// It becomes `CREATE INDEX "_tidemark_index_<Entity>.<name>"`, and is created or dropped by a
/// migration.
///
/// ```swift
/// let recent = FetchIndex(
///     "byUserAndDate",
///     elements: [.init("user"), .init("createdAt", isAscending: false)]
/// )
/// let order = EntityDescription("Order", fetchIndexes: [recent]) {
///     Attribute("id", .integer64)
///     Attribute("createdAt", .date)
///     Relationship("user", to: "User")
/// }
/// ```
public struct FetchIndex: Hashable, Sendable {
    /// The name of the index, unique within its entity regardless of case.
    public var name: String

    /// The indexed attributes or to-one relationships, in order; at least one.
    public var elements: [Element]

    /// Creates an index on the given elements.
    ///
    /// ```swift
    /// let index = FetchIndex("byState", elements: [.init("state")])
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the index.
    ///   - elements: The columns of the index, the most significant first.
    public init(_ name: String, elements: [Element]) {
        self.name = name
        self.elements = elements
    }

    /// One column of an index: a property and a direction.
    public struct Element: Hashable, Sendable {
        /// The name of the attribute or to-one relationship.
        ///
        /// A transient attribute or a to-many relationship has no column, and cannot be indexed.
        public var property: String

        /// Whether the column is in ascending order; true by default.
        ///
        /// The order matters only for an index of several columns that are sorted in different
        /// directions: SQLite reads an index in both directions.
        public var isAscending: Bool

        /// Creates an element of an index.
        ///
        /// - Parameters:
        ///   - property: The name of the attribute or to-one relationship.
        ///   - isAscending: Whether the column is in ascending order.
        public init(_ property: String, isAscending: Bool = true) {
            self.property = property
            self.isAscending = isAscending
        }
    }
}
