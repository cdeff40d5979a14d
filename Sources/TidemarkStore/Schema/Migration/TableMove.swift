/// Where the rows of a table come from when the model changes.
struct TableMove {
    /// The old table that goes on as this one.
    var base: Int?

    /// The old tables that rows come from.
    var sources: [TableSource]

    /// Whether the old table is changed where it stands; else it is written anew.
    var isKept = false
}

/// The rows of one old table that come into a new one.
struct TableSource {
    /// The old table.
    let table: Int

    /// The entities whose rows they are.
    var entities: [EntityMove]
}

/// The rows of one old entity, and where their values come from.
struct EntityMove {
    let old: EntityLayout
    let new: EntityLayout

    /// For each column of the new table, what is written there.
    var columns: [ColumnSource]
}

/// What is written into a column when its row is copied.
enum ColumnSource: Hashable {
    /// Nothing: there was none, or links are put there afterwards.
    case nothing
    /// What stood in an old column.
    case column(Int)
    /// What stood in an old column, or the default, by a conversion of the plan.
    case converted(Int?, Int)
}

/// Where the links of a relationship come from when the model changes.
struct LinkMove {
    /// The relationship that has the column, or is the owner in the table of pairs.
    let relationship: RelationshipLayout

    /// The relationship that leads back.
    let inverse: RelationshipLayout?

    /// The old relationships whose links they are.
    let sources: [LinkSource]

    /// How they get where they belong.
    let way: Way

    enum Way: Hashable {
        /// The column is copied with its row.
        case column
        /// The old table of pairs goes on.
        case join(Int)
        /// They are set aside and put into their new place.
        case staged
    }
}

/// Links of an old relationship.
struct LinkSource {
    /// The old relationship.
    let relationship: RelationshipLayout

    /// The old entities whose links they are; nil for all that have the relationship.
    let entities: [String]?

    /// Whether it is the inverse of the new one: owner and member change places.
    let isFlipped: Bool
}
