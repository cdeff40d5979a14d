import GRDB
import TidemarkModel
import TidemarkStore

/// The changes that others wait for, wherever they are in the outbox.
extension StoreReader {
    /// Returns the numbers of the changes that each of some changes has to wait for.
    ///
    /// A ``PushPlan`` finds the same order among the changes that it contains.
    ///
    /// - Parameter changes: The changes.
    /// - Returns: The numbers of those before a change, by the number of the change.
    /// - Throws: `DatabaseError`.
    func predecessors(of changes: [PlannedChange]) throws -> [Int64: Set<Int64>] {
        var found: [Int64: Set<Int64>] = [:]
        for change in changes {
            var rows = change.isFrozen ? [] : try numbers(of: change.row, where: "frozen = 1")
            for reference in change.references where change.kind != .delete {
                rows += try numbers(of: reference.row, where: "kind = 'create'")
            }
            for number in rows where number != change.number {
                found[change.number, default: []].insert(number)
            }
        }
        let deletions = Dictionary(grouping: changes.filter { $0.kind == .delete }, by: \.row.table)
        for (table, changes) in deletions {
            for (change, number) in try unlinking(changes, in: table) where number != change {
                found[change, default: []].insert(number)
            }
        }
        let created = Dictionary(
            grouping: changes.filter { $0.kind == .create && $0.key != nil },
            by: \.row.table
        )
        for (table, changes) in created {
            // An open deletion of the same key would have become an update of the new row.
            let deleted = try Int64.fetchSet(
                db.cachedStatement(
                    sql: """
                        SELECT _id FROM _tidemark_change \
                        WHERE tree = ? AND kind = 'delete' AND frozen = 1
                        """
                ),
                arguments: [table]
            )
            guard !deleted.isEmpty else { continue }
            for change in changes { found[change.number, default: []].formUnion(deleted) }
        }
        return found
    }

    /// Returns the numbers of a row's changes that satisfy a condition.
    private func numbers(of row: PlannedChange.Row, where condition: String) throws -> [Int64] {
        try Int64.fetchAll(
            db.cachedStatement(
                sql: "SELECT _id FROM _tidemark_change WHERE tree = ? AND row = ? AND \(condition)"
            ),
            arguments: [row.table, row.number]
        )
    }

    /// Returns the changes that remove links to deleted rows, each with the deletion.
    private func unlinking(
        _ deletions: [PlannedChange],
        in table: String
    ) throws -> [(deletion: Int64, change: Int64)] {
        let byRow = Dictionary(
            deletions.map { ($0.row.number, $0.number) },
            uniquingKeysWith: { first, _ in first }
        )
        let rows = byRow.keys.map(String.init).joined(separator: ", ")
        let relationships = layout.relationships.values.filter {
            layout.tables[layout.entities[$0.destination].table].name == table
        }
        var found: [(deletion: Int64, change: Int64)] = []
        for relationship in relationships {
            let source = layout.tables[relationship.table]
            let (property, row, condition) =
                switch relationship.storage {
                case .column(let column): (source.columns[column].name, "value", "kind <> 'create'")
                case .inverse, .join:
                    (relationship.identifier, "member", "kind = 'update' AND b.value = 1")
                }
            // CROSS JOIN: base values are found by change, for which there is an index.
            let pairs = try Row.fetchAll(
                db,
                sql: """
                    SELECT b.\(row), c._id FROM _tidemark_change c \
                    CROSS JOIN _tidemark_base b ON b.change = c._id AND b.property = ? \
                    WHERE c.tree = ? AND c.\(condition) AND b.\(row) IN (\(rows))
                    """,
                arguments: [property, source.name]
            )
            for pair in pairs {
                guard let number = Int64.fromDatabaseValue(pair[0]), let deletion = byRow[number]
                else { continue }
                found.append((deletion, pair[1]))
            }
        }
        return found
    }
}
