import TidemarkModel
import TidemarkStore

/// A predicate that is evaluated record by record, one value at a time.
///
/// As a reference for the tests it shares no code with the parser, the type checks or the SQL.
indirect enum SlowPredicate {
    case all([SlowPredicate])
    case any([SlowPredicate])
    case not(SlowPredicate)
    case test(Test)
    case subquery(Subquery)

    /// The number of linked rows that satisfy a condition, compared with a number.
    struct Subquery {
        let collection: [String]
        let condition: SlowPredicate
        let operation: String
        let count: Int
    }

    struct Test {
        var quantifier = ""
        /// The path of relationships to which the quantifier applies.
        var collection: [String] = []
        let path: [String]
        let operation: String
        var folding = ""
        var others: [Side]
    }

    enum Side {
        case value(Value, literal: String)
        case path([String])
        /// A path from the row that the whole predicate tests.
        case outer([String])
    }

    /// The predicate in its textual form.
    var text: String { text(inside: 0) }

    /// Returns the text within so many subqueries.
    fileprivate func text(inside depth: Int) -> String {
        func joined(_ parts: [SlowPredicate], by word: String) -> String {
            "(\(parts.map { $0.text(inside: depth) }.joined(separator: " \(word) ")))"
        }
        return switch self {
        case .all(let parts): joined(parts, by: "AND")
        case .any(let parts): joined(parts, by: "OR")
        case .not(let part): "NOT \(part.text(inside: depth))"
        case .test(let test): test.text(inside: depth)
        case .subquery(let subquery): subquery.text(inside: depth)
        }
    }

    func holds(for record: StoredRecord, in records: SlowRecords) -> Bool {
        holds(for: [record], in: records)
    }

    /// Returns whether the predicate holds for the last of the rows: the first is the one that the
    /// whole predicate tests, the others are those of subqueries.
    fileprivate func holds(for rows: [StoredRecord], in records: SlowRecords) -> Bool {
        switch self {
        case .all(let parts): parts.allSatisfy { $0.holds(for: rows, in: records) }
        case .any(let parts): parts.contains { $0.holds(for: rows, in: records) }
        case .not(let part): !part.holds(for: rows, in: records)
        case .test(let test): test.holds(for: rows, in: records)
        case .subquery(let subquery): subquery.holds(for: rows, in: records)
        }
    }

    /// Returns a path that begins at the row of the innermost subquery.
    fileprivate static func path(_ names: [String], inside depth: Int) -> String {
        ((depth > 0 ? ["$row\(depth)"] : []) + names).joined(separator: ".")
    }
}

extension SlowPredicate.Subquery {
    fileprivate func text(inside depth: Int) -> String {
        let path = SlowPredicate.path(collection, inside: depth)
        let condition = condition.text(inside: depth + 1)
        return "SUBQUERY(\(path), $row\(depth + 1), \(condition)).@count \(operation) \(count)"
    }

    fileprivate func holds(for rows: [StoredRecord], in records: SlowRecords) -> Bool {
        let owner = collection.dropLast().reduce(rows.last) { row, name in
            row.flatMap { records.linked(name, of: $0).first }
        }
        // Without a row on the way, the number is null.
        guard let owner, let name = collection.last else { return operation == "!=" }
        let linked = records.linked(name, of: owner)
        let found = linked.count { condition.holds(for: rows + [$0], in: records) }
        return switch operation {
        case "=": found == count
        case "!=": found != count
        case "<": found < count
        case "<=": found <= count
        case ">": found > count
        default: found >= count
        }
    }
}

/// All rows of a store by their references.
struct SlowRecords {
    private let records: [RowReference: StoredRecord]

    init(_ records: [StoredRecord]) {
        self.records = Dictionary(uniqueKeysWithValues: records.map { ($0.reference, $0) })
    }

    func linked(_ relationship: String, of record: StoredRecord) -> [StoredRecord] {
        (record.links[relationship] ?? []).compactMap { records[$0] }
    }

    /// Returns the value at a path, or null if a row is missing.
    func value(_ path: [String], of record: StoredRecord) -> Value {
        guard let name = path.first else { return .string("\(record.reference)") }
        if path.dropFirst().first == "@count" {
            return .integer(Int64(linked(name, of: record).count))
        }
        if record.links[name] == nil { return record[name] }
        guard let next = linked(name, of: record).first else { return .null }
        return value(Array(path.dropFirst()), of: next)
    }
}

