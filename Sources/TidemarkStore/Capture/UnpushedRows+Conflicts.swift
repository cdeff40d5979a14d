package import GRDB
import TidemarkModel

/// The open conflicts of rows with local changes.
extension UnpushedRows {
    /// Removes a property from the open conflict of a row, because the two sides do not contradict
    /// each other any more.
    ///
    /// - Parameters:
    ///   - column: The column of the property.
    ///   - row: The number of the row.
    ///   - table: The index of its table.
    ///   - decision: Whose version the row has, if it was the last property of the conflict.
    /// - Throws: `DatabaseError`.
    package func settle(
        _ column: String,
        of row: Int64,
        in table: Int,
        as decision: String
    ) throws {
        guard try changes(of: row, in: table)?.isConflicted == true else { return }
        let name = layout.tables[table].name
        try db.execute(
            sql: """
                UPDATE _tidemark_conflict SET decision = ?1 WHERE tree = ?2 AND row = ?3 \
                AND decision IS NULL AND kind NOT IN ('deletedRemotely', 'notTaken') AND NOT EXISTS \
                (SELECT 1 FROM _tidemark_conflict_value WHERE conflict = _id AND property <> ?4)
                """,
            arguments: [decision, name, row, column]
        )
        try db.execute(
            sql: """
                DELETE FROM _tidemark_conflict_value WHERE property = ?3 AND conflict IN \
                (SELECT _id FROM _tidemark_conflict WHERE tree = ?1 AND row = ?2 \
                AND decision IS NULL AND kind NOT IN ('deletedRemotely', 'notTaken'))
                """,
            arguments: [name, row, column]
        )
        try Self.continueIfDecided(db, row, inTable: name)
    }

    /// Lets the change of a row be pushed, unless a conflict of the row awaits a decision.
    package static func continueIfDecided(
        _ db: Database,
        _ row: Int64,
        inTable name: String
    ) throws {
        try db.execute(
            sql: """
                UPDATE _tidemark_change SET state = 'pending' WHERE tree = ?1 AND row = ?2 \
                AND state = 'conflicted' AND NOT EXISTS (SELECT 1 FROM _tidemark_conflict c \
                WHERE c.tree = ?1 AND c.row = ?2 AND c.decision IS NULL)
                """,
            arguments: [name, row]
        )
    }
}
