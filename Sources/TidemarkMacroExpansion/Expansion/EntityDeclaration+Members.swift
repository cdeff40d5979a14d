#if Macros

extension EntityDeclaration {
    /// The protocols to which the expansion makes the struct conform.
    var protocols: [String] {
        ["TidemarkStore.EntityRecord"] + (id == .optional ? [] : ["Swift.Identifiable"])
    }

    /// What the expansion declares in the struct.
    var members: [String] {
        [
            "\(access)var rowID: TidemarkStore.RowID<\(type)> = .unsaved",
            id == .rowID ? "\(access)var id: TidemarkStore.RowID<\(type)> { rowID }" : nil,
            hasInitializer ? nil : initializer,
            "\(access)static let entityName = \(name)",
            description,
            expressions,
            inverseCheck,
            decoder,
            encoder,
        ]
        .compactMap(\.self)
    }

    /// The memberwise initializer.
    private var initializer: String {
        // As in Swift's memberwise initializer, a constant with a value has no parameter.
        let properties = properties.filter { !$0.isConstant || $0.initialValue == nil }
        let parameters = properties.map {
            "\($0.identifier): \($0.parameterType)\($0.parameterDefault)"
        }
        let assignments = properties.map { "    self.\($0.identifier) = \($0.identifier)" }
        return """
            \(access)init(\(parameters.joined(separator: ", "))) {
            \(assignments.joined(separator: "\n"))
            }
            """
    }
}

extension PropertyDeclaration {
    /// The type as it is declared.
    private var declaredType: String {
        guard isOptional else { return type }
        return isFunction || type.hasPrefix("any ") ? "(\(type))?" : "\(type)?"
    }

    fileprivate var parameterType: String {
        isFunction && !isOptional ? "@escaping \(type)" : declaredType
    }

    fileprivate var parameterDefault: String {
        switch kind {
        case .one: return " = nil"
        case .many: return " = .unloaded"
        case .attribute, .document, .transient:
            guard let value = initialValue ?? (isOptional ? "nil" : nil) else { return "" }
            return " = \(value)"
        }
    }
}

#endif
