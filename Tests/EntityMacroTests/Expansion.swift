import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import TidemarkMacroExpansion

/// What the macros make of a source.
struct Expansion {
    /// The source with the expansions.
    let text: String

    /// What the compiler would print, such as `3:9 error: …`, and each fix-it below.
    let diagnostics: [String]

    init(of source: String) {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(
            sourceFiles: [file: .init(moduleName: "App", fullFilePath: "App.swift")]
        )
        let markers = [
            "PrimaryKey", "Unique", "Indexed", "RemoteKey", "JSON", "Transient", "Attribute",
            "Relationship",
        ]
        let entity = MacroSpec(
            type: EntityMacro.self,
            conformances: ["TidemarkStore.EntityRecord", "Swift.Identifiable"]
        )
        var macros = Dictionary(
            uniqueKeysWithValues: markers.map { ($0, MacroSpec(type: PropertyMacro.self)) }
        )
        macros["Entity"] = entity
        let expanded = file.expand(macroSpecs: macros) { syntax in
            BasicMacroExpansionContext(
                sharingWith: context,
                lexicalContext: syntax.allMacroLexicalContexts()
            )
        }
        text = expanded.description
        diagnostics = context.diagnostics.flatMap { diagnostic in
            let place = context.location(
                for: diagnostic.position,
                anchoredAt: diagnostic.node,
                fileName: "App.swift"
            )
            let severity = diagnostic.diagMessage.severity
            return ["\(place.line):\(place.column) \(severity): \(diagnostic.message)"]
                + diagnostic.fixIts.flatMap { $0.changes.map(\.summary) }
        }
    }
}

private struct EntityMacro: EntityExpanding {}

private struct PropertyMacro: PropertyMarking {}

extension FixIt.Change {
    /// The old and the new text.
    fileprivate var summary: String {
        guard case .replace(let old, let new) = self else { return "\(self)" }
        return "  \(old.trimmedDescription) → \(new.trimmedDescription)"
    }
}
