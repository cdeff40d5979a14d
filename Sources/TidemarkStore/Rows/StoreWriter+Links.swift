import GRDB
import TidemarkModel

extension StoreWriter {
    /// Links a row to another row; in a to-one relationship, this replaces the existing link.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - row: The row that has the relationship.
    ///   - other: The row to link to.
    ///   - position: The position of a new member of an ordered list; nil for the end of the list.
    /// - Returns: Whether the rows were not linked before.
    /// - Throws: `DatabaseError`.
    @discardableResult
    package func link(
        _ relationship: RelationshipLayout,
        of row: Int64,
        to other: Int64,
        at position: Int64? = nil
    ) throws -> Bool {
        switch relationship.storage {
        case .column(let column):
            return try linkColumn(column, by: relationship, of: row, to: other)
        case .inverse(let table, let column, let order):
            let isNew = try setReference(column, in: table, of: other, to: row)
            if isNew, let position {
                try put(other, at: position, in: relationship, of: row)
            } else if isNew, let order {
                try putLast(other, position: order, among: column, of: row, in: table)
            }
            return isNew
        case .join(let join, let side):
            return try addPair(to: join, side: side, of: row, with: other, at: position)
        }
    }

    private func linkColumn(
        _ column: Int,
        by relationship: RelationshipLayout,
        of row: Int64,
        to other: Int64
    ) throws -> Bool {
        let table = relationship.table
        let isNew = try setReference(column, in: table, of: row, to: other)
        if layout.isOwnInverse(relationship) {
            return try setReference(column, in: table, of: other, to: row) || isNew
        }
        if isNew, let position = layout.positionColumn(inInverseOf: relationship) {
            try putLast(row, position: position, among: column, of: other, in: table)
        }
        return isNew
    }

    /// Removes a link, and records rows without a primary key that may no longer be contained in
    /// any row.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - row: The row that has the relationship.
    ///   - other: The linked row.
    /// - Returns: False if the link was added locally, and stays.
    /// - Throws: `DatabaseError`.
    @discardableResult
    package func unlink(
        _ relationship: RelationshipLayout,
        of row: Int64,
        from other: Int64
    ) throws -> Bool {
        if let linkConflicts {
            let link = StoredLink(relationship, of: row, to: other)
            guard try linkConflicts.mayRemove(link) else { return false }
        }
        try recordUnlinked(relationship, of: row, from: other)
        try removeLink(relationship, of: row, to: other)
        return true
    }

    /// Removes a link without recording rows that may no longer be contained in any row.
    func removeLink(
        _ relationship: RelationshipLayout,
        of row: Int64,
        to other: Int64
    ) throws {
        switch relationship.storage {
        case .column(let column):
            try setReference(column, in: relationship.table, of: row, to: nil)
            if layout.isOwnInverse(relationship) {
                try setReference(column, in: relationship.table, of: other, to: nil)
            }
        case .inverse(let table, let column, _):
            try setReference(column, in: table, of: other, to: nil)
        case .join(let join, let side):
            try removePair(from: join, side: side, of: row, with: other)
        }
    }

    /// Replaces the links of a row, in the given order if the relationship is ordered.
    ///
    /// Only differences are written.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - row: The number of the row that has the relationship.
    ///   - others: The numbers of the rows to link to.
    ///   - positions: The positions of the rows, if they are not 0, 1, 2 and so on. A list may have
    ///     gaps for unresolved references.
    ///   - isKept: Whether a row that is linked, but not among `others`, stays linked.
    /// - Returns: Whether any link changed, and the rows that are no longer linked.
    /// - Throws: `DatabaseError`.
    package func replaceLinks(
        _ relationship: RelationshipLayout,
        of row: Int64,
        with others: [Int64],
        at positions: [Int64]? = nil,
        keeping isKept: (Int64) throws -> Bool = { _ in false }
    ) throws -> (changed: Bool, removed: [Int64]) {
        try linkConflicts?.confirm(relationship, of: row, in: others)
        // Most lists of a repeated import are unchanged, which is found without building a set.
        if positions == nil, try hasLinks(relationship, of: row, toJust: others),
            try !hasUnplaced(relationship, of: row)
        {
            return (false, [])
        }
        let before = try linked(relationship, of: row)
        let wanted = Set(others)
        let removed = try before.filter { other in
            guard try !wanted.contains(other) && !isKept(other) else { return false }
            return try unlink(relationship, of: row, from: other)
        }
        var changed = !removed.isEmpty
        for (index, other) in others.enumerated() {
            let position = positions?[index] ?? Int64(index)
            let isNew = try link(relationship, of: row, to: other, at: position)
            let isMoved = try !isNew && put(other, at: position, in: relationship, of: row)
            changed = changed || isNew || isMoved
        }
        return (changed, removed)
    }

    // MARK: References

