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
    case array(String, of: String)
    case optionalRecord(String, of: String)
    case optionalList(String, of: String)
    case optionalLink(String, of: String)
    case orderedLink(String)
    case keyKind(String)
    case attributeFact(String, macro: String)
    case contradiction(String, first: String, second: String)
    case emptyRemoteKey(String, key: String)
    case inverseNotAName(String)
    case reserved(String)
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
        case .entityName: "Write the name of the entity as a text: @Entity(\"User\")."
        case .missingType(let name):
            "Write the type of “\(name)”: a macro sees only what is written."
        case .constantWithValue(let name):
            "“\(name)” is a constant with a value, which cannot be read from a row: make it a var."
        case .constantRelationship(let name):
            "“\(name)” is filled after the record is read: make it a var."
        case .transientWithoutValue(let name):
            "“\(name)” is in no row, so a record that is read needs a value for it: “= …”."
        case .implicitlyUnwrapped(let name):
            "“\(name)” would trap where the row has null: make it an optional with “?”."
        case .array(let name, let type): "“\(name)” leads to rows: write Many<\(type)>."
        case .optionalRecord(let name, let type): "“\(name)” leads to a row: write One<\(type)>."
        case .optionalList(let name, let type):
            "“\(name)” is empty without linked rows, not nil: write Many<\(type)>."
        case .optionalLink(let name, let type):
            "“\(name)” has a value for no link, which is not nil: write One<\(type)>."
        case .orderedLink(let name): "“\(name)” leads to one row, which has no order."
        case .keyKind(let name):
            "“\(name)” cannot be the primary key: a key is an attribute, or a One."
        case .attributeFact(let name, let macro):
            "“\(name)” is a relationship, and @\(macro) is of attributes: write @Relationship."
        case .contradiction(let name, let first, let second):
            "“\(name)” cannot have both @\(first) and @\(second)."
        case .emptyRemoteKey(_, let key):
            "The remote key “\(key)” has an empty part: write names with single dots between them."
        case .inverseNotAName(let name):
            "The inverse of “\(name)” is checked by the compiler: write its name as a text."
        case .reserved(let name): "Every record has a “\(name)”: give the property another name."
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
        MessageID(domain: "TidemarkMacros", id: String(describing: self))
    }
}

/// What a fix-it does.
struct Correction: FixItMessage {
    let message: String

    var fixItID: MessageID { MessageID(domain: "TidemarkMacros", id: message) }
}

extension FixIt {
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
