/// A relationship from the objects of one entity to those of another, or of the same one.
///
/// A relationship and its inverse describe the same links from both sides. A to-one relationship is
/// a column with a foreign key. The other side of it needs no column, and two to-many relationships
/// share a link table. In JSON, an import accepts embedded objects, keys and URLs. A reference to
/// an object that is not stored yet is kept, and becomes a link when its row is inserted, in any
/// order.
///
/// ```swift
/// let model = Model {
///     EntityDescription("User") {
///         Attribute("id", .integer64)
///         Relationship("notes", to: "Note", isToMany: true, inverse: "user", deleteRule: .cascade)
///     }
///     EntityDescription("Note") {
///         Attribute("id", .integer64)
///         Relationship("user", to: "User", inverse: "notes")   // "user": {…}, or "user_id": 6
///     }
/// }
/// ```
public struct Relationship: Hashable, Sendable {
    /// The name of the relationship.
    ///
    /// The column of a to-one relationship has the same name, or `<name>_<Entity>` if a sibling
    /// entity has such a column. Of a one-to-one relationship and its inverse, only one has a
    /// column. The name follows the same rules as ``Attribute/name``.
    public var name: String

    /// The name of the destination entity, which may be the entity itself.
    ///
    /// Rows of entities that inherit from it can be linked, too.
    public var destination: String

    /// Whether an object may be linked to several others; false by default.
    ///
    /// A list in a document is complete: rows that it lacks are unlinked or deleted, see
    /// ``orphans``.
    public var isToMany: Bool

    /// Whether the linked objects of a to-many relationship are ordered; false by default.
    ///
    /// With true, the order of the list in the document is stored, in the column
    /// `_<relationship>_position` of the children or in the link table, from 0.
    ///
    /// ```swift
    /// let steps = Relationship(
    ///     "steps", to: "Step", isToMany: true, isOrdered: true, inverse: "recipe"
    /// )
    /// ```
    public var isOrdered: Bool

    /// Whether an object may have no linked object; true by default.
    ///
    /// With false, a verification reports the rows whose to-one relationship has no link. Imports
    /// store them, because the linked object may arrive later.
    public var isOptional: Bool

    /// The name of the inverse relationship, which the destination declares; nil by default.
    ///
    /// Declare one wherever possible: ``Model/validate()`` warns otherwise. Without an inverse, a
    /// to-many relationship is a link table, and rows that leave the list are never deleted.
    public var inverse: String?

    /// The rule that applies to the linked objects when the object is deleted;
    /// ``DeleteRule/nullify`` by default.
    public var deleteRule: DeleteRule

    /// The numbers of linked objects that the model specifies.
    ///
    /// Imports do not check them.
    public var cardinality: Cardinality

    /// The representation of the relationship in JSON.
    ///
    /// ```swift
    /// var author = Relationship("author", to: "User", remoteKey: "created_by")
    /// author.json.isExportable = false
    /// ```
    public var json: JSONRepresentation

    /// The policy for rows that were removed from the list of a one-to-many relationship;
    /// ``OrphanPolicy/delete`` by default.
    public var orphans: OrphanPolicy

    /// The name of the relationship in the previous version of the model; nil by default.
    ///
    /// A migration then keeps its links. Without it, they are dropped.
    public var renamingIdentifier: String?

    /// Further annotations, unchanged from the source of the model; empty by default.
    public var userInfo: [String: String]

    /// Creates a relationship.
    ///
    /// Only the name and the destination are required. Whether the destination exists, and whether
    /// the inverse leads back, is checked by ``Model/validate()``. The counts are the
    /// ``cardinality``; `remoteKey`, `referenceKeys`, `nullValues`, `push` and `isExportable` are
    /// those of ``json``.
    ///
    /// ```swift
    /// let tags = Relationship("tags", to: "Tag", isToMany: true, inverse: "articles")
    /// let comments = Relationship(
    ///     "comments", to: "Comment", isToMany: true, inverse: "article", orphans: .unlink
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the relationship.
    ///   - destination: The name of the destination entity.
    ///   - isToMany: Whether an object may be linked to several others.
    ///   - isOrdered: Whether the linked objects are ordered.
    ///   - isOptional: Whether an object may have no linked object.
    ///   - inverse: The name of the inverse relationship.
    ///   - deleteRule: The rule for the linked objects when the object is deleted.
    ///   - minimumCount: The minimum number of linked objects.
    ///   - maximumCount: The maximum number of linked objects.
    ///   - remoteKey: The JSON key; nil to derive it from the name.
    ///   - referenceKeys: The JSON keys that contain only references; empty to derive them.
    ///   - nullValues: Values that mean no linked object.
    ///   - orphans: The policy for rows that were removed from the list.
    ///   - push: What a push sends when links change; nil to derive it.
    ///   - isExportable: Whether the relationship is exported.
    ///   - renamingIdentifier: Its name in the previous version of the model.
    ///   - userInfo: Further annotations.
    public init(
        _ name: String,
        to destination: String,
        isToMany: Bool = false,
        isOrdered: Bool = false,
        isOptional: Bool = true,
        inverse: String? = nil,
        deleteRule: DeleteRule = .nullify,
        minimumCount: Int? = nil,
        maximumCount: Int? = nil,
        remoteKey: String? = nil,
        referenceKeys: [String] = [],
        nullValues: [String] = [],
        orphans: OrphanPolicy = .delete,
        push: PushedLinks? = nil,
        isExportable: Bool = true,
        renamingIdentifier: String? = nil,
        userInfo: [String: String] = [:]
    ) {
        self.name = name
        self.destination = destination
        self.isToMany = isToMany
        self.isOrdered = isOrdered
        self.isOptional = isOptional
        self.inverse = inverse
        self.deleteRule = deleteRule
        cardinality = Cardinality(minimum: minimumCount, maximum: maximumCount)
        json = JSONRepresentation(
            remoteKey: remoteKey,
            referenceKeys: referenceKeys,
            nullValues: nullValues,
            isExportable: isExportable,
            push: push
        )
        self.orphans = orphans
        self.renamingIdentifier = renamingIdentifier
        self.userInfo = userInfo
    }

