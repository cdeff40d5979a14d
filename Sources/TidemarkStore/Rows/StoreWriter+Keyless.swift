import GRDB
import TidemarkModel

/// Rows without a primary key, which exist only as parts of the rows that contain them.
extension StoreWriter {
    /// Returns whether a table may contain rows without a primary key.
    private func mayHaveKeyless(_ table: Int) throws -> Bool {
        try containment.keylessTables.contains(table) || hasKeylessRows(in: table)
    }

    /// Returns whether a row has no primary key: its entity has none, or an import created the row
    /// from an object without a key.
    func isKeyless(_ row: TableRow) throws -> Bool {
        try isOfKeylessEntity(row) || isRecorded(row)
    }

    private func isOfKeylessEntity(_ row: TableRow) throws -> Bool {
        guard containment.keylessTables.contains(row.table) else { return false }
        return try layout.tables[row.table].keys.isEmpty
            || entity(of: row.number, in: row.table)?.key.isEmpty == true
    }

    /// Returns the rows without a primary key that a row links to.
    ///
    /// They are deleted with it unless another row is linked to them.
    ///
    /// If the row itself has a key, rows of entities without a primary key are excluded: the user
    /// may have created them, so only the delete rules apply to them.
    func contents(of row: TableRow) throws -> [TableRow] {
        var contents: [TableRow] = []
        for relationship in containment.contents[row.table] ?? [] {
            let table = layout.entities[relationship.destination].table
            guard try mayHaveKeyless(table) else { continue }
            let isOwnerKeyless = try isKeyless(row)
            guard try isOwnerKeyless || hasKeylessRows(in: table) else { continue }
            for number in try linked(relationship, of: row.number) {
                let linked = TableRow(table: table, number: number)
                if try isRecorded(linked) || isOwnerKeyless && isOfKeylessEntity(linked) {
                    contents.append(linked)
                }
            }
        }
        return contents
    }

    /// Returns whether any row contains a row.
    func isContained(_ row: TableRow) throws -> Bool { try !containers(of: row).isEmpty }

    /// Returns the rows that contain a row: those that link to it, except members of its own list
    /// that are deleted with it.
    private func containers(of row: TableRow) throws -> [TableRow] {
        try (containment.containers[row.table] ?? []).flatMap { relationship in
            try owners(of: relationship, pointingAt: row.number)
                .map { TableRow(table: relationship.table, number: $0) }
        }
    }

    /// Returns the rows without a primary key, among the candidates and the rows that they contain,
    /// that are contained only in each other and in rows to be deleted.
    ///
    /// - Parameters:
    ///   - candidates: Rows without a primary key.
    ///   - doomed: The rows to be deleted, by table.
    /// - Returns: The rows, in no particular order.
    /// - Throws: `DatabaseError`.
    func abandoned(
        _ candidates: [TableRow],
        besides doomed: [Int: RowSet] = [:]
    ) throws -> [TableRow] {
        func stays(_ row: TableRow) -> Bool { doomed[row.table]?.contains(row.number) != true }
        var suspects: Set<TableRow> = []
        var frontier = candidates
        while let row = frontier.popLast() {
            guard stays(row), !suspects.contains(row) else { continue }
            // A row that is contained in one with a key is kept, with everything that it contains.
            // That can be many rows, so they are not read.
            let isKept = try containers(of: row).contains { try stays($0) && !isKeyless($0) }
            guard !isKept else { continue }
            suspects.insert(row)
            frontier += try contents(of: row)
        }
        // Rows contained in a row outside the set are kept, and so is everything that they contain.
        var kept = try suspects.filter { row in
            try containers(of: row).contains { stays($0) && !suspects.contains($0) }
        }
        .map(\.self)
        while let row = kept.popLast() {
            guard suspects.remove(row) != nil else { continue }
            kept += try contents(of: row)
        }
        return Array(suspects)
    }
}

/// Removed links.
///
/// Every function that removes a link records the rows without a primary key at its ends, so that
/// the end of an import only has to check these rows.
extension StoreWriter {
    /// Returns whether a column may link rows without a primary key.
    func mayLinkKeyless(_ column: Int, in table: Int) throws -> Bool {
        try (containment.columns[table]?[column] ?? []).contains {
            try mayHaveKeyless(layout.entities[$0.destination].table)
        }
    }

    /// Records that a column no longer links two rows: the row that has the column, and the row
    /// that it referred to.
    func recordUnlinked(_ row: Int64, from other: Int64, column: Int, in table: Int) throws {
        for relationship in containment.columns[table]?[column] ?? [] {
            if case .column = relationship.storage {
                try recordUnlinked(other, by: relationship)
            } else {
                try recordUnlinked(row, by: relationship)
            }
        }
    }

