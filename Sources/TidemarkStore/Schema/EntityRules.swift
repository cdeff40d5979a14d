import TidemarkModel

/// The conversions and the rules of the model for values that an app writes to rows of an entity.
///
/// Compiling them, regular expressions above all, takes longer than writing a row.
struct EntityRules: Sendable {
    private let rules: [Int: AttributeRule]

    init(_ entity: EntityLayout) throws(ModelError) {
        var rules: [Int: AttributeRule] = [:]
        for attribute in entity.attributes {
            rules[attribute.column] = try AttributeRule(attribute, of: entity)
        }
        self.rules = rules
    }

    /// The rule of the attribute in a column; nil if the entity has none there.
    subscript(column: Int) -> AttributeRule? { rules[column] }

    /// Converts a value to the type of an attribute.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - column: The column of an attribute of the entity.
    /// - Returns: The value as it is stored.
    /// - Throws: ``StoreError/Code/invalidValue``.
    func converted(_ value: Value, forColumn column: Int) throws(StoreError) -> Value {
        try rules[column]?.converted(value) ?? value
    }

    /// Checks that the model allows a converted value for an attribute.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - column: The column of an attribute of the entity.
    /// - Throws: ``StoreError/Code/invalidValue``.
    func check(_ value: Value, forColumn column: Int) throws(StoreError) {
        try rules[column]?.check(value)
    }
}
