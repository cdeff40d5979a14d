/// A relationship from the objects of one entity to those of another, or of the same one.
public struct Relationship: Hashable, Sendable {
    /// The name of the relationship.
    ///
    /// The column of a to-one relationship has the same name, or `<name>_<Entity>` if a sibling
    /// entity has such a column. Of a one-to-one relationship and its inverse, only one has a
    /// column.
    public var name: String

    /// The name of the destination entity.
    public var destination: String

    /// Whether an object may be linked to several others.
    public var isToMany: Bool

    /// Whether the linked objects are ordered.
    public var isOrdered: Bool

    /// Whether an object may have no linked object.
    public var isOptional: Bool

    /// The name of the inverse relationship.
    public var inverse: String?

    /// The rule that applies to the linked objects when the object is deleted.
    public var deleteRule: DeleteRule

    /// The minimum number of linked objects, if the model specifies one.
    ///
    /// Imports do not check it.
    public var minimumCount: Int?

    /// The maximum number of linked objects, if the model specifies one.
    ///
    /// Imports do not check it.
    public var maximumCount: Int?

    /// The JSON key that contains the linked objects or their keys.
    ///
    /// Dots separate the components of a path through nested objects.
    public var remoteKey: String?

    /// The JSON keys that contain only references.
    ///
    /// For a primary key with one part they are alternatives, the first of which is exported. A
    /// composite key requires one for each part, in the order of the parts.
    public var referenceKeys: [String]

    /// Values that, in addition to null, mean no linked object, such as `0` or `none`.
    ///
    /// A number is compared in its written form.
    public var nullValues: [String]

    /// The policy for rows that were removed from the list of a one-to-many relationship.
    public var orphans: OrphanPolicy

    /// Whether the relationship is exported.
    public var isExportable: Bool

    /// The name of the relationship in the previous version of the model.
    public var renamingIdentifier: String?

    /// Further annotations, unchanged from the source of the model.
    public var userInfo: [String: String]

    /// Creates a relationship.
    ///
    /// Only the name and the destination are required.
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
        self.minimumCount = minimumCount
        self.maximumCount = maximumCount
        self.remoteKey = remoteKey
        self.referenceKeys = referenceKeys
        self.nullValues = nullValues
        self.orphans = orphans
        self.isExportable = isExportable
        self.renamingIdentifier = renamingIdentifier
        self.userInfo = userInfo
    }

    /// The policy for the rows of a one-to-many relationship that the service no longer lists for
    /// an object.
    ///
    /// It applies to lists of objects. A row that was removed from a list of keys, or from a
    /// many-to-many relationship, is only unlinked.
    public enum OrphanPolicy: String, Hashable, Sendable, Codable, CaseIterable {
        /// The rows are deleted, unless the document contains them elsewhere.
        case delete
        /// The rows are kept without the link.
        case unlink
    }

    /// The rule that applies to the linked objects when an object is deleted.
    public enum DeleteRule: String, Hashable, Sendable, Codable, CaseIterable {
        /// The link is removed.
        case nullify
        /// The linked objects are deleted, too.
        case cascade
        /// The object cannot be deleted while it has linked objects.
        case deny
        /// No rule; a store removes the link, so that no reference dangles.
        case noAction
    }
}
