package import GRDB
import TidemarkModel

/// The order of a row's links, as former values and conflict records contain it.
///
/// Both sides may have rows that the other one lacks, so that two orders are compared by the rows
/// that they have in common: whether a row is in the list is a property of its own.
package struct ListOrder: Sendable, Hashable {
    /// The numbers of the linked rows.
    package let rows: [Int64]

    /// The member of the property: see ``CapturePlan``.
    package static let member: Int64 = -1

    package init(_ rows: [Int64]) {
        self.rows = rows
    }

    /// Reads an order as it is stored; nil for any other value.
    package init?(_ value: DatabaseValue) {
        guard let text = String.fromDatabaseValue(value) else { return nil }
        rows = text.split(separator: ",").compactMap { Int64($0) }
    }

    /// The order as it is stored.
    package var databaseValue: DatabaseValue {
        rows.map(String.init).joined(separator: ",").databaseValue
    }

    /// Returns whether the rows that both lists have are in the same order.
    package func agrees(with other: ListOrder) -> Bool {
        let (own, others) = (Set(rows), Set(other.rows))
        return rows.filter(others.contains) == other.rows.filter(own.contains)
    }
}

extension AcknowledgedChange.Property {
    /// The order of a list.
    package static func order(of relationship: RelationshipLayout) -> Self {
        Self(relationship.identifier, member: ListOrder.member)
    }
}

extension StoreLayout {
    /// Returns the column that orders the links of a relationship, as a base value names it; nil if
    /// they have no order.
    func orderColumn(of relationship: RelationshipLayout) -> String? {
        switch relationship.storage {
        case .column, .inverse(_, _, nil): nil
        case .inverse(let table, _, let position?): tables[table].columns[position].name
        case .join(let join, let side): joins[join].positionColumn(side)
        }
    }
}

extension StoreReader {
    /// Returns the order that the links of a row had before changes of the row.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - row: The row.
    ///   - changes: The changes, the oldest first.
    /// - Returns: The order; nil if the links have none.
    /// - Throws: `DatabaseError`.
    package func order(
        of relationship: RelationshipLayout,
        of row: Int64,
        before changes: [CapturedChange]
    ) throws -> ListOrder? {
        guard let column = layout.orderColumn(of: relationship),
            var positions = try positions(of: relationship, of: row)
        else { return nil }
        // The base values of the oldest change are the last that count.
        for change in changes.reversed() {
            for base in change.base {
                guard base.property == .position(of: relationship.identifier, column: column)
                else { continue }
                positions.updateValue(Int64.fromDatabaseValue(base.value), forKey: base.member)
            }
            for base in change.base where base.member > 0 {
                guard base.property == .links(relationship.identifier) else { continue }
                if base.value != 1.databaseValue {
                    positions.removeValue(forKey: base.member)
                } else if positions[base.member] == nil {
                    positions.updateValue(nil, forKey: base.member)
                }
            }
        }
        let sorted = positions.sorted { one, other in
            let (first, second) = (one.value ?? .max, other.value ?? .max)
            return (first, one.key) < (second, other.key)
        }
        return ListOrder(sorted.map(\.key))
    }

