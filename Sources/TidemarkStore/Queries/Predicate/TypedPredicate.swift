import TidemarkModel

/// A predicate for one entity, with all names resolved and all literals converted.
indirect enum TypedPredicate {
    case constant(Bool)
    case all([TypedPredicate])
    case any([TypedPredicate])
    case not(TypedPredicate)
    case test(TypedTest)
    /// A row that the relationships lead to satisfies the condition, which refers to this row by an
    /// origin one level deeper than those of the conditions around it.
    case exists(from: TypedPath.Origin, [RelationshipLayout], TypedPredicate)
    /// A row of the table with this index satisfies a condition in SQL.
    case sql(SQLCondition, of: TypedPath.Origin, table: Int)
}

/// A single comparison.
///
/// It is false if a value that it needs is null.
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

/// A value of a row or a constant, with the kind that determines how it is compared.
struct TypedOperand {
    let kind: TypedKind
    let content: Content

    enum Content {
        case path(TypedPath)
        case value(Value)
        case row(EntityLayout, RowIdentifier)
    }

    /// The row number or primary key that identifies a row.
    enum RowIdentifier {
        case number(Int64)
        case key(RecordKey)
    }

    /// Whether the operand has the same value for every row.
    var isConstant: Bool {
        switch content {
        case .path: false
        case .value, .row: true
        }
    }
}

/// The kind of an operand: the type of a value, or a row.
enum TypedKind: Equatable {
    case value(AttributeType)
    /// A row of the table with this index.
    case row(table: Int)
}

/// A path from a row, through to-one relationships, to a value.
struct TypedPath {
    let origin: Origin
    let hops: [RelationshipLayout]
    let end: End

    /// The row at which a path begins.
    struct Origin: Comparable {
        /// The number of conditions on linked rows that enclose the one on the row: 0 for the row
        /// that the predicate tests.
        let depth: Int

        /// The row that the predicate tests.
        static let row = Origin(depth: 0)

        static func < (left: Origin, right: Origin) -> Bool { left.depth < right.depth }
    }

    enum End {
        case row
        /// The column of an attribute.
        case column(table: Int, Int)
        /// The number of linked rows, or of those that satisfy a condition.
        case count(RelationshipLayout, where: TypedPredicate?)
    }
}

extension TypedKind {
    /// Whether values are stored as text and compared by their characters.
    ///
    /// Decimals are not.
    var isText: Bool {
        switch self {
        case .value(.string), .value(.uri), .value(.uuid), .value(.json): true
        default: false
        }
    }

    /// Whether values have an order.
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

    /// Returns whether values of two kinds can be compared, possibly after a lossless conversion.
    func isComparable(with other: TypedKind) -> Bool {
        if self == other { return self != .value(.transformable) }
        let pair = [self, other]
        if pair.allSatisfy({ $0.isWholeNumber || $0.isFloatingPoint }) { return true }
        if pair.allSatisfy({ $0.isWholeNumber || $0 == .value(.decimal) }) { return true }
        return pair.allSatisfy { [.value(.string), .value(.uri)].contains($0) }
    }
}

extension TypedTest {
    /// The condition as the existence of a row, or of none, if it compares the number of rows that
    /// satisfy a condition with zero: SQLite then stops at the first one.
    var asExistence: TypedPredicate? {
        guard case .path(let path) = left.content,
            case .count(let relationship, let condition?) = path.end
        else { return nil }
        let exists = TypedPredicate.exists(
            from: path.origin,
            path.hops + [relationship],
            condition
        )
        switch relation {
        case .ordered(.greater, let right) where right.isInteger(0),
            .ordered(.greaterOrEqual, let right) where right.isInteger(1):
            return exists
        // Without a row on the way to the relationship, the number is null, not zero.
        case .equal(let right) where right.isInteger(0) && path.hops.isEmpty,
            .ordered(.less, let right) where right.isInteger(1) && path.hops.isEmpty,
            .ordered(.lessOrEqual, let right) where right.isInteger(0) && path.hops.isEmpty:
            return .not(exists)
        case .equal, .ordered, .between, .among, .text, .pattern: return nil
        }
    }
}

extension TypedOperand {
    fileprivate func isInteger(_ number: Int64) -> Bool {
        guard case .value(.integer(number)) = content else { return false }
        return true
    }
}
