package import TidemarkModel

/// The table and columns of one entity.
package struct EntityLayout: Sendable {
    /// The entity's name.
    package let name: String

    /// Whether the entity is abstract: rows belong to its sub-entities only.
    package let isAbstract: Bool

    /// The index of its table in ``StoreLayout/tables``.
    package let table: Int

    /// The names of the entity and its sub-entities, by which queries filter `_entity`; nil if the
    /// table stores no other entities.
    package let family: [String]?

    /// Its attributes that have a column, inherited ones first.
    ///
    /// Transient ones have none.
    package let attributes: [AttributeLayout]

    /// Its relationships, inherited ones first.
    package let relationships: [RelationshipLayout]

    /// The column indexes of its primary key; empty if it has none.
    ///
    /// One of them may be a reference to a parent row; the key is then unique within that parent.
    package let key: [Int]

    /// The values of its primary key as services send them: a reference is replaced by the key
    /// values of the row that it refers to.
    package let keyParts: [KeyPartLayout]

    /// Whether its primary key contains a reference to a parent row.
    package var hasParentInKey: Bool { keyParts.contains { !$0.references.isEmpty } }

    /// Returns the attribute with a name, or nil if the entity does not store one.
    package func attribute(_ name: String) -> AttributeLayout? {
        attributes.first { $0.attribute.name == name }
    }

    /// Returns the relationship with a name, or nil if the entity has none.
    package func relationship(_ name: String) -> RelationshipLayout? {
        relationships.first { $0.relationship.name == name }
    }
}

/// An attribute and its column.
package struct AttributeLayout: Sendable {
    /// The attribute.
    package let attribute: Attribute

    /// The index of its column in ``TableLayout/columns``.
    package let column: Int
}

/// A value of a primary key and the column that stores it.
package struct KeyPartLayout: Sendable {
    /// The references to follow to the row that stores the value; empty if the row itself stores
    /// it.
    package let references: [KeyReference]

    /// The attribute whose value is part of the key.
    package let attribute: Attribute

    /// The index of that attribute's column, in the table of the last reference.
    package let column: Int
}

/// A foreign key column that is part of a primary key.
package struct KeyReference: Sendable, Hashable {
    /// The index of the column.
    package let column: Int

    /// The index of the referenced table in ``StoreLayout/tables``.
    package let table: Int
}

/// A relationship and the storage of its links.
package final class RelationshipLayout: Sendable {
    // A class, because an import reads it for each list: a copy of a struct would retain each of
    // its strings.

    /// The relationship.
    package let relationship: Relationship

    /// `Entity.relationship`: the name of the relationship in the store.
    ///
    /// The entity is the one of the tree that declares the relationship. If that one has no table,
    /// it is the entity at the top of the tree.
    package let identifier: String

    /// The index of its entity's table in ``StoreLayout/tables``.
    package let table: Int

    /// The index of the destination entity in ``StoreLayout/entities``.
    package let destination: Int

    /// The table and columns that store the links.
    package let storage: RelationshipStorage

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
package enum RelationshipStorage: Sendable, Hashable {
    /// In the foreign key column of the row itself.
    case column(Int)
    /// In a foreign key column of the linked rows, with a position column if the list is ordered.
    case inverse(table: Int, column: Int, position: Int?)
    /// In a join table, by its index; the side is the column that refers to the row itself.
    case join(Int, JoinSide)
}

/// The column of a join table that refers to the row that has the relationship.
package enum JoinSide: Sendable, Hashable {
    /// `owner`; the linked row is in `member`.
    case owner
    /// `member`; the linked row is in `owner`.
    case member
    /// Either column, because the relationship is its own inverse.
    case either

    /// The column of the row that has the relationship; `owner` for ``either``.
    var ownColumn: String { self == .member ? "member" : "owner" }

    /// The column of the linked row; `member` for ``either``.
    var otherColumn: String { self == .member ? "owner" : "member" }

    /// Returns the owner and the member of the link between a row on this side and another row.
    func pair(of row: Int64, with other: Int64) -> (owner: Int64, member: Int64) {
        switch self {
        case .owner: (row, other)
        case .member: (other, row)
        // Each pair is stored once, so both rows must find it under the same owner.
        case .either: (min(row, other), max(row, other))
        }
    }
}
