public import TidemarkModel

/// Where the properties of one entity lie in the store.
public struct EntityLayout: Sendable {
    /// The entity's name.
    public let name: String

    /// Whether no row is of this entity itself.
    public let isAbstract: Bool

    /// The index of its table in ``StoreLayout/tables``.
    public let table: Int

    /// The entity and those that inherit from it; nil when that is the whole table.
    public let family: [String]?

    /// Its stored attributes, inherited ones first.
    public let attributes: [AttributeLayout]

    /// Its relationships, inherited ones first.
    public let relationships: [RelationshipLayout]

    /// The columns of its primary key; empty when it has none.
    ///
    /// One may hold a reference to the parent within which the key is unique.
    public let key: [Int]

    /// The values of its primary key as services write them: for a reference those of the key that
    /// it leads to.
    public let keyParts: [KeyPartLayout]

    /// Whether a part of its primary key is a reference.
    public var hasParentInKey: Bool { keyParts.contains { !$0.references.isEmpty } }

    /// The attribute of this name.
    public func attribute(_ name: String) -> AttributeLayout? {
        attributes.first { $0.attribute.name == name }
    }

    /// The relationship of this name.
    public func relationship(_ name: String) -> RelationshipLayout? {
        relationships.first { $0.relationship.name == name }
    }
}

/// An attribute and its column.
public struct AttributeLayout: Sendable {
    /// The attribute.
    public let attribute: Attribute

    /// The index of its column in ``TableLayout/columns``.
    public let column: Int
}

/// A value of a primary key and its column.
public struct KeyPartLayout: Sendable {
    /// The references that lead to the row that has the value; empty when the row itself has it.
    public let references: [KeyReference]

    /// The attribute that has the value.
    public let attribute: Attribute

    /// The column of that attribute, in the last row's table.
    public let column: Int
}

/// A reference that is part of a primary key.
public struct KeyReference: Sendable, Hashable {
    /// The column that holds it.
    public let column: Int

    /// The table that it leads to.
    public let table: Int
}

/// A relationship and where its links are stored.
public final class RelationshipLayout: Sendable {
    // A class, as an import takes it for each list: a copy would count a reference for each name.

    /// The relationship.
    public let relationship: Relationship

    /// `Entity.relationship`, with the entity of the tree that declares it: its name in the store.
    public let identifier: String

    /// The index of its own table in ``StoreLayout/tables``.
    public let table: Int

    /// The index of the destination in ``StoreLayout/entities``.
    public let destination: Int

    /// Where the links are.
    public let storage: RelationshipStorage

    init(
        relationship: Relationship,
        identifier: String,
        table: Int,
        destination: Int,
        storage: RelationshipStorage
    ) {
        self.relationship = relationship
        self.identifier = identifier
        self.table = table
        self.destination = destination
        self.storage = storage
    }
}

/// Where the links of a relationship are stored.
public enum RelationshipStorage: Sendable, Hashable {
    /// In a column of the row itself.
    case column(Int)
    /// In a column of the linked rows, with a column for their order where they have one.
    case inverse(table: Int, column: Int, position: Int?)
    /// In a table of pairs; the row itself stands in this column.
    case join(Int, JoinSide)
}

/// The column of a table of pairs in which a row stands.
public enum JoinSide: Sendable, Hashable {
    /// In `owner`; the linked row in `member`.
    case owner
    /// In `member`; the linked row in `owner`.
    case member
    /// In either: the relationship is its own inverse.
    case either

    /// The pair of a row on this side and another.
    func pair(_ row: Int64, _ other: Int64) -> (owner: Int64, member: Int64) {
        switch self {
        case .owner: (row, other)
        case .member: (other, row)
        case .either: (min(row, other), max(row, other))
        }
    }
}
