#if Macros

import SwiftSyntax

/// A type as it is written.
struct SourceType {
    /// The type without `Optional`.
    var type: String

    var isOptional = false

    /// The record type of a `One`.
    var one: String?

    /// The record type of a `Many`.
    var many: String?

    /// The element of an array or a set.
    var element: String?

    /// Whether it is a collection without a column: an array of bytes has one.
    var isCollection = false

    init(type: String) { self.type = type }

    init(_ syntax: TypeSyntax) {
        self.init(type: syntax.trimmedDescription)
        if let optional = syntax.as(OptionalTypeSyntax.self) {
            self = SourceType(optional.wrappedType)
            isOptional = true
        } else if let (name, argument) = syntax.specialization {
            switch name {
            case "Optional":
                self = SourceType(argument)
                isOptional = true
            case "One": one = argument.trimmedDescription
            case "Many": many = argument.trimmedDescription
            case "Array", "Set": collect(argument)
            default: break
            }
        } else if let array = syntax.as(ArrayTypeSyntax.self) {
            collect(array.element)
        } else {
            isCollection = syntax.isDictionary
        }
    }

    private mutating func collect(_ element: TypeSyntax) {
        let name = element.trimmedDescription
        self.element = name
        isCollection = name != "UInt8" && name != "Swift.UInt8"
    }
}

extension TypeSyntax {
    /// The name of a generic type, whatever module it is qualified by, and its only argument.
    fileprivate var specialization: (name: String, argument: TypeSyntax)? {
        let name: TokenSyntax
        let clause: GenericArgumentClauseSyntax?
        if let type = self.as(IdentifierTypeSyntax.self) {
            (name, clause) = (type.name, type.genericArgumentClause)
        } else if let type = self.as(MemberTypeSyntax.self) {
            (name, clause) = (type.name, type.genericArgumentClause)
        } else {
            return nil
        }
        guard let arguments = clause?.arguments, arguments.count == 1,
            case .type(let argument)? = arguments.first?.argument
        else { return nil }
        return (name.text, argument)
    }

    /// Whether it is `[Key: Value]` or `Dictionary<Key, Value>`.
    fileprivate var isDictionary: Bool {
        if let type = self.as(IdentifierTypeSyntax.self) { return type.name.text == "Dictionary" }
        if let type = self.as(MemberTypeSyntax.self) { return type.name.text == "Dictionary" }
        return self.is(DictionaryTypeSyntax.self)
    }

    /// Whether it is a function type, whose parameters must be escaping to be stored.
    var isFunction: Bool {
        if self.is(FunctionTypeSyntax.self) { return true }
        if let attributed = self.as(AttributedTypeSyntax.self) {
            return attributed.baseType.isFunction
        }
        if let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1 {
            return tuple.elements.first?.type.isFunction ?? false
        }
        return false
    }
}

extension ExprSyntax {
    /// The type of a literal; nil for other expressions.
    var literalType: String? {
        if self.is(IntegerLiteralExprSyntax.self) { return "Int" }
        if self.is(FloatLiteralExprSyntax.self) { return "Double" }
        if self.is(StringLiteralExprSyntax.self) { return "String" }
        if self.is(BooleanLiteralExprSyntax.self) { return "Bool" }
        if let negated = self.as(PrefixOperatorExprSyntax.self), negated.operator.text == "-" {
            return negated.expression.literalType
        }
        return nil
    }

    /// Whether an initial value is the same each time: a literal, or a case of the type such as
    /// `.active`.
    ///
    /// A static property of a date, such as `.now`, is not.
    func isConstant(of type: String) -> Bool {
        if let text = self.as(StringLiteralExprSyntax.self) {
            return text.segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
        }
        if literalType != nil { return true }
        guard let member = self.as(MemberAccessExprSyntax.self),
            member.declName.baseName.text != "none"
        else { return false }
        let isOfType = member.base.map { $0.trimmedDescription == type } ?? true
        return isOfType && !["Date", "UUID", "Foundation.Date", "Foundation.UUID"].contains(type)
    }
}

#endif