    /// The numbers of objects to which an object may be linked.
    public struct Cardinality: Hashable, Sendable {
        /// The minimum number; nil if the model specifies none.
        public var minimum: Int?

        /// The maximum number; nil if the model specifies none.
        public var maximum: Int?
    }

    /// The representation of a relationship in JSON: where its objects or their keys are.
    public struct JSONRepresentation: Hashable, Sendable {
        /// The JSON key that contains the linked objects or their keys; nil by default.
        ///
        /// Dots separate the components of a path through nested objects. If it is nil, the
        /// ``NamingConvention`` derives it from the name of the relationship. The derived names
        /// remain accepted, after this one.
        ///
        /// ```swift
        /// let author = Relationship(
        ///     "author", to: "User", inverse: "posts", remoteKey: "data.created_by"
        /// )
        /// ```
        public var remoteKey: String?

        /// The JSON keys that contain only references; none by default.
        ///
        /// They are derived from the name: `author_id`, `authorId`, or `tag_ids` for a to-many
        /// relationship. For a primary key with one part the given keys are alternatives, the first
        /// of which is exported. A composite key requires one for each part, in the order of the
        /// parts.
        ///
        /// ```swift
        /// let author = Relationship(
        ///     "author", to: "User", inverse: "posts", referenceKeys: ["creator"]
        /// )
        /// let seat = Relationship("seat", to: "Seat", referenceKeys: ["seat_row", "seat_no"])
        /// ```
        public var referenceKeys: [String]

        /// Values that, in addition to null, mean no linked object, such as `0` or `none`; none by
        /// default.
        ///
        /// A number is compared in its written form.
        ///
        /// ```swift
        /// let parent = Relationship(
        ///     "parent", to: "Folder", inverse: "children", nullValues: ["0", "none"]
        /// )
        /// ```
        public var nullValues: [String]

        /// Whether the relationship is exported; true by default.
        ///
        /// With false, an import still reads it.
        public var isExportable: Bool

        /// What a push sends when links of the relationship change locally; nil, the default, to
        /// derive it.
        ///
        /// Derived, links are sent with the objects that have the foreign key; those of two to-many
        /// relationships with the objects of the exportable one, or of the one that the link table
        /// is named after. Set it on one side where the service expects something else.
        ///
        /// ```swift
        /// var stops = Relationship("stops", to: "Stop", isToMany: true, inverse: "route")
        /// stops.json.push = .list    // PATCH routes/7 {"stops": [3, 1, 2]}
        /// ```
        public var push: PushedLinks?
    }

    /// The policy for the rows of a one-to-many relationship that the service no longer lists for
    /// an object.
    ///
    /// It applies to lists of objects. A row that was removed from a list of keys, or from a
    /// many-to-many relationship, is only unlinked. An import without the operation
    /// `deleteRelationships` never deletes.
    ///
    /// ```swift
    /// let notes = Relationship(
    ///     "notes", to: "Note", isToMany: true, inverse: "user", orphans: .unlink
    /// )
    /// ```
    public enum OrphanPolicy: String, Hashable, Sendable, Codable, CaseIterable {
        /// The rows are deleted, unless the document contains them elsewhere.
        ///
        /// A child that occurs under another parent moves there.
        case delete
        /// The rows are kept without the link.
        ///
        /// Choose it for objects that exist without the parent, such as the tasks of a deleted
        /// milestone. Rows whose primary key contains the parent keep the link.
        case unlink
    }

    /// The object that a push sends when a link changes locally.
    ///
    /// ```swift
    /// let tags = Relationship(
    ///     "tags", to: "Tag", isToMany: true, inverse: "articles", push: .thisSide
    /// )
    /// ```
    public enum PushedLinks: String, Hashable, Sendable, Codable, CaseIterable {
        /// The object that has this relationship.
        ///
        /// The inverse is not sent.
        case thisSide

        /// The object that has this to-many relationship, with its list in order.
        ///
        /// If the inverse is to-one and exportable, the linked objects are sent as well.
        case list
    }

    /// The rule that applies to the linked objects when an object is deleted.
    ///
    /// Tidemark follows the rules itself, whether an import, a pull or the app deletes a row. The
    /// foreign keys of the tables contain them for other programs that write to the store.
    ///
    /// ```swift
    /// let orders = Relationship(
    ///     "orders", to: "Order", isToMany: true, inverse: "user", deleteRule: .deny
    /// )
    /// ```
    public enum DeleteRule: String, Hashable, Sendable, Codable, CaseIterable {
        /// The link is removed: `ON DELETE SET NULL`.
        case nullify
        /// The linked objects are deleted, too: `ON DELETE CASCADE`.
        ///
        /// Use it for the objects of an entity without a primary key, which exist only as a part of
        /// their owner.
        case cascade
        /// The object cannot be deleted while it has linked objects: `NO ACTION`, checked at the
        /// commit.
        ///
        /// A local deletion throws. An import or a pull keeps the row and reports it.
        case deny
        /// No rule; a store removes the link like ``nullify``, so that no reference dangles.
        case noAction
    }
}
