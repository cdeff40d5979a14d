package import TidemarkModel

/// The values of rows that the documents of a service contain.
///
/// An import leaves unchanged what an object lacks and what it cannot accept. A copy of a store
/// into which everything was imported again therefore still has values that the service no longer
/// sends. A comparison with a coverage does not take those from the copy: a value that no document
/// contained counts as that of a new row, and a link as missing. The union of all documents counts,
/// in any order.
///
/// Rows that no document contains, such as local ones, are not compared. Neither are properties
/// that are marked as not exportable and that no document contains, which are local too, nor links
/// to an entity of which no document contains an object.
///
/// It takes one bit of memory for each value.
///
/// `Sendable` is unchecked: a coverage is written in the transactions of one store, which are
/// serialized, and is read when these have ended.
package final class StoreCoverage: @unchecked Sendable {
    /// The rows and values of each table that documents contain.
    private let tables: [Table]

    /// The rows whose lists of links documents contain, by relationship; for join tables only.
    private var lists: [String: RowSet] = [:]

    /// The values of a new row, by entity and column; null if none is listed.
    private let defaults: [[Int: Value]]

    private let layout: StoreLayout

    private struct Table {
        /// The rows that a document contains.
        let rows = RowSet()
        /// The rows that are not compared although a document contains them.
        let exempt = RowSet()
        /// The rows whose value a document contains, by column.
        let columns: [RowSet]
    }

    /// Creates an empty coverage.
    ///
    /// - Parameters:
    ///   - layout: The layout of the store.
    ///   - defaults: The values of a new row by column, for each entity of the layout.
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

    /// Records that a document contains a row that the import leaves unchanged.
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
            // Both rows of the link have a column that refers to the other.
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

// MARK: - Missing values and links

extension StoreCoverage {
    /// Returns the values of a new row for the columns that no document contained.
    ///
    /// - Parameters:
    ///   - row: The row's number.
    ///   - entity: The row's entity.
    ///   - reference: Returns the row that a column refers to.
    /// - Returns: The values by column, without those that are contained or not compared.
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
            // Keys are not compared: a row with another key would be another row.
            for attribute in entity.attributes
            where !entity.key.contains(attribute.column)
                && !table.columns[attribute.column].contains(row)
                && (attribute.attribute.json.isExportable
                    || table.columns[attribute.column].count > 0)
            {
                missing[attribute.column] = defaults[attribute.column] ?? .null
            }
        }
        for relationship in entity.relationships {
            guard case .column(let column) = relationship.storage,
                !table.columns[column].contains(row), let other = reference(column),
                isJudged(relationship, of: row, isContained: isContained, to: other)
            else { continue }
            missing[column] = .null
        }
        return missing
    }

    /// Returns whether a reference that no document contained would be in one: in that of the row
    /// itself, or in that of the row that it refers to.
    private func isJudged(
        _ relationship: RelationshipLayout,
        of row: Int64,
        isContained: Bool,
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

    /// Returns whether documents contain objects of an entity, or may contain them within others.
    private func isKnown(_ entity: EntityLayout) -> Bool {
        tables[entity.table].rows.count > 0 || entity.key.isEmpty
    }

    /// Returns whether a relationship belongs to the service: it is exportable, or a document
    /// contains links of it.
    private func isImported(_ relationship: RelationshipLayout) -> Bool {
        guard !relationship.relationship.json.isExportable else { return true }
        return switch relationship.storage {
        case .column(let column): tables[relationship.table].columns[column].count > 0
        case .inverse(let table, let column, _): tables[table].columns[column].count > 0
        case .join: lists[relationship.identifier] != nil
        }
    }

    /// Returns whether a link in a join table is missing from all documents although one should
    /// contain it.
    ///
    /// - Parameters:
    ///   - relationships: The relationships whose links the table stores.
    ///   - owner: The row in the column `owner`.
    ///   - member: The row in the column `member`.
    /// - Returns: Whether it is missing; false if neither row is compared.
    func isMissing(
        _ relationships: [RelationshipLayout],
        owner: Int64,
        member: Int64
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
                // The import has set a list that a document contains, so the copy has exactly its
                // links.
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
