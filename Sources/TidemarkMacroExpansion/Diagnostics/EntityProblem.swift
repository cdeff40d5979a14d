#if Macros

import SwiftDiagnostics
import SwiftSyntax

/// What is wrong with a declaration, in a sentence that says what to write instead.
enum EntityProblem: DiagnosticMessage {
    case notAStruct
    case generic
    case conditional
    case pattern
    case entityName
    case missingType(String)
    case constantWithValue(String)
    case constantRelationship(String)
    case transientWithoutValue(String)
    case implicitlyUnwrapped(String)
    case collection(String)
    case array(String, of: String)
    case optionalRecord(String, of: String)
    case optionalList(String, of: String)
    case optionalLink(String, of: String)
    case orderedLink(String)
    case keyKind(String)
    case attributeMacro(String, macro: String)
    case contradiction(String, first: String, second: String)
    case emptyRemoteKey(String, key: String)
    case inverseNotAName(String)
    case notALiteral(label: String)
    case reserved(String)
    case reservedType(String)
    case invalidName(String)
    case sameName(String, as: String)
    case twoKeys
    case optionalID(type: String)

    var message: String {
        switch self {
        case .notAStruct: "An entity is a struct: declare it as one."
        case .generic: "An entity is a struct without generic parameters."
        case .conditional:
            "A macro does not see which branch is compiled: move the property out of “#if”."
        case .pattern: "Declare one property at a time: “var x: Int”."
        case .entityName: "Write the name of the entity as a string literal: @Entity(\"User\")."
        case .missingType(let name):
            "Write the type of “\(name)”: a macro sees only what is written."
        case .constantWithValue(let name):
            "“\(name)” is a constant with a value, which cannot be read from a row: make it a var."
        case .constantRelationship(let name):
            "“\(name)” is set after the record is read: make it a var."
        case .transientWithoutValue(let name):
            "“\(name)” has no column, so a record that is read needs a value for it: “= …”."
        case .implicitlyUnwrapped(let name):
            "“\(name)” would trap where the row has null: make it an optional with “?”."
        case .collection(let name):
            "“\(name)” is a collection: mark it with @JSON, or write Many<…> for linked rows."
        case .array(let name, let type):
            "“\(name)” is a relationship to several rows: write Many<\(type)>."
        case .optionalRecord(let name, let type):
            "“\(name)” is a relationship to one row: write One<\(type)>."
        case .optionalList(let name, let type):
            "Many<\(type)> is empty without linked rows: remove “?” from the type of “\(name)”."
        case .optionalLink(let name, let type):
            "One<\(type)> represents a missing link: remove “?” from the type of “\(name)”."
        case .orderedLink(let name):
            "A relationship to one row has no order: remove “isOrdered” from “\(name)”."
        case .keyKind(let name):
            "“\(name)” cannot be part of the primary key: use an attribute or a One."
        case .attributeMacro(let name, let macro):
            "@\(macro) applies to attributes, and “\(name)” is a relationship: use @Relationship."
        case .contradiction(let name, let first, let second):
            "“\(name)” cannot have both @\(first) and @\(second)."
        case .emptyRemoteKey(_, let key):
            "The remote key “\(key)” has an empty part: write names with single dots between them."
        case .inverseNotAName(let name):
            "Write the inverse of “\(name)” as a string literal, which the compiler checks."
        case .notALiteral(let label):
            "Write “\(label)” as true or false: a macro sees only what is written."
        case .reserved(let name):
            "Every record has a property “\(name)”: give this one another name."
        case .reservedType(let name):
            "Every record has a type “\(name)”: rename the struct, and keep the name of the entity "
                + "with @Entity(\"\(name)\")."
        case .invalidName(let name):
            "“\(name)” cannot be the name of a column: use a letter, then letters, digits and “_”."
        case .sameName(let name, let other):
            "SQLite does not distinguish “\(name)” from “\(other)”: rename one of them."
        case .twoKeys: "The primary key is declared twice: use primaryKey: or @PrimaryKey."
        case .optionalID(let type):
            "“id: \(type)?” identifies nothing before the service assigns a key: name it "
                + "“remoteID”, or mark it with @PrimaryKey to keep the name."
        }
    }

    var severity: DiagnosticSeverity {
        if case .optionalID = self { .warning } else { .error }
    }

    var diagnosticID: MessageID {
        // Without the names that the message contains: it identifies the kind of problem.
        MessageID(
            domain: "TidemarkMacros",
            id: String(String(describing: self).prefix { $0 != "(" })
        )
    }
}

/// What a fix-it does.
struct Correction: FixItMessage {
    let message: String

    var fixItID: MessageID { MessageID(domain: "TidemarkMacros", id: message) }
}

extension FixIt {
    /// Returns the fix-it that marks a property with `@JSON`.
    static func insertJSON(before variable: VariableDeclSyntax) -> FixIt {
        let specifier = variable.bindingSpecifier
        return .replace(specifier, with: "@JSON \(specifier.text)")
    }

    /// Returns the fix-it that replaces a node by other text.
    static func replace(_ node: some SyntaxProtocol, with text: String) -> FixIt {
        let replacement = TokenSyntax.identifier(
            text,
            leadingTrivia: node.leadingTrivia,
            trailingTrivia: node.trailingTrivia
        )
        return FixIt(
            message: Correction(message: "write “\(text)”"),
            changes: [.replace(oldNode: Syntax(node), newNode: Syntax(replacement))]
        )
    }
}

#endif
