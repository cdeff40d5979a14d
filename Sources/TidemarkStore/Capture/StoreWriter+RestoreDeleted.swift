import GRDB
import TidemarkModel

/// Rows that were deleted locally, and that the service has changed since.
extension StoreWriter {
    /// Restores a row that was deleted locally.
    ///
    /// Links to rows that were deleted locally as well stay removed, which is then a local change
    /// of the row: their deletion is still to be pushed.
    ///
    /// - Parameter deletion: The deletion, which may be restored: see ``mayRestore(_:)``.
    /// - Throws: `StoreError`, `DatabaseError`.
    package func restore(_ deletion: CapturedChange) throws {
        let table = layout.tables[deletion.table]
        let removed = try deletion.base.filter { try isOfDeletedRow($0, in: table) }
        // The position in a list belongs to the link.
        let links = Set(removed.compactMap(\.link))
        func isLeft(_ base: BaseValue) -> Bool {
            removed.contains(base) || base.link.map(links.contains) == true
        }
        var restored = deletion
        restored.base.removeAll(where: isLeft)
        try discard([restored])
        guard !removed.isEmpty else { return }
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_change (tree, row, entity, kind) VALUES (?, ?, ?, 'update')
                """
        ).execute(arguments: [
            layout.tables[deletion.table].name, deletion.row.number, deletion.row.entity,
        ])
        let change = db.lastInsertedRowID
        for base in deletion.base where isLeft(base) {
            try db.cachedStatement(
                sql: """
                    INSERT INTO _tidemark_base (change, property, member, value) \
                    VALUES (?, ?, ?, ?)
                    """
            ).execute(arguments: [change, base.property.text, base.member, base.value])
        }
    }

    /// Returns whether a row that was deleted locally can exist again: not if another one that was
    /// deleted locally, too, is part of its primary key.
    package func mayRestore(_ deletion: CapturedChange) throws -> Bool {
        let table = layout.tables[deletion.table]
        let key = try layout.entity(deletion.row.entity).key.map { table.columns[$0].name }
        return try !deletion.base.contains { base in
            guard case .column(let name) = base.property, key.contains(name) else { return false }
            return try isOfDeletedRow(base, in: table)
        }
    }

    private func isOfDeletedRow(_ base: BaseValue, in table: TableLayout) throws -> Bool {
        switch base.property {
        case .column(let name):
            guard case .reference(let reference)? = table.column(named: name)?.content,
                let row = Int64.fromDatabaseValue(base.value)
            else { return false }
            return try isDeleted(row, in: reference.table)
        case .links(let identifier):
            guard base.value == 1.databaseValue, base.member > 0,
                let relationship = layout.relationships[identifier]
            else { return false }
            let destination = layout.entities[relationship.destination]
            return try isDeleted(base.member, in: layout.tables[destination.table].name)
        case .position, .part, .ofPart:
            return false
        }
    }

    /// Returns whether the deletion of a row was not pushed yet.
    func isDeleted(_ row: Int64, in table: String) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT 1 FROM _tidemark_change WHERE tree = ? AND row = ? AND kind = 'delete'
                    """
            ),
            arguments: [table, row]
        ) != nil
    }
}

extension BaseValue {
    /// The link that the value is about, by its relationship and member; nil without one.
    fileprivate var link: Link? {
        switch property {
        case .links(let identifier), .position(let identifier, _):
            Link(relationship: identifier, member: member)
        case .column, .part, .ofPart: nil
        }
    }

    fileprivate struct Link: Hashable {
        let relationship: String
        let member: Int64
    }
}
