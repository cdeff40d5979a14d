import GRDB
import TidemarkStore

extension Store {
    /// Returns the statements that created the tables and indexes of the model, a line per column.
    func schema() throws -> String {
        try writer.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name NOT IN \
                    ('_tidemark_store', '_tidemark_held', '_tidemark_walk', '_tidemark_sweep', \
                    '_tidemark_retry', '_tidemark_keyless', '_tidemark_migrations', \
                    'sqlite_sequence') ORDER BY rowid
                    """
            )
        }
        .map { statement in
            guard statement.hasPrefix("CREATE TABLE") else { return statement }
            return statement.replacing(/, (?="\w+" [A-Z]|UNIQUE)/, with: "\n  ")
        }
        .joined(separator: "\n")
        .replacing(" DEFERRABLE INITIALLY DEFERRED", with: " DEFERRED")
    }
}
