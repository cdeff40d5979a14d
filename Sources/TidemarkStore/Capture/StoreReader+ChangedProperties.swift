import GRDB
import TidemarkModel

extension StoreReader {
    /// Returns the names of the attributes and relationships of a row that differ from what the
    /// service knows.
    ///
    /// A change whose properties all have their former values again has none.
    ///
    /// - Parameter change: An update of the row.
    /// - Returns: The names; none if the row does not exist.
    /// - Throws: `StoreError` if the model lacks the entity; `DatabaseError`.
    package func changedProperties(of change: CapturedChange) throws -> Set<String> {
        let entity = try layout.entity(change.row.entity)
        guard let columns = try changedColumns(of: change, in: entity.table) else { return [] }
        // Few entities contain rows without a key.
        lazy var plan = CapturePlan(layout)
        var changed = entity.properties(ofColumns: columns)
        for base in change.base {
            switch base.property {
            case .column:
                continue
            case .links(let identifier):
                guard let relationship = entity.relationship(identifiedBy: identifier) else {
                    guard try isAdded(base, by: identifier) else { continue }
                    let containing = plan.parts.filter { $0.relationship.identifier == identifier }
                    changed.formUnion(entity.relationships(in: containing))
                    continue
                }
                guard !changed.contains(relationship.relationship.name),
                    try isChanged(relationship, of: change.row.number, base)
                else { continue }
                changed.insert(relationship.relationship.name)
            case .position:
                continue
            case .part(let table, let column):
                guard try isChanged(column, of: base.member, in: table, from: base.value) else {
                    continue
                }
                let containing = plan.parts.filter { layout.tables[$0.table].name == table }
                changed.formUnion(entity.relationships(in: containing))
            case .ofPart(_, let inner):
                if case .position = inner { continue }
                changed.formUnion(entity.relationships(in: plan.parts))
            }
        }
        return changed
    }

    /// Returns the columns of a row whose values, or storage classes, differ from their base
    /// values; nil if the row does not exist.
    private func changedColumns(of change: CapturedChange, in table: Int) throws -> [Int]? {
        var changed: [Int] = []
        var isFound = false
        for base in change.base {
            guard case .column(let name) = base.property,
                let column = layout.tables[table].columns.firstIndex(where: { $0.name == name })
            else { continue }
            let find = try valueStatement(ofColumn: column, in: table)
            find.bind(change.row.number, at: 1)
            defer { find.reset() }
            guard try find.step() else { return nil }
            isFound = true
            if !find.value(at: 0).equals(base.value) { changed.append(column) }
        }
        return try isFound || exists(change.row.number, in: table) ? changed : nil
    }

    /// Returns whether links differ from their base value: see ``CapturePlan``.
    private func isChanged(
        _ relationship: RelationshipLayout,
        of row: Int64,
        _ base: BaseValue
    ) throws -> Bool {
        guard base.member > 0 else {
            guard base.member < -1 else { return true }
            return try Bool.fetchOne(
                db,
                sql: """
                    SELECT NOT EXISTS (SELECT 1 FROM _tidemark_held \
                    WHERE relationship = ? AND owner = ? AND key = ?)
                    """,
                arguments: [relationship.identifier, row, base.value]
            ) ?? true
        }
        let wasLinked = base.value == 1.databaseValue
        return try isLinked(relationship, of: row, to: base.member) != wasLinked
    }

    /// Returns whether a row was added to a list of a contained row.
    ///
    /// That one was removed is known by the base values of its columns.
    private func isAdded(_ base: BaseValue, by identifier: String) throws -> Bool {
        guard base.value != 1.databaseValue, let relationship = layout.relationships[identifier]
        else { return false }
        return try exists(base.member, in: layout.entities[relationship.destination].table)
    }

    private func isChanged(
        _ column: String,
        of part: Int64,
        in table: String,
        from value: DatabaseValue
    ) throws -> Bool {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT \(column.quotedDatabaseIdentifier) \
                    FROM \(table.quotedDatabaseIdentifier) WHERE _id = ?
                    """
            ),
            arguments: [part]
        )
        return row.map { $0[0] as DatabaseValue != value } ?? true
    }
}

extension EntityLayout {
    /// Returns the attributes and relationships whose values some columns store.
    fileprivate func properties(ofColumns columns: [Int]) -> Set<String> {
        var properties: Set<String> = []
        guard !columns.isEmpty else { return properties }
        for attribute in attributes where columns.contains(attribute.column) {
            properties.insert(attribute.attribute.name)
        }
        for relationship in relationships {
            guard case .column(let column) = relationship.storage, columns.contains(column) else {
                continue
            }
            properties.insert(relationship.relationship.name)
        }
        return properties
    }

    fileprivate func relationship(identifiedBy identifier: String) -> RelationshipLayout? {
        relationships.first { $0.identifier == identifier }
    }

    /// Returns the relationships by which rows of the entity contain others, directly or not.
    fileprivate func relationships(in containing: [ContainedRows]) -> [String] {
        let identifiers = Set(containing.compactMap(\.path.first?.identifier))
        return relationships.filter { identifiers.contains($0.identifier) }
            .map(\.relationship.name)
    }
}
