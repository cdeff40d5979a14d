#if Macros

import SwiftDiagnostics
package import SwiftSyntax
package import SwiftSyntaxMacros

/// `@Entity`: makes a struct an `EntityRecord`.
///
/// The declaration is read into a value, from which the expansion is written as text. The text is
/// formatted, and is not parsed here: the compiler parses it anyway, and parsing it twice would be
/// most of what the macro costs.
///
/// A protocol, because the compiler looks for the macro in the module of its plugin, which tests
/// cannot depend on.
package protocol EntityExpanding: MemberMacro, ExtensionMacro {}

extension EntityExpanding {
    package static var formatMode: FormatMode { .disabled }

    package static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        // The compiler expands both roles: one of them reports.
        let reader = EntityReader(declaration, attribute: node)
        let entity = reader.read()
        for diagnostic in reader.diagnostics { context.diagnose(diagnostic) }
        return entity?.members.map { DeclSyntax(unparsed: $0) } ?? []
    }

    package static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) -> [ExtensionDeclSyntax] {
        guard let entity = EntityReader(declaration, attribute: node).read() else { return [] }
        // The compiler passes the protocols that the source does not state: repeating one is an
        // error.
        let wanted = protocols.compactMap { $0.trimmedDescription.split(separator: ".").last }
        let missing = entity.protocols.filter { name in
            name.split(separator: ".").last.map(wanted.contains) ?? false
        }
        guard !missing.isEmpty else { return [] }
        // The requirements are members of the struct: an extension of a nested struct does not find
        // the types in which it is nested.
        let conformances = missing.map { "nonisolated \($0)" }.joined(separator: ", ")
        return [
            ExtensionDeclSyntax(
                extensionKeyword: .keyword(.extension, trailingTrivia: .space),
                extendedType: IdentifierTypeSyntax(
                    name: .identifier(
                        "\(type.trimmedDescription): \(conformances)",
                        trailingTrivia: .space
                    )
                ),
                memberBlock: MemberBlockSyntax(members: [])
            )
        ]
    }
}

extension DeclSyntax {
    /// Creates a node whose only token is the text of declarations.
    fileprivate init(unparsed text: String) {
        self.init(MissingDeclSyntax(placeholder: .identifier(text)))
    }
}

#endif
