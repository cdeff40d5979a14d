import GRDB
import TidemarkImport
import TidemarkStore

/// Edits since a conflict.
extension ConflictedRow {
    /// Records the values that the row has got by edits since the conflict, as its local version.
    ///
    /// A link has no third state that could be lost.
    ///
    /// - Throws: `ImportError` if a value cannot be written as JSON; `DatabaseError`.
    func recordLaterEdits() throws {
        guard conflict.decision == nil, change?.kind == .update, let stored = try stored() else {
            return
        }
        for value in conflict.stored where !value.isLink && !value.isOrder {
            let objects = try parts(value.column).map { relationship in
                try Importer(store).knownParts(db, relationship, of: conflict.row, before: nil)
            }
            let column = stored[value.column] as DatabaseValue?
            guard let present = objects?.databaseValue ?? column, present != value.local else {
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
