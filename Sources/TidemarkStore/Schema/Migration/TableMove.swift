/// The source of a table's rows when the model changes.
struct TableMove {
    /// The index of the old table that becomes this one; nil for an additional table.
    var base: Int?

    /// The old tables that its rows come from.
    var sources: [TableSource]

    /// Whether the old table is altered in place; otherwise the table is rebuilt.
    var isKept = false
}

/// The rows of an old table that become rows of a new one.
struct TableSource {
    /// The index of the old table.
    let table: Int

    /// The old entities whose rows they are.
    var entities: [EntityMove]
}

/// The rows of an old entity, and the source of their values.
struct EntityMove {
    let old: EntityLayout
    let new: EntityLayout

    /// The source of each column of the new table.
    var columns: [ColumnSource]
}

/// The source of a column's value when its row is copied.
enum ColumnSource: Hashable {
    /// NULL: there was no value, or a link is stored afterwards.
    case nothing
    /// The value of an old column.
    case column(Int)
    /// The value of an old column, or the default, by the conversion with an index.
    case converted(Int?, Int)
}

/// The source of a relationship's links when the model changes.
struct LinkMove {
    /// The relationship that has the foreign key column, or is the owner in the join table.
    let relationship: RelationshipLayout

    /// Its inverse; nil if it has none, or is its own.
    let inverse: RelationshipLayout?

    /// The old relationships whose links it takes.
    let sources: [LinkSource]

    /// How the links are moved.
    let way: Way

    enum Way: Hashable {
        /// The foreign key column is copied with its row.
        case column
        /// The old join table with an index is kept.
        case join(Int)
        /// The links are copied to a temporary table, and from there to their new storage.
        case staged
    }
}

/// The links of an old relationship that a new one takes.
struct LinkSource {
    /// The old relationship.
    let relationship: RelationshipLayout

    /// The old entities whose links they are; nil for all that have the relationship.
    let entities: [String]?

    /// Whether it corresponds to the inverse of the new one, so that owner and member are
    /// exchanged.
    let isFlipped: Bool
}
