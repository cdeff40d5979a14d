import GRDB
import TidemarkModel
import TidemarkStore

/// The changes that others wait for, wherever they are in the outbox.
extension StoreReader {
    /// Returns what each of some changes has to wait for.
    ///
    /// A ``PushPlan`` of all changes finds the same order by itself.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - owesLinks: Whether new objects are sent without links to other new ones.
    /// - Returns: The changes before a change, by its number.
    /// - Throws: `DatabaseError`.
    func predecessors(
        of changes: [PlannedChange],
        owingLinks owesLinks: Bool
    ) throws -> [Int64: PushPlan.Predecessors] {
        var found: [Int64: PushPlan.Predecessors] = [:]
        func add(_ others: [Int64], before change: Int64, _ reference: PlannedChange.Reference?) {
            for other in others where other != change {
                found[change, default: [:]].add(other, of: change, because: reference)
            }
        }
        for change in changes {
            if !change.isFrozen {
                let frozen = try numbers(of: change.row, where: "frozen = 1")
                add(frozen, before: change.number, nil)
            }
            for reference in change.references
            where change.kind != .delete && !(owesLinks && reference.mayBeOwed) {
                let creations = try numbers(of: reference.row, where: "kind = 'create'")
                add(creations, before: change.number, reference)
            }
        }
        let deletions = Dictionary(grouping: changes.filter { $0.kind == .delete }, by: \.row.table)
        for (table, changes) in deletions {
            for (deletion, change) in try unlinking(changes, in: table) {
                add([change], before: deletion, nil)
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
            for change in changes { add(deleted.sorted(), before: change.number, nil) }
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
