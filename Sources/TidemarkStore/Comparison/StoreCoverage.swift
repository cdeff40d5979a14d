package import TidemarkModel

/// Which values of which rows the documents of a service contain.
///
/// An import leaves unchanged what an object lacks, and what it cannot accept. A copy of a store
/// into which everything was imported again therefore still has values that the service does not
/// send any more. A comparison with a coverage does not take those from the copy: a value that no
/// document contained counts as what a new row would have, and a link as missing. The union over
/// all documents counts, in whatever order they came.
///
/// Not judged are rows that no document contains, such as local ones, and properties that are
/// marked as not exportable and that no document contains: they are local too. Nor are links to
/// an entity of which no document contains an object.
///
/// Memory grows by a bit for each value.
///
/// Why unchecked: it is written in the transactions of one store, which run one at a time, and is
/// read when these have ended.
package final class StoreCoverage: @unchecked Sendable {
    /// What the documents contain of the rows of each table.
    private let tables: [Table]

    /// The rows whose links the documents contain, by relationship.
    private var lists: [String: RowSet] = [:]

    /// What a new row has, by entity and column; null where nothing is listed.
    private let defaults: [[Int: Value]]

    private let layout: StoreLayout

    private struct Table {
        /// The rows that a document contains.
        let rows = RowSet()
        /// The rows that are left alone although a document contains them.
        let exempt = RowSet()
        /// For each column: the rows whose value a document contains.
        let columns: [RowSet]
    }

    /// Creates a coverage of nothing.
    ///
    /// - Parameters:
    ///   - layout: The layout of the store.
    ///   - defaults: For each entity of the layout: what a new row has in which column.
    package init(_ layout: StoreLayout, defaults: [[Int: Value]]) {
        self.layout = layout
        self.defaults = defaults
        tables = layout.tables.map { Table(columns: $0.columns.map { _ in RowSet() }) }
    }

    // MARK: Recording

    /// Records that a document contains a row.
    package func add(_ row: Int64, in table: Int) {
        tables[table].rows.insert(row)
    }

    /// Records that a document contains a row whose values are not taken from it.
    package func exempt(_ row: Int64, in table: Int) {
        tables[table].exempt.insert(row)
    }

    /// Records that a document contains the value of a row's column.
    package func add(_ column: Int, of row: Int64, in table: Int) {
        tables[table].columns[column].insert(row)
    }

    /// Records that a document contains the links of a row in a relationship.
    ///
    /// - Parameters:
    ///   - relationship: The relationship, seen from the row.
    ///   - row: The row's number.
    ///   - others: The rows that it is linked to.
    package func add(
        _ relationship: RelationshipLayout,
        of row: Int64,
        to others: some Sequence<Int64>
    ) {
        switch relationship.storage {
        case .column(let column):
            add(column, of: row, in: relationship.table)
            guard layout.isOwnInverse(relationship) else { return }
            for other in others { add(column, of: other, in: relationship.table) }
        case .inverse(let table, let column, _):
            for other in others { add(column, of: other, in: table) }
        case .join:
            let rows = lists[relationship.identifier] ?? RowSet()
            rows.insert(row)
            lists[relationship.identifier] = rows
        }
    }
}

// MARK: - What no document contained

extension StoreCoverage {
    /// What a row would have, as a new one, in the columns whose values no document contained.
    ///
    /// - Parameters:
    ///   - row: The row's number.
    ///   - entity: Its entity.
    ///   - reference: Returns the row that a column refers to.
    /// - Returns: The values by column; those that are contained, or not judged, are left out.
    func missing(
        of row: Int64,
        _ entity: EntityLayout,
        reference: (Int) -> Int64?
    ) -> [Int: Value] {
        let table = tables[entity.table]
        guard !table.exempt.contains(row) else { return [:] }
        let isContained = table.rows.contains(row)
        var missing: [Int: Value] = [:]
        if isContained, let defaults = layout.index(of: entity.name).map({ self.defaults[$0] }) {
            for attribute in entity.attributes
            where !entity.key.contains(attribute.column)
                && !table.columns[attribute.column].contains(row)
                && (attribute.attribute.isExportable || table.columns[attribute.column].count > 0)
            {
                missing[attribute.column] = defaults[attribute.column] ?? .null
            }
        }
        for relationship in entity.relationships {
            guard case .column(let column) = relationship.storage,
                !table.columns[column].contains(row), let other = reference(column),
                isJudged(relationship, of: row, isContained, to: other)
            else { continue }
            missing[column] = .null
        }
        return missing
    }

    /// Whether a reference that no document contained would have been in one: in that of the row
    /// itself, or in that of the row which it leads to.
    private func isJudged(
        _ relationship: RelationshipLayout,
        of row: Int64,
        _ isContained: Bool,
        to other: Int64
    ) -> Bool {
        let destination = layout.entities[relationship.destination]
        let others = tables[destination.table]
        guard !others.exempt.contains(other) else { return false }
        if isContained, isImported(relationship), isKnown(destination) { return true }
        guard let inverse = layout.inverse(of: relationship), isImported(inverse) else {
            return false
        }
        return others.rows.contains(other) && isKnown(layout.entities[inverse.destination])
    }

    /// Whether documents contain objects of an entity, or might inside of others.
    private func isKnown(_ entity: EntityLayout) -> Bool {
        tables[entity.table].rows.count > 0 || entity.key.isEmpty
    }

    /// Whether a relationship is not a local one.
    private func isImported(_ relationship: RelationshipLayout) -> Bool {
        guard !relationship.relationship.isExportable else { return true }
        return switch relationship.storage {
        case .column(let column): tables[relationship.table].columns[column].count > 0
        case .inverse(let table, let column, _): tables[table].columns[column].count > 0
        case .join: lists[relationship.identifier] != nil
        }
    }

    /// Whether the link of two rows, which a table of pairs has, is in no document, although it
    /// would be in one.
    ///
    /// - Parameters:
    ///   - relationships: The relationships whose pairs the table has.
    ///   - owner: The row in its column `owner`.
    ///   - member: The row in its column `member`.
    /// - Returns: Whether it is; false where neither row is judged.
    func isMissing(
        _ relationships: [RelationshipLayout],
        _ owner: Int64,
        _ member: Int64
    ) -> Bool {
        var isJudged = false
        for relationship in relationships {
            guard case .join(_, let side) = relationship.storage else { continue }
            let rows =
                switch side {
                case .owner: [(owner, member)]
                case .member: [(member, owner)]
                case .either: [(owner, member), (member, owner)]
                }
            let destination = layout.entities[relationship.destination]
            for (row, other) in rows {
                if lists[relationship.identifier]?.contains(row) == true
                    || tables[relationship.table].exempt.contains(row)
                    || tables[destination.table].exempt.contains(other)
                {
                    return false
                }
                isJudged =
                    isJudged
                    || tables[relationship.table].rows.contains(row)
                        && isImported(relationship) && isKnown(destination)
            }
        }
        return isJudged
    }
}
