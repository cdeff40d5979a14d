// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The macros of SwiftData that share a name with a type of Tidemark. Macros of the toolchain
// implement them: the first adds a conformance, the others expand to nothing.
import Observation

@attached(extension, conformances: Observable)
public macro Model() = #externalMacro(module: "ObservationMacros", type: "ObservableMacro")

@attached(accessor, names: named(willSet))
public macro Attribute(_ options: Schema.Attribute.Option...) =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

@attached(accessor, names: named(willSet))
public macro Relationship(deleteRule: Schema.Relationship.DeleteRule) =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

extension Schema {
    public enum Attribute {
        public enum Option {
            case unique
        }
    }

    public enum Relationship {
        public enum DeleteRule {
            case cascade
        }
    }
}
