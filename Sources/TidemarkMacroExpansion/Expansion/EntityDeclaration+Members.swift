#if Macros

extension EntityDeclaration {
    /// The protocols to which the expansion makes the struct conform.
    var protocols: [String] {
        ["TidemarkStore.EntityRecord"] + (id == .optional ? [] : ["Swift.Identifiable"])
    }

    /// What the expansion declares in the struct.
    ///
    /// All of it is nonisolated: a store reads and writes on threads of its own, and in a module
    /// whose default isolation is the main actor, so would be the members of the struct.
    var members: [String] {
        [
            "\(access)nonisolated var rowID: TidemarkStore.RowID<\(type)> = .unsaved",
            id == .rowID
                ? "\(access)nonisolated var id: TidemarkStore.RowID<\(type)> { rowID }" : nil,
            hasInitializer ? nil : initializer,
            "\(access)nonisolated static let entityName = \(name)",
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
            \(access)nonisolated init(\(parameters.joined(separator: ", "))) {
            \(assignments.joined(separator: "\n"))
            }
            """
    }
}

extension PropertyDeclaration {
    fileprivate var parameterType: String {
        isFunction ? "@escaping \(writtenType)" : writtenType
    }

    fileprivate var parameterDefault: String {
        switch kind {
        case .one: return " = nil"
        case .many: return " = .unloaded"
        case .attribute, .document, .transient:
            if let initialValue { return " = \(initialValue)" }
            return isOptional ? " = nil" : ""
        }
    }
}

#endif
