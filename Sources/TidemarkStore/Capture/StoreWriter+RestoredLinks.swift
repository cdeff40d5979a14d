import GRDB
import TidemarkModel

/// The links and contained rows of local changes that are undone.
extension StoreWriter {
    func restoreLinks(of change: CapturedChange) throws {
        try discardAddedReferences(of: change)
        let positions = Dictionary(
            grouping: change.base.compactMap { base -> (Link, (String, DatabaseValue))? in
                guard let (row, property) = base.owner(in: change),
                    case .position(let identifier, let column) = property
                else { return nil }
                return (Link(identifier, row, base.member), (column, base.value))
            },
            by: \.0
        )
        .mapValues { $0.map(\.1) }
        for base in change.base {
            guard let (row, property) = base.owner(in: change),
                case .links(let identifier) = property,
                let relationship = layout.relationships[identifier]
            else { continue }
            // The columns of a row within a contained one say what has contained it.
            if property == base.property, layout.isNested(relationship) { continue }
            if base.member < -1 {
                try restoreUnresolved(base.value, relationship, of: row)
            } else if base.member >= 0 {
                try restore(base, relationship, of: row, in: change)
            }
        }
        for (link, columns) in positions {
            guard let relationship = layout.relationships[link.relationship] else { continue }
            try place(link, columns, in: relationship)
        }
    }

    /// Deletes the unresolved references that a local change has set in to-one relationships.
    ///
    /// In a list they stay until a document contains the list again: which of them were added is
    /// not recorded.
    private func discardAddedReferences(of change: CapturedChange) throws {
        for base in change.base where base.member == -1 {
            guard case .links(let identifier) = base.property,
                let relationship = layout.relationships[identifier],
                !relationship.relationship.isToMany
            else { continue }
            try discardUnresolved(relationship, of: change.row.number)
        }
    }

    private struct Link: Hashable {
        let relationship: String
        let row: Int64
        let member: Int64

        init(_ relationship: String, _ row: Int64, _ member: Int64) {
            self.relationship = relationship
            self.row = row
            self.member = member
        }
    }

    private func restore(
        _ base: BaseValue,
        _ relationship: RelationshipLayout,
        of row: Int64,
        in change: CapturedChange
    ) throws {
        let wasLinked = base.value == 1.databaseValue
        switch relationship.storage {
        case .column:
            break
        case .inverse(let table, let column, _):
            // The linked row itself may have been restored under another parent already.
            let isLinked = try isLinked(relationship, of: row, to: base.member)
            guard isLinked != wasLinked else { return }
            let value = wasLinked ? row.databaseValue : .null
            try assign(
                [(layout.tables[table].columns[column].name, value)],
                to: base.member,
                in: table
            )
        case .join:
            if wasLinked {
                let destination = layout.entities[relationship.destination].table
                guard
                    try expectStored(base.member, in: layout.tables[destination].name, for: change)
                else { return }
                try link(relationship, of: row, to: base.member)
            } else {
                try removeLink(relationship, of: row, to: base.member)
            }
        }
    }

    private func place(
        _ link: Link,
        _ columns: [(String, DatabaseValue)],
        in relationship: RelationshipLayout
    ) throws {
        let list = columns.map { "\($0.0.quotedDatabaseIdentifier) = ?" }.joined(separator: ", ")
        let values = columns.map(\.1)
        switch relationship.storage {
        case .column:
            break
        case .inverse(let table, _, _):
            try assign(columns.map { ($0.0, $0.1) }, to: link.member, in: table)
        case .join(let join, let side):
            let pair = side.pair(of: link.row, with: link.member)
            try db.cachedStatement(
                sql: """
                    UPDATE \(layout.joins[join].name.quotedDatabaseIdentifier) SET \(list) \
                    WHERE owner = ? AND member = ?
                    """
            )
            .execute(
                arguments: StatementArguments(
                    values + [pair.owner.databaseValue, pair.member.databaseValue]
                )
            )
        }
    }

    private func restoreUnresolved(
        _ value: DatabaseValue,
        _ relationship: RelationshipLayout,
        of row: Int64
    ) throws {
        try db.execute(
            sql: """
                INSERT INTO _tidemark_held (relationship, owner, destination, key) \
                VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
                """,
            arguments: [
                relationship.identifier, row, layout.entities[relationship.destination].name, value,
            ]
        )
        anyUnresolved = true
        // The row may have been inserted since, as one that the service has sent.
        let destination = layout.entities[relationship.destination]
        let key = layout.keyExpression(layout.keyExpressions(of: destination, in: "d"))
        let arrived = try Int64.fetchOne(
            db,
            sql: """
                SELECT _id FROM \(name(of: destination.table)) d WHERE \(key) = ?\
                \(destination.familyCondition)
                """,
            arguments: [value]
        )
        if let arrived { recordKeyChange(of: arrived, in: destination.table) }
    }

