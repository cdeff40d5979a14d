public import TidemarkModel

/// The table and columns of one entity.
public struct EntityLayout: Sendable {
    /// The entity's name.
    public let name: String

    /// Whether the entity is abstract: rows belong to its sub-entities only.
    public let isAbstract: Bool

    /// The index of its table in ``StoreLayout/tables``.
    public let table: Int

    /// The names of the entity and its sub-entities, by which queries filter `_entity`; nil if the
    /// table stores no other entities.
    public let family: [String]?

    /// Its attributes that have a column, inherited ones first.
    ///
    /// Transient ones have none.
    public let attributes: [AttributeLayout]

    /// Its relationships, inherited ones first.
    public let relationships: [RelationshipLayout]

    /// The column indexes of its primary key; empty if it has none.
    ///
    /// One of them may be a reference to a parent row; the key is then unique within that parent.
    public let key: [Int]

    /// The values of its primary key as services send them: a reference is replaced by the key
    /// values of the row that it refers to.
    public let keyParts: [KeyPartLayout]

    /// Whether its primary key contains a reference to a parent row.
    public var hasParentInKey: Bool { keyParts.contains { !$0.references.isEmpty } }

    /// Returns the attribute with a name, or nil if the entity does not store one.
    public func attribute(_ name: String) -> AttributeLayout? {
        attributes.first { $0.attribute.name == name }
    }

    /// Returns the relationship with a name, or nil if the entity has none.
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

/// A value of a primary key and the column that stores it.
public struct KeyPartLayout: Sendable {
    /// The references to follow to the row that stores the value; empty if the row itself stores
    /// it.
    public let references: [KeyReference]

    /// The attribute whose value is part of the key.
    public let attribute: Attribute

    /// The index of that attribute's column, in the table of the last reference.
    public let column: Int
}

/// A foreign key column that is part of a primary key.
public struct KeyReference: Sendable, Hashable {
    /// The index of the column.
    public let column: Int

    /// The index of the referenced table in ``StoreLayout/tables``.
    public let table: Int
}

/// A relationship and the storage of its links.
public final class RelationshipLayout: Sendable {
    // A class, because an import reads it for each list: a copy of a struct would retain each of
    // its strings.

    /// The relationship.
    public let relationship: Relationship

    /// `Entity.relationship`: the name of the relationship in the store.
    ///
    /// The entity is the one of the tree that declares the relationship. If that one has no table,
    /// it is the entity at the top of the tree.
    public let identifier: String

    /// The index of its entity's table in ``StoreLayout/tables``.
    public let table: Int

    /// The index of the destination entity in ``StoreLayout/entities``.
    public let destination: Int

    /// The table and columns that store the links.
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

/// The table and columns that store the links of a relationship.
public enum RelationshipStorage: Sendable, Hashable {
    /// In the foreign key column of the row itself.
    case column(Int)
    /// In a foreign key column of the linked rows, with a position column if the list is ordered.
    case inverse(table: Int, column: Int, position: Int?)
    /// In a join table, by its index; the side is the column that refers to the row itself.
    case join(Int, JoinSide)
}

/// The column of a join table that refers to the row that has the relationship.
public enum JoinSide: Sendable, Hashable {
    /// `owner`; the linked row is in `member`.
    case owner
    /// `member`; the linked row is in `owner`.
    case member
    /// Either column, because the relationship is its own inverse.
    case either

    /// Returns the owner and the member of the link between a row on this side and another row.
    func pair(_ row: Int64, _ other: Int64) -> (owner: Int64, member: Int64) {
        switch self {
        case .owner: (row, other)
        case .member: (other, row)
        // Each pair is stored once, so both rows must find it under the same owner.
        case .either: (min(row, other), max(row, other))
        }
    }
}
