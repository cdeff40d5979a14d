import TidemarkModel

/// What a predicate's text says, before anything is known of an entity.
indirect enum PredicateTree: Hashable, Sendable {
    case constant(Bool)
    case all([PredicateTree])
    case any([PredicateTree])
    case not(PredicateTree)
    case comparison(PredicateComparison)
}

/// A comparison of two operands.
struct PredicateComparison: Hashable, Sendable {
    let quantifier: Quantifier?
    let left: PredicateOperand
    let operation: Operation
    let folding: TextFolding
    let right: PredicateOperand
    /// Where the operator stands.
    let place: TextPlace

    /// Of how many linked rows a comparison must hold.
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
    let place: TextPlace

    enum Content: Hashable, Sendable {
        case path(PredicatePath)
        case literal(PredicateLiteral)
        case list([PredicateOperand])
    }
}

/// Names that lead from a row to a value or to other rows; none for the row itself.
struct PredicatePath: Hashable, Sendable {
    let names: [Name]

    /// Whether the linked rows are counted.
    let isCounted: Bool

    struct Name: Hashable, Sendable {
        let text: String
        let place: TextPlace
    }
}

/// A value as it is written.
enum PredicateLiteral: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// The digits as they are written: the attribute decides how exact they must be.
    case number(String)
    case text(String)
    /// A date, bytes or a document: what has no literal of its own.
    case value(Value)

    /// The literal as a value, before an attribute's type is known.
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
