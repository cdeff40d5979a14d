import GRDB
import TidemarkModel

/// Rows that a predicate identifies by their row numbers or primary keys.
extension PredicateSQL {
    /// Returns queries for the numbers of the rows that operands identify: one for each entity and
    /// kind of locator.
    ///
    /// Preparing one query for each of thousands of rows would take SQLite too long.
    func rows(_ operands: [TypedOperand]) -> [SQLText] {
        var numbers: [String: (entity: EntityLayout, rows: [SQLText])] = [:]
        var keys: [String: (entity: EntityLayout, rows: [SQLText])] = [:]
        for operand in operands {
            guard case .row(let entity, let identifier) = operand.content else { continue }
            switch identifier {
            case .number(let number):
                numbers[entity.name, default: (entity, [])].rows.append("\(.integer(number))")
            case .key(let key):
                let parts = key.parts.map { "\($0)" as SQLText }.joined(by: ", ")
                let row: SQLText = key.parts.count == 1 ? parts : "(\(parts))"
                keys[entity.name, default: (entity, [])].rows.append(row)
            }
        }
        let byNumber = numbers.sorted { $0.key < $1.key }.map { _, named in
            rows(of: named.entity, where: "_n._id IN (\(named.rows.joined(by: ", ")))")
        }
        let byKey = keys.sorted { $0.key < $1.key }.map { _, named in
            rows(of: named.entity, where: isKey(of: named.entity, among: named.rows))
        }
        return byNumber + byKey
    }

    private func isKey(of entity: EntityLayout, among keys: [SQLText]) -> SQLText {
        let columns = layout.keyExpressions(of: entity, in: "_n")
        let list = keys.joined(by: ", ")
        guard columns.count > 1 else { return "\(sql: columns.first ?? "NULL") IN (\(list))" }
        // SQLite compares row values with a subquery only, not with a list.
        return "(\(sql: columns.joined(separator: ", "))) IN (VALUES \(list))"
    }

    private func rows(of entity: EntityLayout, where condition: SQLText) -> SQLText {
        let family = entity.family(of: "_n").map { " AND \($0)" } ?? ""
        return """
            SELECT _n._id FROM \(sql: layout.name(of: entity.table)) AS _n \
            WHERE \(condition)\(sql: family)
            """
    }

    /// Returns the number of a row; NULL if no row has the key, or the row belongs to another
    /// entity.
    ///
    /// A number in a table with a single entity is not looked up, as nothing refers to a missing
    /// row.
    func row(of entity: EntityLayout, at identifier: TypedOperand.RowIdentifier) -> SQLText {
        let table = layout.name(of: entity.table)
        let family = entity.family(of: "_n").map { " AND \($0)" } ?? ""
        switch identifier {
        case .number(let number):
            if family.isEmpty { return "\(.integer(number))" }
            return """
                (SELECT _n._id FROM \(sql: table) AS _n \
                WHERE _n._id = \(.integer(number))\(sql: family))
                """
        case .key(let key):
            let values = layout.keyExpressions(of: entity, in: "_n")
            let parts = zip(values, key.parts).map { value, part -> SQLText in
                "\(sql: value) = \(part)"
            }
            return """
                (SELECT _n._id FROM \(sql: table) AS _n \
                WHERE \(parts.joined(by: " AND "))\(sql: family))
                """
        }
    }
}
