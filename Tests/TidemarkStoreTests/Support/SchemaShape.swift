import GRDB

/// The schema of a database, independent of the order in which it was created.
struct SchemaShape {
    /// A line per table, index, trigger and view, with sorted columns and constraints.
    let text: String

    init(_ db: Database) throws {
        let statements = try String.fetchAll(
            db,
            sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"
        )
        text = statements.map(Self.normalized).sorted().joined(separator: "\n")
    }

    /// Returns the statement with the definitions between its parentheses sorted.
    private static func normalized(_ statement: String) -> String {
        guard statement.hasPrefix("CREATE TABLE"), let open = statement.firstIndex(of: "("),
            let close = statement.lastIndex(of: ")")
        else { return statement }
        let body = statement[statement.index(after: open)..<close]
        return statement[...open] + parts(body).sorted().joined(separator: ", ")
            + statement[close...]
    }

    /// Returns the parts between commas outside nested parentheses.
    private static func parts(_ body: Substring) -> [String] {
        var depth = 0
        var parts = [""]
        for character in body {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if character == ",", depth == 0 {
                parts.append("")
            } else if character != " " || !parts[parts.count - 1].isEmpty {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }

    /// Returns the whole database as text: its schema and each row of each table.
    static func state(_ db: Database) throws -> String {
        let objects = try Row.fetchAll(
            db,
            sql: "SELECT type, name, sql FROM sqlite_master ORDER BY rowid"
        )
        var lines: [String] = []
        for object in objects {
            let statement: String? = object[2]
            lines.append(statement ?? "")
            guard object[0] == "table" else { continue }
            let name: String = object[1]
            let columns = try Row.fetchAll(
                db,
                sql: "SELECT name FROM pragma_table_info(?)",
                arguments: [name]
            )
            .map { "quote(\(($0[0] as String).quotedDatabaseIdentifier))" }
            lines += try String.fetchAll(
                db,
                sql: """
                    SELECT \(columns.joined(separator: " || ' ' || ")) \
                    FROM \(name.quotedDatabaseIdentifier) ORDER BY 1
                    """
            )
        }
        return lines.joined(separator: "\n")
    }
}