    /// Records that a relationship no longer links two rows.
    func recordUnlinked(
        _ relationship: RelationshipLayout,
        of row: Int64,
        from other: Int64
    ) throws {
        try recordUnlinked(other, by: relationship)
        if let inverse = layout.inverse(of: relationship) { try recordUnlinked(row, by: inverse) }
    }

    /// Records a row that has lost a link of a relationship.
    private func recordUnlinked(_ number: Int64, by relationship: RelationshipLayout) throws {
        guard relationship.relationship.orphans == .delete else { return }
        let table = layout.entities[relationship.destination].table
        if try isKeyless(TableRow(table: table, number: number)) {
            unlinked(in: table).insert(number)
        }
    }

    /// Records the current link of a reference before another value replaces it.
    package func recordReplacedLink(_ relationship: RelationshipLayout, of row: Int64) throws {
        guard case .column(let column) = relationship.storage,
            try mayLinkKeyless(column, in: relationship.table)
        else { return }
        for other in try linked(relationship, of: row) {
            try recordUnlinked(row, from: other, column: column, in: relationship.table)
        }
    }

    /// Returns the rows of a table without a primary key that have lost a link, in this transaction
    /// or an earlier one of its import session.
    package func unlinked(in table: Int) -> RowSet {
        if let rows = unlinked[table] { return rows }
        let rows = RowSet()
        unlinked[table] = rows
        return rows
    }

    /// Returns the rows without a primary key that have lost a link and are no longer contained in
    /// any row, by table, and clears the record of lost links.
    package func takeAbandoned() throws -> [Int: [Int64]] {
        guard !unlinked.isEmpty else { return [:] }
        defer { unlinked = [:] }
        return try abandonedRows(among: unlinked)
    }

    /// Returns those of the given rows that exist, have no primary key and are contained in no
    /// other row.
    ///
    /// - Parameter rows: The rows, by table.
    /// - Returns: The row numbers, by table, in ascending order.
    /// - Throws: `DatabaseError`.
    package func abandonedRows(among rows: [Int: RowSet]) throws -> [Int: [Int64]] {
        var candidates: [TableRow] = []
        for (table, numbers) in rows {
            for number in numbers.rows where try exists(number, in: table) {
                let row = TableRow(table: table, number: number)
                if try isKeyless(row) { candidates.append(row) }
            }
        }
        let abandoned = Set(try abandoned(candidates))
        return Dictionary(grouping: candidates.filter(abandoned.contains), by: \.table)
            .mapValues { $0.map(\.number).sorted() }
    }
}

/// The record of rows that an import created from objects without a key, although their entity has
/// a primary key.
///
/// It is persistent, because an import must not delete a row without a key that the user created.
extension StoreWriter {
    /// Returns whether the record contains any rows of a table.
    package func hasKeylessRows(in table: Int) throws -> Bool {
        guard !layout.tables[table].keys.isEmpty else { return false }
        if let hasRecorded = recordedTables[table] { return hasRecorded }
        let hasRecorded =
            try Bool.fetchOne(
                db,
                sql: "SELECT EXISTS (SELECT 1 FROM _tidemark_keyless WHERE entity = ?)",
                arguments: [layout.tables[table].name]
            ) == true
        recordedTables[table] = hasRecorded
        return hasRecorded
    }

    /// Records that an import created a row from an object without a key.
    package func markKeyless(_ row: Int64, in table: Int) throws {
        recordedTables[table] = true
        try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO _tidemark_keyless (entity, row) VALUES (?, ?)"
        )
        .execute(arguments: [layout.tables[table].name, row])
    }

    /// Returns whether the record contains a row, and the row still has no primary key.
    private func isRecorded(_ row: TableRow) throws -> Bool {
        guard try hasKeylessRows(in: row.table) else { return false }
        let isRecorded = try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM _tidemark_keyless WHERE entity = ? AND row = ?)"
            ),
            arguments: [layout.tables[row.table].name, row.number]
        )
        guard isRecorded == true,
            let entity = try entity(of: row.number, in: row.table), !entity.key.isEmpty
        else { return false }
        return try !hasKey(row.number, of: entity)
    }

    /// Removes a deleted row from the record.
    func discardKeyless(_ row: Int64, in table: Int) throws {
        guard try hasKeylessRows(in: table) else { return }
        try db.cachedStatement(sql: "DELETE FROM _tidemark_keyless WHERE entity = ? AND row = ?")
            .execute(arguments: [layout.tables[table].name, row])
    }
}
