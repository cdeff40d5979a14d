package import GRDB

/// Checks that come before the tables of a store are read: GRDB traps where a value is of another
/// type than the one that is read, and SQLite's own errors do not say that a store is damaged.
extension SystemTables {
    /// Checks that Tidemark's own tables are there and have the columns that this revision reads.
    static func check(_ db: Database, place: String) throws {
        try check(db, creation, place: place)
    }

    /// Checks that tables are there and have the columns that statements would create.
    ///
    /// A store may be of an earlier revision, so what can be added later may be missing: a table
    /// that is created where it is needed, and a column that may be null.
    ///
    /// - Parameters:
    ///   - db: the connection.
    ///   - statements: the statements that create the tables; others are ignored.
    ///   - place: how the store is called in the error.
    /// - Throws: ``StoreError/Code/damaged``.
    package static func check(
        _ db: Database,
        _ statements: [String],
        place: String?
    ) throws {
        for table in statements.compactMap(ExpectedTable.init) {
            if let problem = try table.problem(db) { throw StoreError.damaged(place, problem) }
        }
    }
}

/// A table as a statement would create it.
private struct ExpectedTable {
    let name: String

    /// Whether the table is created where it is needed, if it is missing.
    let isOptional: Bool

    let columns: [(name: String, type: String, isRequired: Bool)]

    private static let types: Set<Substring> = ["ANY", "BLOB", "INTEGER", "REAL", "TEXT"]

    init?(_ statement: String) {
        let quote: Character = "\""
        // Every other part is a name in quotes.
        let parts = statement.split(separator: quote, omittingEmptySubsequences: false)
        guard parts.count > 2, parts[0].hasPrefix("CREATE TABLE ") else { return nil }
        name = String(parts[1])
        isOptional = parts[0].hasSuffix(" IF NOT EXISTS ")
        // Behind the name of a column comes its type.
        columns = stride(from: 3, to: parts.count - 1, by: 2).compactMap { place in
            let definition = parts[place + 1].dropFirst()
            let type = definition.prefix(while: \.isLetter)
            guard Self.types.contains(type) else { return nil }
            let isRequired = definition.dropFirst(type.count).hasPrefix(" NOT NULL")
            return (name: String(parts[place]), type: String(type), isRequired: isRequired)
        }
    }

    /// What keeps the table from being read; nil where nothing does.
    func problem(_ db: Database) throws -> String? {
        let kind = try Row.fetchOne(
            db,
            sql: "SELECT type, sql LIKE '%STRICT%' AS isStrict FROM sqlite_master WHERE name = ?",
            arguments: [name]
        )
        guard let kind else { return isOptional ? nil : "the table \(name) is missing" }
        guard kind["type"] as String == "table", kind["isStrict"] as Bool else {
            return "\(name) is not the table that Tidemark created"
        }
        let found = try Row.fetchAll(
            db,
            sql: """
                SELECT name, type, "notnull" OR pk AS isRequired FROM pragma_table_info(?)
                """,
            arguments: [name]
        )
        for column in columns {
            guard let row = found.first(where: { $0["name"] as String == column.name }) else {
                // A column that an earlier revision lacks is null. `_tidemark_store` is read before
                // the revision is known, so it has had all its columns from the beginning.
                guard column.isRequired || name == StoreMetadata.table else { continue }
                return "the table \(name) has no column \(column.name)"
            }
            guard row["type"] as String == column.type,
                !column.isRequired || row["isRequired"] as Bool
            else {
                return "the column \(column.name) of the table \(name) is of another type"
            }
        }
        return nil
    }
}

extension StoreLayout {
    /// Checks that the tables of the model are there.
    func check(_ db: Database, place: String) throws {
        let found = try Set(
            String.fetchCursor(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        )
        let missing = (tables.map(\.name) + joins.map(\.name)).first { !found.contains($0) }
        guard let missing else { return }
        throw StoreError.damaged(place, "the table \(missing) is missing")
    }
}
