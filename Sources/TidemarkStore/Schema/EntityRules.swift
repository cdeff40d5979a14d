import TidemarkModel

/// The conversions and the rules of the model for values that an app writes to rows of an entity.
///
/// Compiling them, regular expressions above all, takes longer than writing a row.
final class EntityRules: Sendable {
    private let entity: EntityLayout
    private let rules: [Int: Rule]

    private struct Rule: Sendable {
        let attribute: Attribute
        let coercion: Coercion
        let validation: ValueRule?
        let isRequired: Bool
    }

    init(_ entity: EntityLayout) throws(ModelError) {
        self.entity = entity
        var rules: [Int: Rule] = [:]
        for layout in entity.attributes {
            let attribute = layout.attribute
            rules[layout.column] = Rule(
                attribute: attribute,
                coercion: try Coercion(attribute),
                validation: try ValueRule(attribute),
                // A row may have no primary key until the service assigns one.
                isRequired: !attribute.isOptional && !entity.key.contains(layout.column)
            )
        }
        self.rules = rules
    }

    /// Converts a value to the type of an attribute.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - column: The column of an attribute of the entity.
    /// - Returns: The value as it is stored.
    /// - Throws: ``StoreError/Code/invalidValue``.
    func converted(_ value: Value, forColumn column: Int) throws(StoreError) -> Value {
        guard let rule = rules[column] else { return value }
        if value.hasStoredForm(of: rule.attribute.type) { return value }
        do throws(CoercionFailure) {
            return try rule.coercion.coerce(value)
        } catch {
            throw StoreError(.invalidValue, "\(entity.name).\(rule.attribute.name): \(error)")
        }
    }

    /// Checks that the model allows a converted value for an attribute.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - column: The column of an attribute of the entity.
    /// - Throws: ``StoreError/Code/invalidValue``.
    func check(_ value: Value, forColumn column: Int) throws(StoreError) {
        guard let rule = rules[column] else { return }
        let violation: String?
        // The database requires values only in columns of the root entity of a tree, and its error
        // message contains neither the rule nor a suggestion.
        if value == .null, rule.isRequired {
            violation = "A row must have a value."
        } else {
            violation = rule.validation?.violation(value)
        }
        guard let violation else { return }
        throw StoreError(.invalidValue, "\(entity.name).\(rule.attribute.name): \(violation)")
    }
}

extension Value {
    /// Whether the value is stored as it is by an attribute of a type, so that a conversion would
    /// return it.
    fileprivate func hasStoredForm(of type: AttributeType) -> Bool {
        switch (self, type) {
        case (.null, _), (.integer, .integer64), (.string, .string), (.boolean, .boolean),
            (.binary, .binary):
            true
        case (.double(let number), .double): number.isFinite
        default: false
        }
    }
}
