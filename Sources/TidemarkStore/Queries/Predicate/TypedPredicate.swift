import TidemarkModel

/// A predicate about the rows of one entity: every name found, every literal of its type.
indirect enum TypedPredicate {
    case constant(Bool)
    case all([TypedPredicate])
    case any([TypedPredicate])
    case not(TypedPredicate)
    case test(TypedTest)
    /// A row that the relationships lead to meets the condition, whose ``TypedPath/Origin/linked``
    /// it is.
    case exists(from: TypedPath.Origin, [RelationshipLayout], TypedPredicate)
}

/// One comparison; false where a value that it needs is null.
struct TypedTest {
    let left: TypedOperand
    let relation: Relation
    let folding: TextFolding

    enum Relation {
        /// Null equals null.
        case equal(TypedOperand)
        case ordered(Order, TypedOperand)
        case between(TypedOperand, TypedOperand)
        case among([TypedOperand])
        case text(TextRelation, TypedOperand)
        case pattern(PatternSyntax, String)
    }

    enum Order: String {
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    enum TextRelation {
        case begins
        case ends
        case contains
    }
}

/// A value of a row or a constant, with what decides how it compares.
struct TypedOperand {
    let kind: TypedKind
    let content: Content

    enum Content {
        case path(TypedPath)
        case value(Value)
        case row(EntityLayout, RowPlace)
    }

    /// How a row is named.
    enum RowPlace {
        case number(Int64)
        case key(RecordKey)
    }

    /// Whether it is the same for every row.
    var isConstant: Bool {
        switch content {
        case .path: false
        case .value, .row: true
        }
    }
}

/// What kind of thing a comparison compares.
enum TypedKind: Equatable {
    case value(AttributeType)
    /// A row of the table with this index.
    case row(table: Int)
}

/// The way from a row, over to-one relationships, to a value.
struct TypedPath {
    let origin: Origin
    let hops: [RelationshipLayout]
    let end: End

    enum Origin {
        /// The row that the predicate is about.
        case row
        /// The row that a surrounding ``TypedPredicate/exists(from:_:_:)`` speaks of.
        case linked
    }

    enum End {
        case row
        /// The column of an attribute.
        case column(table: Int, Int)
        /// The number of linked rows.
        case count(RelationshipLayout)
    }
}

extension TypedKind {
    /// Whether the store keeps it as a text that people would read as one.
    var isText: Bool {
        switch self {
        case .value(.string), .value(.uri), .value(.uuid), .value(.json): true
        default: false
        }
    }

    /// Whether one can be less than another.
    var isOrdered: Bool {
        switch self {
        case .row: false
        case .value(let type):
            switch type {
            case .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .date,
                .uuid, .uri:
                true
            case .boolean, .binary, .transformable, .json: false
            }
        }
    }

    var isWholeNumber: Bool {
        [.value(.integer16), .value(.integer32), .value(.integer64)].contains(self)
    }

    private var isFloatingPoint: Bool { [.value(.double), .value(.float)].contains(self) }

    /// Whether values of the two can be compared as they are stored, or nearly so.
    func isComparable(with other: TypedKind) -> Bool {
        if self == other { return self != .value(.transformable) }
        let pair = [self, other]
        if pair.allSatisfy({ $0.isWholeNumber || $0.isFloatingPoint }) { return true }
        if pair.allSatisfy({ $0.isWholeNumber || $0 == .value(.decimal) }) { return true }
        return pair.allSatisfy { [.value(.string), .value(.uri)].contains($0) }
    }
}
