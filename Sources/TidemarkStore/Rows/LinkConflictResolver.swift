package import TidemarkModel

/// Decides whether an import may change a link that was changed locally, if that change was not
/// pushed yet.
///
/// A link is written in many ways: by either row's object, by the list of a parent, by a reference
/// whose row is inserted. All of them ask the resolver of the ``StoreWriter``.
package protocol LinkConflictResolver: AnyObject {
    /// Returns whether a link that the service has may be added.
    ///
    /// - Parameter link: The link. A reference replaces the one that the row has.
    /// - Returns: False if the local state stays as it is.
    /// - Throws: `DatabaseError`.
    func mayAdd(_ link: StoredLink) throws -> Bool

    /// Returns whether a link that a list of the service lacks may be removed.
    func mayRemove(_ link: StoredLink) throws -> Bool

    /// Records which local changes of a row's links, and of their order, the service has made, too.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - row: The row that has the relationship.
    ///   - others: The rows in the complete list of the service, in its order.
    /// - Throws: `DatabaseError`.
    func confirm(
        _ relationship: RelationshipLayout,
        of row: Int64,
        in others: [Int64]
    ) throws

    /// Records that a link is removed because only one row can have it, and the service says that
    /// another one has.
    ///
    /// - Returns: The row that the reference refers to instead, as at the service; nil for none.
    /// - Throws: `DatabaseError`.
    func willTake(_ link: StoredLink) throws -> Int64?

    /// Returns whether the links of a row may be put into the order of the service, after its list
    /// was confirmed.
    func mayOrder(_ relationship: RelationshipLayout, of row: Int64) throws -> Bool

    /// Returns whether an unresolved reference that the service has was removed locally.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - row: The row that has the relationship.
    ///   - key: The values of the key's parts.
    /// - Returns: Whether it stays removed.
    /// - Throws: `DatabaseError`.
    func isRemoved(
        _ relationship: RelationshipLayout,
        of row: Int64,
        to key: [StoredValue]
    ) throws -> Bool
}

/// A link between two rows, as it is stored.
package struct StoredLink: Sendable, Hashable {
    /// Where links are stored.
    package enum Place: Sendable, Hashable {
        /// In a column of a table, by their indexes.
        case column(Int, table: Int)
        /// In a join table, by its index.
        case pairs(Int)
    }

    package let place: Place

    /// The row that has the reference, or the owner of the pair.
    package let row: Int64

    /// The row that is referred to, or the member of the pair.
    package let other: Int64

    package init(place: Place, row: Int64, other: Int64) {
        self.place = place
        self.row = row
        self.other = other
    }

    /// Creates the link between a row that has a relationship and another row.
    package init(_ relationship: RelationshipLayout, of row: Int64, to other: Int64) {
        switch relationship.storage {
        case .column(let column):
            let place = Place.column(column, table: relationship.table)
            self.init(place: place, row: row, other: other)
        case .inverse(let table, let column, _):
            self.init(place: .column(column, table: table), row: other, other: row)
        case .join(let join, let side):
            let pair = side.pair(of: row, with: other)
            self.init(place: .pairs(join), row: pair.owner, other: pair.member)
        }
    }
}
