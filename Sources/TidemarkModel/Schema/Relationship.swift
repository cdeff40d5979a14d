/// A link from the objects of one entity to those of another, or of the same.
public struct Relationship: Hashable, Sendable {
    /// The relationship's name; a to-one relationship is also a column of this name.
    public var name: String

    /// The entity at the other end.
    public var destination: String

    /// Whether an object may be linked to many others.
    public var isToMany: Bool

    /// Whether the linked objects have an order of their own.
    public var isOrdered: Bool

    /// Whether an object may go without a link.
    public var isOptional: Bool

    /// The relationship that leads back.
    public var inverse: String?

    /// What becomes of the linked objects when this one is deleted.
    public var deleteRule: DeleteRule

    /// The least number of linked objects, if the model specifies one; imports do not check it.
    public var minimumCount: Int?

    /// The greatest number of linked objects, if the model specifies one; imports do not check it.
    public var maximumCount: Int?

    /// The JSON key that holds the objects or their keys; dots lead through nested objects.
    public var remoteKey: String?

    /// The JSON keys that hold references only: one, or for a composite key one for each part.
    public var referenceKeys: [String]

    /// Further values that refer to no object, such as `0` or `none`; null always does.
    ///
    /// A number is compared as it is written.
    public var nullValues: [String]

    /// What becomes of rows that have left the list of a one-to-many relationship.
    public var orphans: OrphanPolicy

    /// Whether it is part of an export.
    public var isExportable: Bool

    /// The relationship's name in the previous version of the model.
    public var renamingIdentifier: String?

    /// Further annotations, kept as they were found.
    public var userInfo: [String: String]

    /// Creates a relationship; everything but name and destination may be left out.
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

    /// What becomes of the rows of a one-to-many relationship that the service no longer lists
    /// among an object's own.
    ///
    /// It is about lists of objects. Who has left a list of ids, or one of many-to-many, is only
    /// unlinked.
    public enum OrphanPolicy: String, Hashable, Sendable, Codable, CaseIterable {
        /// They are deleted, unless the document names them elsewhere.
        case delete
        /// They stay without the link.
        case unlink
    }

    /// What becomes of the linked objects when an object is deleted.
    public enum DeleteRule: String, Hashable, Sendable, Codable, CaseIterable {
        /// They lose the link.
        case nullify
        /// They are deleted too.
        case cascade
        /// While there are any, the object cannot be deleted.
        case deny
        /// Nothing is said about them; a store clears the link, so that none dangles.
        case noAction
    }
}
