import GRDB

/// The tables of a store as they lie in the file.
enum FuzzTables {
    /// Every row of every table, without what a store knows of itself, and without the numbers of
    /// references that wait: a document that says two things of a row one after the other lets go
    /// of such a reference and holds it again.
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

    /// Throws when the database contradicts itself.
    static func checkSoundness(_ db: Database, _ about: String) throws {
        let dangling = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check")
        guard dangling.isEmpty else { throw Violation("dangling \(dangling)\n\(about)") }
        let faults = try String.fetchAll(db, sql: "PRAGMA integrity_check")
        guard faults == ["ok"] else { throw Violation("unsound \(faults)\n\(about)") }
    }
}