    /// Writes a reference; if it is unique, removes it from the row that had it before.
    ///
    /// Returns false if the row has the reference already, or another one that was set locally.
    @discardableResult
    func setReference(
        _ column: Int,
        in table: Int,
        of row: Int64,
        to other: Int64?
    ) throws -> Bool {
        if let linkConflicts, let other {
            let link = StoredLink(place: .column(column, table: table), row: row, other: other)
            guard try linkConflicts.mayAdd(link) else { return false }
        }
        guard case .reference(let reference) = layout.tables[table].columns[column].content else {
            return false
        }
        var replaced: Int64?
        if let other {
            // The unique index would reject a second reference to the same row.
            if reference.isUnique { try clear(column, in: table, holding: other, except: row) }
            if try mayLinkKeyless(column, in: table) {
                replaced = try self.reference(column, in: table, of: row)
            }
        }
        // IS NOT compares NULL as well. An equal value is not written, so no row changes.
        let update = try statement(
            for: .setReference(table: table, column: column),
            sql: """
                UPDATE \(name(of: table)) SET \(name(of: column, in: table)) = ?1 \
                WHERE _id = ?2 AND \(name(of: column, in: table)) IS NOT ?1
                """
        )
        update.bind(other.map(StoredValue.integer) ?? .null, at: 1)
        update.bind(row, at: 2)
        try update.run()
        guard db.changesCount > 0 else { return false }
        recordUpdate(of: row, column, in: table)
        if let replaced { try recordUnlinked(row, from: replaced, column: column, in: table) }
        if layout.tables[table].keys.contains(where: { $0.contains(column) }) {
            recordKeyChange(of: row, in: table)
        }
        return true
    }

    private func clear(
        _ column: Int,
        in table: Int,
        holding other: Int64,
        except row: Int64
    ) throws {
        let holders = try statement(
            for: .holders(table: table, column: column),
            sql: """
                SELECT _id FROM \(name(of: table)) \
                WHERE \(name(of: column, in: table)) = ? AND _id <> ?
                """
        )
        holders.bind(other, at: 1)
        holders.bind(row, at: 2)
        let holder = try holders.step() ? holders.integer(at: 0) : nil
        holders.reset()
        if let holder {
            let known = try linkConflicts?.willTake(
                StoredLink(place: .column(column, table: table), row: holder, other: other)
            )
            try recordUnlinked(holder, from: other, column: column, in: table)
            try setReference(column, in: table, of: holder, to: known ?? nil)
        }
    }

    /// Returns the row that a column refers to.
    private func reference(_ column: Int, in table: Int, of row: Int64) throws -> Int64? {
        let find = try statement(
            "SELECT \(name(of: column, in: table)) FROM \(name(of: table)) WHERE _id = ?"
        )
        find.bind(row, at: 1)
        defer { find.reset() }
        return try find.step() && !find.isNull(at: 0) ? find.integer(at: 0) : nil
    }

    func recordUpdate(of row: Int64, _ column: Int, in table: Int) {
        var columns = ColumnMask()
        columns.insert(column)
        changes(in: table).update(row, columns: columns)
    }

    // MARK: Pairs

    private func addPair(
        to index: Int,
        side: JoinSide,
        of row: Int64,
        with other: Int64,
        at position: Int64?
    ) throws -> Bool {
        let join = layout.joins[index]
        let pair = side.pair(of: row, with: other)
        let position = join.positionColumn(side) == nil ? nil : position
        if let linkConflicts {
            let link = StoredLink(place: .pairs(index), row: pair.owner, other: pair.member)
            guard try linkConflicts.mayAdd(link) else { return false }
        }
        let placed = position == nil ? nil : side
        let insert = try statement(
            for: .addPair(index, placed: placed),
            sql: join.insertionSQL(placed: placed)
        )
        insert.bind(pair.owner, at: 1)
        insert.bind(pair.member, at: 2)
        if let position { insert.bind(position, at: 3) }
        try insert.run()
        guard db.changesCount > 0 else { return false }
        changes.table(join.name).inserted.insert(db.lastInsertedRowID)
        return true
    }

    private func removePair(
        from index: Int,
        side: JoinSide,
        of row: Int64,
        with other: Int64
    ) throws {
        let join = layout.joins[index]
        let pair = side.pair(of: row, with: other)
        let delete = try statement(
            for: .removePair(index),
            sql: """
                DELETE FROM \(join.name.quotedDatabaseIdentifier) WHERE owner = ? AND member = ? \
                RETURNING _id
                """
        )
        delete.bind(pair.owner, at: 1)
        delete.bind(pair.member, at: 2)
        while try delete.step() {
            changes.table(join.name).deleted.insert(delete.integer(at: 0))
        }
        delete.reset()
    }
}

extension JoinLayout {
    /// Returns the statement that inserts a pair, with a bound position on the given side.
    ///
    /// On other sides with an order, the pair is appended. Searching the last position for each
    /// pair of a long list would take quadratic time.
    fileprivate func insertionSQL(placed side: JoinSide?) -> String {
        let table = name.quotedDatabaseIdentifier
        func next(_ position: String, among end: String) -> String {
            "(SELECT coalesce(max(\(position)), -1) + 1 FROM \(table) WHERE \(end))"
        }
        var position = isOrdered ? next("position", among: "owner = ?1") : "NULL"
        var inverse = isInverseOrdered ? next("inversePosition", among: "member = ?2") : "NULL"
        if side == .owner { position = "?3" }
        if side == .member { inverse = "?3" }
        return """
            INSERT INTO \(table) (owner, member, position, inversePosition) \
            VALUES (?1, ?2, \(position), \(inverse)) ON CONFLICT DO NOTHING
            """
    }
}
