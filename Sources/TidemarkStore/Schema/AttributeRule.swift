import TidemarkModel

/// The conversion and the rules of the model for the values that an app writes to an attribute.
///
/// A class: copying the parts would take longer than most conversions.
final class AttributeRule: Sendable {
    private let name: String
    private let type: AttributeType
    private let coercion: Coercion
    private let validation: ValueRule?
    private let isRequired: Bool

    init(_ attribute: AttributeLayout, of entity: EntityLayout) throws(ModelError) {
        name = "\(entity.name).\(attribute.attribute.name)"
        type = attribute.attribute.type
        coercion = try Coercion(attribute.attribute)
        validation = try ValueRule(attribute.attribute)
        // A row may have no primary key until the service assigns one.
        isRequired = !attribute.attribute.isOptional && !entity.key.contains(attribute.column)
    }

    /// Converts a value to the type of the attribute.
    ///
    /// - Parameter value: The value.
    /// - Returns: The value as it is stored.
    /// - Throws: ``StoreError/Code/invalidValue``.
    func converted(_ value: Value) throws(StoreError) -> Value {
        if value.hasStoredForm(of: type) { return value }
        do throws(CoercionFailure) {
            return try coercion.coerce(value)
        } catch {
            throw StoreError(.invalidValue, "\(name): \(error)")
        }
    }

    /// Checks that the model allows a converted value.
    ///
    /// - Parameter value: The value.
    /// - Throws: ``StoreError/Code/invalidValue``.
    func check(_ value: Value) throws(StoreError) {
        let violation: String?
        // The database requires values only in columns of the root entity of a tree, and its error
        // message contains neither the rule nor a suggestion.
        if value == .null, isRequired {
            violation = "A row must have a value."
        } else {
            violation = validation?.violation(value)
        }
        guard let violation else { return }
        throw StoreError(.invalidValue, "\(name): \(violation)")
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
