import GRDB
import TidemarkModel

@testable import TidemarkStore

/// The rows and pairs of a store; the numbers of pairs have no meaning.
struct StoreRows {
    private let layout: StoreLayout
    private var rows: [[Int64: [String: DatabaseValue]]]
    private var pairs: [[[DatabaseValue]]]

    init(_ store: Store) throws {
        layout = store.layout
        (rows, pairs) = try store.writer.read { [layout] db in
            let rows = try layout.tables.map { table in
                let found = try Row.fetchAll(
                    db,
                    sql: "SELECT * FROM \(table.name.quotedDatabaseIdentifier)"
                )
                return Dictionary(
                    uniqueKeysWithValues: found.map { row in
                        let values = row.map { ($0.0, $0.1) }.filter { $0.0 != "_id" }
                        return (row["_id"] as Int64, Dictionary(uniqueKeysWithValues: values))
                    }
                )
            }
            let pairs = try layout.joins.map { join in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT owner, member, position, inversePosition \
                        FROM \(join.name.quotedDatabaseIdentifier) ORDER BY owner, member
                        """
                ).map { Array($0.databaseValues) }
            }
            return (rows, pairs)
        }
    }

    /// Returns these rows with the numbers of earlier ones that had the same key: a row that was
    /// deleted and inserted again with its key is another row, and the same object.
    func replacingKeys(by before: StoreRows) -> StoreRows {
        var result = self
        for (index, table) in layout.tables.enumerated() {
            for key in table.keys.map({ $0.map { table.columns[$0].name } }) {
                for (number, values) in rows[index] where before.rows[index][number] == nil {
                    let own = key.map { values[$0] }
                    let former = before.rows[index].first { other, formerValues in
                        rows[index][other] == nil && !own.contains(.null)
                            && key.map { formerValues[$0] } == own
                    }
                    if let former { result.rename(number, to: former.key, in: index) }
                }
            }
        }
        return result
    }

    /// Returns these rows without those that have no primary key and are not contained in another
    /// row, now or earlier: their changes are not recorded.
    func withoutLoose(_ before: StoreRows) -> StoreRows {
        var result = self
        for part in CapturePlan(layout).parts where layout.tables[part.table].keys.isEmpty {
            guard case .inverse(let table, let column, _) = part.relationship.storage else {
                continue
            }
            let name = layout.tables[table].columns[column].name
            result.rows[table] = rows[table].filter { number, values in
                let former = before.rows[table][number] ?? values
                return former[name] != .null
            }
        }
        return result
    }

    private mutating func rename(_ number: Int64, to former: Int64, in table: Int) {
        guard let values = rows[table].removeValue(forKey: number) else { return }
        rows[table][former] = values
        let name = layout.tables[table].name
        for (index, source) in layout.tables.enumerated() {
            for column in source.columns {
                guard case .reference(let reference) = column.content, reference.table == name
                else { continue }
                for row in rows[index].keys
                where rows[index][row]?[column.name] == number.databaseValue {
                    rows[index][row]?[column.name] = former.databaseValue
                }
            }
        }
        for (index, join) in layout.joins.enumerated() {
            for (end, endTable) in [(0, join.ownerTable), (1, join.memberTable)]
            where endTable == name {
                for pair in pairs[index].indices
                where pairs[index][pair][end] == number.databaseValue {
                    pairs[index][pair][end] = former.databaseValue
                }
            }
            guard join.isSymmetric else { continue }
            for pair in pairs[index].indices {
                pairs[index][pair][..<2].sort {
                    (Int64.fromDatabaseValue($0) ?? 0) < (Int64.fromDatabaseValue($1) ?? 0)
                }
            }
        }
    }

    var text: String {
        var lines: [String] = []
        for (table, rows) in zip(layout.tables, rows) {
            for (number, values) in rows.sorted(by: { $0.key < $1.key }) {
                let list = values.sorted { $0.key < $1.key }.map { "\($0)=\($1.literal)" }
                lines.append("\(table.name)#\(number) \(list.joined(separator: " "))")
            }
        }
        for (join, pairs) in zip(layout.joins, pairs) {
            lines += pairs.map { "\(join.name) \($0)" }.sorted()
        }
        return lines.joined(separator: "\n")
    }
}

extension DatabaseValue {
    /// The value with its storage class, and all of its bytes.
    fileprivate var literal: String {
        guard case .blob(let data) = storage else { return description }
        return "x'\(data.map { String($0, radix: 16) }.joined(separator: " "))'"
    }
}
