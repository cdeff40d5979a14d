public import TidemarkModel

/// How the rows of one entity tree lie in a table.
public struct TableLayout: Sendable {
    /// The table's name, which is the topmost entity's.
    public let name: String

    /// The entities whose rows it holds.
    public let entities: [String]

    /// The columns behind `_id`, and behind `_entity` where there is one.
    public internal(set) var columns: [Column]

    /// The columns of each primary key; entities of a tree may have keys of their own.
    public internal(set) var keys: [[Int]] = []

    /// Further lists of columns whose values together are unique.
    public internal(set) var uniques: [[Int]] = []

    /// Declared indexes: a name, and the columns with their direction.
    public internal(set) var indexes: [Index] = []

    /// Whether the table has a column `_entity` that tells its rows apart.
    public var hasEntityColumn: Bool { entities.count > 1 }

    /// A column of a table.
    public struct Column: Sendable {
        /// The column's name.
        public let name: String
        /// What stands in it.
        public let content: Content
        /// Whether every row must have a value.
        public internal(set) var isRequired: Bool
    }

    /// What stands in a column.
    public enum Content: Sendable {
        /// The values of an attribute.
        case attribute(AttributeType)
        /// The row numbers of another table, unique where both ends are to-one.
        case reference(Reference)
        /// The place of a row among its siblings: those whose reference in a column is the same.
        case position(among: Int)
    }

    /// A reference to rows of a table.
    public struct Reference: Sendable {
        /// The table referred to.
        public let table: String
        /// What SQLite does to the referring row when the other goes by a foreign hand.
        public let onDelete: Relationship.DeleteRule
        /// Whether no two rows may refer to the same one.
        public let isUnique: Bool
    }

    /// An index that the model declares.
    public struct Index: Sendable {
        /// `Entity.index`; with the declaring entity between them where that has no table.
        public let name: String
        /// The columns, in order.
        public let columns: [Int]
        /// Whether each column is sorted from the smallest up.
        public let ascending: [Bool]
    }
}

/// The table behind a many-to-many relationship, or behind a to-many one without an inverse.
public struct JoinLayout: Sendable {
    /// The table's name.
    public let name: String
    /// The table that `owner` refers to.
    public let ownerTable: String
    /// The table that `member` refers to.
    public let memberTable: String
    /// Whether the relationship is its own inverse: a pair is then stored once, the smaller row
    /// first.
    public let isSymmetric: Bool
    /// Whether the members of an owner have an order, kept in `position`.
    public let isOrdered: Bool
    /// Whether the owners of a member have an order, kept in `inversePosition`.
    public let isInverseOrdered: Bool
}
