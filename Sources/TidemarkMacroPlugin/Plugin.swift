#if Macros

import SwiftCompilerPlugin
import SwiftSyntaxMacros
import TidemarkMacroExpansion

/// The process that expands the macros of TidemarkMacros for the compiler.
@main
struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [EntityMacro.self, PropertyMacro.self]
}

/// `@Entity`.
struct EntityMacro: EntityExpanding {}

/// The macros of properties.
struct PropertyMacro: PropertyMarking {}

#else

/// Without the trait `Macros`, the package has no swift-syntax, and nothing to expand.
@main
struct Plugin {
    static func main() {}
}

#endif
