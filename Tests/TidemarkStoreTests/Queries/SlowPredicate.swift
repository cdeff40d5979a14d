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
    }

    /// The predicate in its textual form.
    var text: String {
        switch self {
        case .all(let parts): "(\(parts.map(\.text).joined(separator: " AND ")))"
        case .any(let parts): "(\(parts.map(\.text).joined(separator: " OR ")))"
        case .not(let part): "NOT \(part.text)"
        case .test(let test): test.text
        }
    }

    func holds(for record: StoredRecord, in records: SlowRecords) -> Bool {
        switch self {
        case .all(let parts): parts.allSatisfy { $0.holds(for: record, in: records) }
        case .any(let parts): parts.contains { $0.holds(for: record, in: records) }
        case .not(let part): !part.holds(for: record, in: records)
        case .test(let test): test.holds(for: record, in: records)
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
    var text: String {
        let path = (collection + path).joined(separator: ".")
        let sides = others.map { side in
            switch side {
            case .value(_, let literal): literal
            case .path(let path): path.joined(separator: ".")
            }
        }
        let right =
            operation == "IN" || operation == "BETWEEN"
            ? "{\(sides.joined(separator: ", "))}" : sides.joined()
        return "\(quantifier) \(path) \(operation)\(folding) \(right)"
    }

    func holds(for record: StoredRecord, in records: SlowRecords) -> Bool {
        let others = others.map { side in
            switch side {
            case .value(let value, _): value
            case .path(let path): records.value(path, of: record)
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
