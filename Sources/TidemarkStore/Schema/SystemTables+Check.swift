package import GRDB

/// Checks of a store's tables before they are read.
///
/// GRDB traps when it decodes a value of an unexpected type, and SQLite's own errors do not report
/// that a store is damaged.
extension SystemTables {
    /// Checks that tables exist with the columns that their CREATE TABLE statements declare.
    ///
    /// A table that is created `IF NOT EXISTS`, when it is first needed, may be missing.
    ///
    /// - Parameters:
    ///   - db: The connection.
    ///   - statements: The statements that create the tables; other statements are ignored.
    ///   - location: The name of the store in error messages.
    /// - Throws: ``StoreError/Code/damaged``.
    package static func check(
        _ db: Database,
        _ statements: [String],
        location: String?
    ) throws {
        for table in statements.compactMap(ExpectedTable.init) {
            if let problem = try table.problem(db) {
                throw StoreError.damaged(problem, at: location)
            }
        }
    }
}

/// The table that a CREATE TABLE statement declares.
private struct ExpectedTable {
    let name: String

    /// Whether the table may be missing, because it is created when it is first needed.
    let isOptional: Bool

    let columns: [(name: String, type: String, isRequired: Bool)]

    private static let types: Set<Substring> = ["ANY", "BLOB", "INTEGER", "REAL", "TEXT"]

    init?(_ statement: String) {
        let quote: Character = "\""
        // These statements quote all names, so every other part is one.
        let parts = statement.split(separator: quote, omittingEmptySubsequences: false)
        guard parts.count > 2, parts[0].hasPrefix("CREATE TABLE ") else { return nil }
        name = String(parts[1])
        isOptional = parts[0].hasSuffix(" IF NOT EXISTS ")
        // The name of a column is followed by its type. Names in constraints are not.
        columns = stride(from: 3, to: parts.count - 1, by: 2).compactMap { index in
            let definition = parts[index + 1].dropFirst()
            let type = definition.prefix(while: \.isLetter)
            guard Self.types.contains(type) else { return nil }
            let isRequired = definition.dropFirst(type.count).hasPrefix(" NOT NULL")
            return (name: String(parts[index]), type: String(type), isRequired: isRequired)
        }
    }

    /// Returns what is wrong with the table, or nil if it can be read.
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
    /// Checks that the tables of the model exist.
    func check(_ db: Database, location: String) throws {
        let found = try Set(
            String.fetchCursor(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        )
        let missing = (tables.map(\.name) + joins.map(\.name)).first { !found.contains($0) }
        guard let missing else { return }
        throw StoreError.damaged("the table \(missing) is missing", at: location)
    }
}
