import GRDB

/// The contents of the tables of a store.
enum FuzzTables {
    /// Returns every row of every table, except the store's metadata and the row ids of unresolved
    /// references.
    ///
    /// If a document contains two different values for a row, importing it again removes such a
    /// reference and stores it with a new id.
    static func text(_ db: Database) throws -> String {
        let names = try String.fetchAll(
            db,
            sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        )
        var lines: [String] = []
        for name in names where !name.hasPrefix("sqlite_") && name != "_tidemark_store" {
            let query =
                name == "_tidemark_held"
                ? "SELECT relationship, owner, key, position FROM _tidemark_held ORDER BY 1, 2, 3"
                : "SELECT * FROM \"\(name)\" ORDER BY 1"
            let rows = try Row.fetchAll(db.cachedStatement(sql: query))
            lines += rows.map { "\(name) \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    /// Throws an error if the database violates a foreign key or fails SQLite's integrity check.
    static func checkIntegrity(_ db: Database, _ context: String) throws {
        let dangling = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check")
        guard dangling.isEmpty else { throw Violation("dangling \(dangling)\n\(context)") }
        let errors = try String.fetchAll(db, sql: "PRAGMA integrity_check")
        guard errors == ["ok"] else { throw Violation("corrupt \(errors)\n\(context)") }
    }
}