    /// Returns the positions of the rows that a row is linked to; nil if they have none.
    private func positions(
        of relationship: RelationshipLayout,
        of row: Int64
    ) throws -> [Int64: Int64?]? {
        let sql: String
        switch relationship.storage {
        case .column, .inverse(_, _, nil):
            return nil
        case .inverse(let table, let column, let position?):
            sql = """
                SELECT _id, \(layout.name(of: position, in: table)) \
                FROM \(layout.name(of: table)) WHERE \(layout.name(of: column, in: table)) = ?
                """
        case .join(let index, let side):
            let join = layout.joins[index]
            guard let position = join.positionColumn(side) else { return nil }
            sql = """
                SELECT \(side.otherColumn), \(position) \
                FROM \(join.name.quotedDatabaseIdentifier) WHERE \(side.ownColumn) = ?
                """
        }
        let rows = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [row])
        return Dictionary(
            rows.map { ($0[0] as Int64, $0[1] as Int64?) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Returns the orders that the service had of a row's lists before a change was sent, if the
    /// change has sent others.
    ///
    /// - Parameters:
    ///   - change: The change, which is still in the outbox.
    ///   - later: The change with the edits since its request was stored; nil without any.
    /// - Returns: The former values.
    /// - Throws: `StoreError`, `DatabaseError`.
    package func formerOrders(
        of change: CapturedChange,
        before later: CapturedChange?
    ) throws -> [AcknowledgedChange.Property: [DatabaseValue]] {
        guard change.kind == .update, later?.kind != .delete else { return [:] }
        let since = [later].compactMap(\.self)
        var formers: [AcknowledgedChange.Property: [DatabaseValue]] = [:]
        for base in change.base where base.member == ListOrder.member {
            guard case .links(let identifier) = base.property,
                let relationship = layout.relationships[identifier],
                !layout.entities[relationship.destination].key.isEmpty,
                let sent = try order(of: relationship, of: change.row.number, before: since),
                let former = try order(
                    of: relationship,
                    of: change.row.number,
                    before: [change] + since
                ),
                !former.agrees(with: sent)
            else { continue }
            formers[.order(of: relationship)] = [former.databaseValue]
        }
        return formers
    }
}

extension UnpushedRows {
    /// Returns the order of a row's links without the edits that were not pushed yet; nil if the
    /// links have none.
    package func sentOrder(
        of relationship: RelationshipLayout,
        of row: Int64
    ) throws -> ListOrder? {
        let changes = try changes(of: row, in: relationship.table)
        let numbers = [changes?.frozen, changes?.open].compactMap(\.self)
        let reader = StoreReader(db, layout: layout)
        let edits = numbers.isEmpty ? [] : try reader.capturedChanges(numbers)
        return try reader.order(of: relationship, of: row, before: edits)
    }

    /// Records the order that the service has of a row's links, which the local one replaces when
    /// it is pushed.
    ///
    /// - Parameters:
    ///   - order: The order.
    ///   - relationship: The relationship.
    ///   - change: The change with the local order.
    /// - Throws: `DatabaseError`.
    package func setBase(
        _ order: ListOrder,
        of relationship: RelationshipLayout,
        in change: Int64
    ) throws {
        guard let property = try dropPositions(of: relationship, in: change) else { return }
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_base (change, property, member, value) VALUES (?, ?, ?, ?)
                """
        )
        for (position, row) in order.rows.enumerated() {
            try insert.execute(arguments: [change, property, row, position])
        }
    }

    /// Records that the links of a row have the order of the service.
    package func dropOrder(of relationship: RelationshipLayout, in change: Int64) throws {
        _ = try dropPositions(of: relationship, in: change)
        try dropBase(of: relationship.identifier, member: ListOrder.member, in: change)
    }

    /// Removes the base values of positions, and returns the property that they have.
    private func dropPositions(
        of relationship: RelationshipLayout,
        in change: Int64
    ) throws -> String? {
        guard let column = layout.orderColumn(of: relationship) else { return nil }
        let property = CapturedProperty.position(of: relationship.identifier, column: column).text
        try db.cachedStatement(sql: "DELETE FROM _tidemark_base WHERE change = ? AND property = ?")
            .execute(arguments: [change, property])
        return property
    }
}

extension StoreWriter {
    /// Puts the links of a row into an order; those that it does not name come last.
    package func arrange(
        _ relationship: RelationshipLayout,
        of row: Int64,
        like order: ListOrder
    ) throws {
        let linked = try linked(relationship, of: row)
        let (stored, named) = (Set(linked), Set(order.rows))
        let rows = order.rows.filter(stored.contains) + linked.filter { !named.contains($0) }
        for (position, other) in rows.enumerated() {
            try put(other, at: Int64(position), in: relationship, of: row)
        }
    }
}
