import GRDB
import TidemarkStore

/// Edits since a conflict.
extension ConflictedRow {
    /// Records the values that the row has got by edits since the conflict, as its local version.
    ///
    /// - Throws: `DatabaseError`.
    func recordLaterEdits() throws {
        guard conflict.decision == nil, change?.kind == .update, let stored = try stored() else {
            return
        }
        for value in conflict.stored where !value.isLink && !value.isOrder {
            guard let present = stored[value.column] as DatabaseValue?, present != value.local
            else {
                continue
            }
            try db.execute(
                sql: """
                    UPDATE _tidemark_conflict_value SET local = ? \
                    WHERE conflict = ? AND property = ? AND member = 0
                    """,
                arguments: [present, conflict.id, value.column]
            )
        }
    }
}
