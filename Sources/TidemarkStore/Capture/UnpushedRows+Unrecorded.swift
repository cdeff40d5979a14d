import GRDB
import TidemarkModel

/// Rows whose edits may not have been recorded: see ``UnrecordedEdits``.
extension UnpushedRows {
    /// Returns the columns of a table whose edits are recorded, without those of its keys.
    package func recordedColumns(of table: Int) throws -> Set<String> {
        let keys = Set(layout.tables[table].keys.joined())
        let recorded = try plan.get().columns[table].filter { !keys.contains($0) }
        return Set(recorded.map { layout.tables[table].columns[$0].name })
    }

    /// Returns the columns of a row of which a user has to decide whether they were edited.
    package func doubtfulColumns(of row: Int64, in table: Int) throws -> Set<String> {
        guard try changes(of: row, in: table)?.isConflicted == true else { return [] }
        return try String.fetchSet(
            db.cachedStatement(
                sql: """
                    SELECT property FROM _tidemark_conflict \
                    JOIN _tidemark_conflict_value ON conflict = _id \
                    WHERE tree = ? AND row = ? AND kind = 'unrecorded' AND decision IS NULL
                    """
            ),
            arguments: [layout.tables[table].name, row]
        )
    }

    /// Returns whether one more row is kept because it may have been edited, and counts it, or one
    /// that is not kept.
    package func keepsDoubtful() throws -> Bool {
        try Capture(db: db, layout: layout).keepsUnrecorded()
    }

    /// Records columns of a row as changed, because they may have been.
    ///
    /// - Parameters:
    ///   - columns: The columns. The caller sets what the service has.
    ///   - row: The number of the row.
    ///   - table: The index of its table.
    /// - Returns: The number of the change.
    /// - Throws: `DatabaseError`.
    package func addDoubtful(
        _ columns: some Sequence<String>,
        of row: Int64,
        in table: Int
    ) throws -> Int64? {
        let name = layout.tables[table].name
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_change (tree, row, entity, kind) \
                VALUES (?, ?, ?, 'update') ON CONFLICT DO NOTHING
                """
        ).execute(arguments: [name, row, try entity(of: row, in: table)])
        try refresh(row, in: table)
        guard let change = try changes(of: row, in: table)?.open else { return nil }
        for column in columns {
            try db.cachedStatement(
                sql: """
                    INSERT INTO _tidemark_base (change, property, value) VALUES (?, ?, NULL) \
                    ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: [change, column])
        }
        return change
    }

    /// Counts a link or a contained object that gets what the service has, although it may have
    /// been edited.
    package func countOverwritten() throws {
        guard try mayLackEdits.get() else { return }
        try Capture(db: db, layout: layout).countOverwritten()
    }
}
