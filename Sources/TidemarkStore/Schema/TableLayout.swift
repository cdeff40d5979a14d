package import TidemarkModel

/// The table that stores the entities of one inheritance tree.
///
/// The primary key of the table is the row number, `_id`. The primary keys of the model are UNIQUE
/// constraints.
package struct TableLayout: Sendable {
    /// The table's name: that of the entity at the top of the tree.
    package let name: String

    /// The names of all entities of the tree, abstract ones included.
    package let entities: [String]

    /// The columns after `_id`, and after `_entity` if the table has that column.
    package internal(set) var columns: [Column]

    /// The column indexes of each primary key.
    ///
    /// Entities of one tree may have different keys.
    package internal(set) var keys: [[Int]] = []

    /// The column indexes of each further UNIQUE constraint.
    package internal(set) var uniques: [[Int]] = []

    /// The indexes that the model declares.
    package internal(set) var indexes: [Index] = []

    /// Whether the table has the column `_entity`, which contains the name of each row's entity.
    package var hasEntityColumn: Bool { entities.count > 1 }

    /// A column of a table.
    package struct Column: Sendable {
        /// The column's name.
        package let name: String
        /// The kind of values in the column.
        package let content: Content
        /// Whether the column is declared NOT NULL.
        package internal(set) var isRequired: Bool
    }

    /// The kind of values in a column.
    package enum Content: Sendable {
        /// The values of an attribute.
        case attribute(AttributeType)
        /// The row numbers (`_id`) of linked rows; unique if both ends are to-one.
        case reference(Reference)
        /// The position of a row in an ordered list, starting at 0, among the rows with the same
        /// value in the reference column of the given index.
        case position(among: Int)
    }

    /// A foreign key.
    package struct Reference: Sendable {
        /// The name of the referenced table.
        package let table: String
        /// The rule that SQLite applies to the referring row when another program deletes the
        /// referenced one.
        ///
        /// Tidemark itself follows the delete rules of the model.
        package let onDelete: Relationship.DeleteRule
        /// Whether no two rows may refer to the same row, because both ends are to-one.
        package let isUnique: Bool
    }

    /// An index that the model declares.
    package struct Index: Sendable {
        /// `Entity.index`, or `Entity.Ancestor.index` if it is inherited from an entity without a
        /// table.
        package let name: String
        /// The column indexes, in order.
        package let columns: [Int]
        /// Whether each column is in ascending order.
        package let ascending: [Bool]
    }
}

/// The join table of a many-to-many relationship, or of a to-many relationship without an inverse.
///
/// Each row links an `owner` to a `member`. The owner is the row that has the relationship after
/// which the table is named.
package struct JoinLayout: Sendable {
    /// The table's name.
    package let name: String
    /// The name of the table that the column `owner` refers to.
    package let ownerTable: String
    /// The name of the table that the column `member` refers to.
    package let memberTable: String
    /// Whether the relationship is its own inverse.
    ///
    /// Each pair is then stored once, with the smaller row number as `owner`.
    package let isSymmetric: Bool
    /// Whether the members of an owner are ordered, by the column `position`.
    package let isOrdered: Bool
    /// Whether the owners of a member are ordered, by the column `inversePosition`.
    package let isInverseOrdered: Bool

    /// Returns the column that orders the links of a row on a side; nil if they are unordered.
    func positionColumn(_ side: JoinSide) -> String? {
        switch side {
        case .owner: isOrdered ? "position" : nil
        case .member: isInverseOrdered ? "inversePosition" : nil
        case .either: nil
        }
    }
}
