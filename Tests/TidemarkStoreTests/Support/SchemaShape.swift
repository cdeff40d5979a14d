import GRDB

/// What a database consists of, whatever the order in which it came to be.
struct SchemaShape {
    /// A line for each table, index, trigger and view; columns and constraints sorted.
    let text: String

    init(_ db: Database) throws {
        let statements = try String.fetchAll(
            db,
            sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"
        )
        text = statements.map(Self.normalized).sorted().joined(separator: "\n")
    }

    /// The statement with what stands between its parentheses in the order of the alphabet.
    private static func normalized(_ statement: String) -> String {
        guard statement.hasPrefix("CREATE TABLE"), let open = statement.firstIndex(of: "("),
            let close = statement.lastIndex(of: ")")
        else { return statement }
        let body = statement[statement.index(after: open)..<close]
        return statement[...open] + parts(body).sorted().joined(separator: ", ")
            + statement[close...]
    }

    /// The parts between the commas that stand in no further parentheses.
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

    /// Everything that is in a database: its schema, and each row of each table.
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
