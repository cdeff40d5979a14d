public import TidemarkModel
public import TidemarkStore

extension ConflictPolicies {
    /// Sets the policy for an attribute of a type.
    ///
    /// ```swift
    /// var policies = ConflictPolicies()
    /// policies.set(.localWins, for: \Note.Properties.text)
    /// ```
    ///
    /// It is the policy in ``ForEntity/properties``, with a name that the compiler checks.
    ///
    /// - Parameters:
    ///   - policy: The policy.
    ///   - attribute: The attribute.
    public mutating func set<Properties: EntityProperties, V>(
        _ policy: ConflictPolicy,
        for attribute: KeyPath<Properties, AttributeExpression<V>>
    ) where Properties == Properties.Record.Properties {
        let record = Properties.Record.self
        entities[record.entityName, default: ForEntity()]
            .properties[record.name(of: attribute)] = policy
    }

    /// Computes an attribute of a type from its three versions if both sides have changed it.
    ///
    /// ```swift
    /// var policies = ConflictPolicies()
    /// policies.merge(\Note.Properties.text) { base, local, remote in
    ///     [remote, local].compactMap(\.self).joined(separator: "\n")
    /// }
    /// ```
    ///
    /// It is ``ConflictPolicy/custom(_:)`` with values of the attribute's type; nil is null. If the
    /// type does not have one of the three values, or the closure throws, the conflict awaits a
    /// decision, as with ``ConflictPolicy/manual``.
    ///
    /// - Parameters:
    ///   - attribute: The attribute.
    ///   - merge: Returns the value that is kept, and pushed if it differs from the service's. Its
    ///     arguments are the value that the service had when the local change was made, the value
    ///     in the store, and the value that the service has now. It runs inside the transaction.
    public mutating func merge<Properties: EntityProperties, V: AttributeValue>(
        _ attribute: KeyPath<Properties, AttributeExpression<V>>,
        by merge: @escaping @Sendable (_ base: V?, _ local: V?, _ remote: V?) throws -> V?
    ) where Properties == Properties.Record.Properties {
        let policy = ConflictPolicy.custom { conflict in
            // A value that is taken for null would be overwritten at the service.
            func version(_ value: Value) throws -> V? {
                guard value != .null else { return nil }
                guard let version = V(attributeValue: value) else {
                    throw StoreError(
                        .invalidValue,
                        "\(conflict.row).\(conflict.attribute) has a value that \(V.self) lacks."
                    )
                }
                return version
            }
            let merged = try merge(
                version(conflict.base),
                version(conflict.local),
                version(conflict.remote)
            )
            return merged?.attributeValue ?? .null
        }
        set(policy, for: attribute)
    }
}
