import TidemarkModel

/// The syntax tree of a predicate, which does not depend on an entity.
indirect enum PredicateTree: Hashable, Sendable {
    case constant(Bool)
    case all([PredicateTree])
    case any([PredicateTree])
    case not(PredicateTree)
    case comparison(PredicateComparison)
    case sql(SQLCondition)
}

extension PredicateTree {
    /// Joins parts by AND and flattens nested ones: `(a AND b) AND c` becomes `a AND b AND c`.
    static func joined(all parts: [PredicateTree]) -> PredicateTree {
        guard parts.count > 1 else { return parts.first ?? .constant(true) }
        return .all(
            parts.flatMap { part in
                guard case .all(let inner) = part else { return [part] }
                return inner
            }
        )
    }

    static func joined(any parts: [PredicateTree]) -> PredicateTree {
        guard parts.count > 1 else { return parts.first ?? .constant(false) }
        return .any(
            parts.flatMap { part in
                guard case .any(let inner) = part else { return [part] }
                return inner
            }
        )
    }
}

/// A comparison of two operands.
struct PredicateComparison: Hashable, Sendable {
    let quantifier: Quantifier?
    let left: PredicateOperand
    let operation: Operation
    let folding: TextFolding
    let right: PredicateOperand
    /// The position of the operator.
    let location: TextLocation

    /// The number of linked rows for which a comparison must hold.
    enum Quantifier: String, Sendable {
        case any = "ANY"
        case all = "ALL"
        case no = "NONE"
    }

    enum Operation: String, Sendable {
        case equal = "="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case between = "BETWEEN"
        case among = "IN"
        case begins = "BEGINSWITH"
        case ends = "ENDSWITH"
        case contains = "CONTAINS"
        case like = "LIKE"
        case matches = "MATCHES"
    }
}

/// One side of a comparison.
struct PredicateOperand: Hashable, Sendable {
    let content: Content
    let location: TextLocation

    enum Content: Hashable, Sendable {
        case path(PredicatePath)
        case literal(PredicateLiteral)
        case list([PredicateOperand])
        case subquery(PredicateSubquery)
    }
}

/// The names on the path from a row to a value or to other rows; empty for the row itself.
struct PredicatePath: Hashable, Sendable {
    /// The row at which the path begins.
    var origin = PredicateOrigin.row

    let names: [Name]

    /// Whether the path ends with `@count`.
    let isCounted: Bool

    struct Name: Hashable, Sendable {
        let text: String
        let location: TextLocation
    }
}

/// A literal value.
enum PredicateLiteral: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// The digits as they are written. The type of the attribute determines the required precision.
    case number(String)
    case text(String)
    /// A date, bytes or a JSON document, for which there is no literal syntax.
    case value(Value)

    /// Creates the literal that is equivalent to a value.
    ///
    /// Infinity and NaN, which have no literal, become numbers that no attribute can have.
    init(_ value: Value) {
        switch value {
        case .null: self = .null
        case .boolean(let flag): self = .boolean(flag)
        case .integer(let number): self = .number("\(number)")
        case .double(let number): self = .number("\(number)")
        case .date(let seconds):
            self = seconds.isFinite ? .value(value) : .number("\(seconds)")
        case .decimal(let digits): self = .number(digits)
        case .string(let text), .uuid(let text), .uri(let text): self = .text(text)
        case .binary, .json: self = .value(value)
        }
    }

    /// The literal as a value, before the type of the attribute is known.
    var value: Value {
        switch self {
        case .null: .null
        case .boolean(let flag): .boolean(flag)
        case .number(let digits): .decimal(digits)
        case .text(let text): .string(text)
        case .value(let value): value
        }
    }
}