extension SlowPredicate.Test {
    fileprivate func text(inside depth: Int) -> String {
        let path = SlowPredicate.path(collection + path, inside: depth)
        let sides = others.map { side in
            switch side {
            case .value(_, let literal): literal
            case .path(let path): SlowPredicate.path(path, inside: depth)
            case .outer(let path): path.joined(separator: ".")
            }
        }
        let right =
            operation == "IN" || operation == "BETWEEN"
            ? "{\(sides.joined(separator: ", "))}" : sides.joined()
        return "\(quantifier) \(path) \(operation)\(folding) \(right)"
    }

    fileprivate func holds(for rows: [StoredRecord], in records: SlowRecords) -> Bool {
        guard let outer = rows.first, let record = rows.last else { return false }
        let others = others.map { side in
            switch side {
            case .value(let value, _): value
            case .path(let path): records.value(path, of: record)
            case .outer(let path): records.value(path, of: outer)
            }
        }
        let rows = collection.reduce([record]) { rows, name in
            rows.flatMap { records.linked(name, of: $0) }
        }
        func isSatisfied(_ row: StoredRecord) -> Bool {
            compare(records.value(path, of: row), others)
        }
        return switch quantifier {
        case "ALL": rows.allSatisfy(isSatisfied)
        case "NONE": !rows.contains(where: isSatisfied)
        default: rows.contains(where: isSatisfied)
        }
    }

    private func compare(_ left: Value, _ others: [Value]) -> Bool {
        let first = others.first ?? .null
        switch operation {
        case "=": return equals(left, first)
        case "!=": return !equals(left, first)
        case "IN": return others.contains { equals(left, $0) }
        case "BETWEEN":
            guard others.count == 2, let low = order(left, others[0]),
                let high = order(left, others[1])
            else { return false }
            return low >= 0 && high <= 0
        case "<": return order(left, first).map { $0 < 0 } ?? false
        case "<=": return order(left, first).map { $0 <= 0 } ?? false
        case ">": return order(left, first).map { $0 > 0 } ?? false
        case ">=": return order(left, first).map { $0 >= 0 } ?? false
        default:
            guard let text = folded(left), let other = folded(first) else { return false }
            return Self.compare(operation, text, other)
        }
    }

    private func equals(_ left: Value, _ right: Value) -> Bool {
        left == .null || right == .null ? left == right : order(left, right) == 0
    }

    /// Returns a number less than, equal to or greater than zero, or nil if there is no order.
    private func order(_ left: Value, _ right: Value) -> Int? {
        if let left = left.number, let right = right.number {
            return left < right ? -1 : left == right ? 0 : 1
        }
        guard let left = folded(left), let right = folded(right) else { return nil }
        return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }

    private func folded(_ value: Value) -> [Unicode.Scalar]? {
        guard case .string(var text) = value else { return nil }
        if folding.contains("d") { text = text.replacing("é", with: "e").replacing("É", with: "E") }
        if folding.contains("c") { text = text.lowercased() }
        return Array(text.unicodeScalars)
    }

    private static func compare(
        _ operation: String,
        _ text: [Unicode.Scalar],
        _ other: [Unicode.Scalar]
    ) -> Bool {
        switch operation {
        case "BEGINSWITH": text.starts(with: other)
        case "ENDSWITH": text.reversed().starts(with: other.reversed())
        case "CONTAINS":
            (0...text.count).contains { text.dropFirst($0).starts(with: other) }
        default: fits(text[...], other[...])
        }
    }

    private static func fits(
        _ text: ArraySlice<Unicode.Scalar>,
        _ pattern: ArraySlice<Unicode.Scalar>
    ) -> Bool {
        guard let sign = pattern.first else { return text.isEmpty }
        if sign == "*" {
            return fits(text, pattern.dropFirst())
                || !text.isEmpty && fits(text.dropFirst(), pattern)
        }
        guard let first = text.first, sign == "?" || sign == first else { return false }
        return fits(text.dropFirst(), pattern.dropFirst())
    }
}

extension Value {
    fileprivate var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number), .date(let number): number
        case .boolean(let flag): flag ? 1 : 0
        case .decimal(let digits): Double(digits)
        case .null, .string, .uuid, .uri, .binary, .json: nil
        }
    }
}
