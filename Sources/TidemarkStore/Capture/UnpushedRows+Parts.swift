import GRDB
import TidemarkModel

/// The base values of contained rows that were changed locally.
extension UnpushedRows {
    /// Removes the base values of the rows that a relationship contains, because they are those of
    /// the service.
    ///
    /// - Parameters:
    ///   - relationship: A relationship to an entity without a primary key.
    ///   - change: The number of the change.
    ///   - versions: The contained rows in all versions.
    /// - Throws: `DatabaseError`.
    package func dropParts(
        _ relationship: RelationshipLayout,
        in change: Int64,
        of versions: [StoredParts]
    ) throws {
        let rows = versions.reduce(into: Set<TableRow>()) { $0.formUnion($1.rows) }
        let stored = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT property, member FROM _tidemark_base WHERE change = ?"
            ),
            arguments: [change]
        )
        for base in stored {
            let (name, member): (String, Int64) = (base[0], base[1])
            let property = CapturedProperty(name)
            guard isPart(property, member, of: relationship, among: rows) else { continue }
            try dropBase(of: name, member: member, in: change)
        }
    }

    private func isPart(
        _ property: CapturedProperty,
        _ member: Int64,
        of relationship: RelationshipLayout,
        among rows: Set<TableRow>
    ) -> Bool {
        switch property {
        case .column(let name):
            guard case .column(let column) = relationship.storage else { return false }
            return layout.tables[relationship.table].columns[column].name == name
        case .links(let identifier), .position(of: let identifier, column: _):
            if identifier == relationship.identifier { return true }
            guard let nested = layout.relationships[identifier], layout.isNested(nested) else {
                return false
            }
            let table = layout.entities[nested.destination].table
            return rows.contains(TableRow(table: table, number: member))
        case .part(let name, column: _):
            guard let table = layout.tables.firstIndex(where: { $0.name == name }) else {
                return false
            }
            return rows.contains(TableRow(table: table, number: member))
        case .ofPart(let part, .links(let identifier)),
            .ofPart(let part, .position(of: let identifier, column: _)):
            guard let table = layout.relationships[identifier]?.table else { return false }
            return rows.contains(TableRow(table: table, number: part))
        case .ofPart: return false
        }
    }
}
