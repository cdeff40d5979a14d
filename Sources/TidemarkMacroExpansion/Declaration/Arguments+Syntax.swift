#if Macros

import SwiftSyntax

extension Arguments {
    /// Reads the arguments of a macro; one without a label has the label "".
    init(_ attribute: AttributeSyntax) {
        guard case .argumentList(let list) = attribute.arguments else { return }
        for argument in list {
            self[argument.label?.text ?? ""] = argument.expression.trimmedDescription
        }
    }
}

extension VariableDeclSyntax {
    /// The attributes of the property by their names.
    var macros: [String: AttributeSyntax] {
        var result: [String: AttributeSyntax] = [:]
        for case .attribute(let attribute) in attributes {
            // A qualified name ends with that of the macro.
            let name = attribute.attributeName.trimmedDescription.split(separator: ".").last
            result[name.map(String.init) ?? ""] = attribute
        }
        return result
    }
}

extension DeclModifierListSyntax {
    /// The access level of what the expansion declares, with a space; empty if it is internal.
    ///
    /// A member of an extension that is private would not be seen where the struct is, if that is
    /// private to its file.
    var access: String {
        for modifier in self where modifier.detail == nil {
            switch modifier.name.tokenKind {
            case .keyword(.public), .keyword(.package): return "\(modifier.name.text) "
            case .keyword(.private), .keyword(.fileprivate): return "fileprivate "
            default: continue
            }
        }
        return ""
    }

    /// Whether no row contains the variable: it is static or lazy.
    var isIgnored: Bool {
        contains { [.keyword(.static), .keyword(.lazy)].contains($0.name.tokenKind) }
    }
}

extension PatternBindingSyntax {
    /// Whether the variable is computed; one with observers is stored.
    var isComputed: Bool {
        switch accessorBlock?.accessors {
        case nil: false
        case .getter: true
        case .accessors(let accessors):
            !accessors.allSatisfy {
                [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
            }
        }
    }
}

extension MemberBlockItemListSyntax {
    /// Whether a computed property or one in a branch of `#if` has the name `id`.
    var declaresID: Bool {
        contains { member in
            if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
                return conditional.clauses.contains { clause in
                    guard case .decls(let members) = clause.elements else { return false }
                    return members.declaresID
                }
            }
            guard let variable = member.decl.as(VariableDeclSyntax.self),
                !variable.modifiers.contains(where: { $0.name.tokenKind == .keyword(.static) })
            else { return false }
            return variable.bindings.contains { $0.pattern.trimmedDescription == "id" }
        }
    }
}

extension IfConfigDeclSyntax {
    /// Whether a branch declares a stored property.
    var hasStoredProperty: Bool {
        clauses.contains { clause in
            guard case .decls(let members) = clause.elements else { return false }
            return members.contains { member in
                if let inner = member.decl.as(IfConfigDeclSyntax.self) {
                    return inner.hasStoredProperty
                }
                guard let variable = member.decl.as(VariableDeclSyntax.self) else { return false }
                return !variable.modifiers.isIgnored
                    && variable.bindings.contains { !$0.isComputed }
            }
        }
    }
}

extension TokenSyntax {
    /// The identifier without backticks.
    var identifierText: String { text.filter { $0 != "`" } }
}

extension String {
    /// Whether it is a string literal without interpolation or escapes.
    var isPlainText: Bool {
        count >= 2 && first == "\"" && last == "\"" && !dropFirst().dropLast().contains("\"")
            && !contains("\\")
    }

    /// Whether the store can have a column or table of this name.
    ///
    /// The rules of the length are the model's, which is validated when the store is opened.
    var isColumnName: Bool {
        guard let first = utf8.first, lowercased().hasPrefix("sqlite_") == false else {
            return false
        }
        let isLetter = { (byte: UInt8) in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        return isLetter(first)
            && utf8.allSatisfy {
                isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || $0 == UInt8(ascii: "_")
            }
    }
}

#endif
