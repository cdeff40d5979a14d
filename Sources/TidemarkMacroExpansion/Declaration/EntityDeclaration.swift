#if Macros

/// What a struct with `@Entity` declares.
struct EntityDeclaration {
    /// The name of the struct, as Swift code.
    var type: String

    /// The name of the entity, as a Swift expression.
    var name: String

    /// The arguments of `@Entity` after the name, by label.
    var arguments: Arguments

    /// The access level of what the expansion declares, with a space; empty if it is internal.
    var access: String

    /// The stored properties, in the order of the declaration.
    var properties: [PropertyDeclaration]

    /// Whether the struct declares an initializer, in which case it is given none.
    var hasInitializer: Bool

    /// What `id` is.
    var id: Identity

    enum Identity {
        /// The struct has no `id`: it is the row number.
        case rowID
        /// The struct declares one that identifies it.
        case declared
        /// The `id` of an unsaved row is nil, so that it identifies nothing.
        case optional
    }

    var attributes: [PropertyDeclaration] {
        properties.filter { $0.kind == .attribute || $0.kind == .document }
    }

    var relationships: [PropertyDeclaration] { properties.filter { $0.destination != nil } }

    /// The properties that a row contains, in its order: attributes, then to-one relationships.
    var columns: [PropertyDeclaration] {
        attributes.filter { !$0.isTransientAttribute } + relationships.filter { !$0.isToMany }
    }
}

/// A stored property of a struct with `@Entity`.
struct PropertyDeclaration {
    /// The identifier as Swift code: with backticks if it is a keyword.
    var identifier: String

    /// The access level of an expression for the property, with a space; empty if it is internal.
    var access: String

    /// The type as it is written, or as a literal implies.
    var writtenType: String

    /// The type without `Optional`, as Swift code.
    var type: String

    var isOptional: Bool

    /// Whether the property is declared with `let`.
    var isConstant = false

    /// Whether a parameter of the type needs `@escaping`.
    var isFunction = false

    /// The initial value, as a Swift expression.
    var initialValue: String?

    /// Whether the initial value is also the default in the model.
    var isModelDefault = false

    var kind: Kind

    /// The options that other macros specify.
    var options = Options()

    enum Kind: Equatable {
        case attribute
        /// An attribute with a JSON document.
        case document
        case one(String)
        case many(String)
        /// A property of the struct alone.
        case transient
    }

    struct Options {
        var isKey = false
        var isUnique = false
        var isIndexed = false
        var remoteKey: String?
        /// The arguments of `@Attribute` or `@Relationship`.
        var arguments = Arguments()
    }

    /// The name in the model.
    var name: String { identifier.filter { $0 != "`" } }

    /// The destination of a relationship, as a Swift type.
    var destination: String? {
        switch kind {
        case .one(let type), .many(let type): type
        case .attribute, .document, .transient: nil
        }
    }

    var isToMany: Bool {
        if case .many = kind { true } else { false }
    }

    var isTransientAttribute: Bool { options.arguments["isTransient"] == "true" }
}

/// The arguments of a macro, as Swift expressions by label.
///
/// They are those of an initializer of the model, and are passed on as they are.
struct Arguments {
    private(set) var expressions: [(label: String, expression: String)] = []

    subscript(label: String) -> String? {
        get { expressions.first { $0.label == label }?.expression }
        set {
            expressions.removeAll { $0.label == label }
            if let newValue { expressions.append((label, newValue)) }
        }
    }

    /// Returns the arguments for a call of an initializer whose parameters have the given labels.
    func inOrder(of labels: [String]) -> String {
        labels.compactMap { label in self[label].map { ", \(label): \($0)" } }.joined()
    }
}

#endif