    // MARK: Contained rows

    /// Restores the values and links of contained rows, and deletes those that were inserted.
    func restoreParts(of changes: [CapturedChange]) throws {
        // A part may have moved from one row to others. The first one has its values before.
        var formers: [TableRow: [String: DatabaseValue]] = [:]
        var deleted: Set<TableRow> = []
        for isMoved in [true, false] {
            for change in changes {
                for (part, values) in change.parts(in: layout) {
                    let origin = change.origin(of: part, in: layout)
                    guard (origin == 2) == isMoved else { continue }
                    formers[part, default: [:]].merge(values) { _, first in first }
                    if origin == 1 { deleted.insert(part) }
                }
            }
        }
        // A part may be inserted before the one that contains it.
        var dangling: [(part: TableRow, values: [(name: String, value: DatabaseValue)])] = []
        for (part, former) in formers {
            let values = former.map { (name: $0.key, value: $0.value) }
            let cleared = try clearingDangling(values, in: part.table)
            if zip(values, cleared).contains(where: { $0.value != $1.value }) {
                dangling.append((part, values))
            }
            if try exists(part.number, in: part.table) {
                try assign(cleared, to: part.number, in: part.table)
            } else if deleted.contains(part) {
                try insert(cleared, as: part.number, in: part.table)
            }
        }
        for (part, values) in dangling where try exists(part.number, in: part.table) {
            try assign(clearingDangling(values, in: part.table), to: part.number, in: part.table)
        }
        for change in changes {
            for base in change.base where base.value == 0.databaseValue && base.member >= 0 {
                guard case .links(let identifier) = base.property,
                    let relationship = layout.relationships[identifier],
                    layout.entities[relationship.destination].key.isEmpty
                else { continue }
                let isNested = layout.isNested(relationship)
                try deletePart(
                    base.member,
                    of: isNested ? nil : change.row.number,
                    by: relationship
                )
            }
        }
    }

    /// Deletes an inserted row that nothing else contains.
    ///
    /// - Parameters:
    ///   - number: The number of the row.
    ///   - row: The row that contains it; nil if another contained row does.
    ///   - relationship: The relationship.
    /// - Throws: `DatabaseError`.
    private func deletePart(
        _ number: Int64,
        of row: Int64?,
        by relationship: RelationshipLayout
    ) throws {
        let part = TableRow(
            table: layout.entities[relationship.destination].table,
            number: number
        )
        if let row {
            guard try isLinked(relationship, of: row, to: number) else { return }
            try removeLink(relationship, of: row, to: number)
        } else {
            guard case .inverse(let table, let column, _) = relationship.storage,
                try exists(number, in: table)
            else { return }
            try assign([(layout.tables[table].columns[column].name, .null)], to: number, in: table)
        }
        guard try !isContained(part) else { return }
        _ = try delete([part.table: [part.number]], isRemembered: false)
    }
}

extension CapturedChange {
    /// Returns the base values of contained rows by their columns.
    fileprivate func parts(in layout: StoreLayout) -> [TableRow: [String: DatabaseValue]] {
        var parts: [TableRow: [String: DatabaseValue]] = [:]
        for base in base {
            guard case .part(let name, let column) = base.property,
                let table = layout.tables.firstIndex(where: { $0.name == name })
            else { continue }
            parts[TableRow(table: table, number: base.member), default: [:]][column] = base.value
        }
        return parts
    }

    /// Returns the base value of the link to a contained row; nil if it is unchanged.
    fileprivate func origin(of part: TableRow, in layout: StoreLayout) -> Int? {
        for base in base where base.member == part.number {
            guard case .links(let identifier)? = base.owner(in: self)?.property,
                let relationship = layout.relationships[identifier],
                layout.entities[relationship.destination].table == part.table
            else { continue }
            return Int.fromDatabaseValue(base.value)
        }
        return nil
    }
}

extension StoreLayout {
    /// Whether only rows without a primary key have a relationship.
    func isNested(_ relationship: RelationshipLayout) -> Bool {
        !entities.contains { entity in
            !entity.key.isEmpty
                && entity.relationships.contains { $0.identifier == relationship.identifier }
        }
    }
}

extension BaseValue {
    /// Returns the row that the property belongs to: that of the change, or one contained in it.
    fileprivate func owner(in change: CapturedChange) -> (row: Int64, property: CapturedProperty)? {
        if case .ofPart(let part, let property) = property { return (part, property) }
        return (change.row.number, property)
    }
}
