#if Macros

package import SwiftSyntax
package import SwiftSyntaxMacros

/// A macro that specifies an option of a property, such as `@PrimaryKey`, and expands to nothing.
///
/// ``EntityExpanding`` reads it from the declaration: a macro that expanded would cost the compiler
/// a call of the plugin for each property.
package protocol PropertyMarking: PeerMacro {}

extension PropertyMarking {
    package static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [DeclSyntax] { [] }
}

#endif
