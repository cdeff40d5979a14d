import GRDB
import TidemarkModel
package import TidemarkStore

/// The complete contents of a store by table, for comparing two states column by column.
package struct StoreContents: Hashable, Sendable {
    /// The rows of each table by row number: their columns as SQL literals.
    package private(set) var tables: [String: [Int64: String]] = [:]

    /// Reads the contents of a store.
    package init(_ store: Store) throws {
        tables = try store.writer.read { db in try Self.tables(db, store) }
    }

    private static func tables(
        _ db: Database,
        _ store: Store
    ) throws -> [String: [Int64: String]] {
        var result: [String: [Int64: String]] = [:]
        for table in store.layout.tables {
            let columns = table.columns.map(\.name) + (table.hasEntityColumn ? ["_entity"] : [])
            result[table.name] = try rows(db, table.name, columns)
        }
        for join in store.layout.joins {
            result[join.name] = try rows(
                db,
                join.name,
                ["owner", "member", "position", "inversePosition"]
            )
        }
        result["_tidemark_held"] = try rows(
            db,
            "_tidemark_held",
            ["relationship", "owner", "destination", "key", "position"]
        )
        return result
    }

    private static func rows(
        _ db: Database,
        _ table: String,
        _ columns: [String]
    ) throws -> [Int64: String] {
        let texts = columns.map { "'\($0)=' || quote(\"\($0)\")" }
        let text = texts.isEmpty ? "''" : texts.joined(separator: " || ' ' || ")
        let rows = try Row.fetchAll(db, sql: "SELECT _id, \(text) FROM \"\(table)\"")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }

    /// Returns the entity of each row of a table by row number, read from the contents.
    package func entities(of table: TableLayout) -> [Int64: String] {
        (tables[table.name] ?? [:]).mapValues { text in
            guard table.hasEntityColumn, let last = text.split(separator: " ").last else {
                return table.name
            }
            return String(last.dropFirst("_entity='".count).dropLast())
        }
    }

    /// The contents as text, with one line for each row.
    package var text: String {
        tables.sorted { $0.key < $1.key }.flatMap { table, rows in
            rows.sorted { $0.key < $1.key }.map { "\(table)#\($0.key) \($0.value)" }
        }
        .joined(separator: "\n")
    }
}
