package import TidemarkModel

/// The decision between a local change that was not pushed, and a change of the same property at
/// the service.
///
/// Whatever the decision is, the conflict is recorded with all three values, and can be decided
/// again.
package struct ConflictPolicy: Sendable {
    enum Rule: Sendable {
        case remote
        case local
        case latest(by: String)
        case manual
        case custom(@Sendable (ValueConflict) throws -> Value)
    }

    let rule: Rule

    /// The name of the policy in conflict records.
    let name: String

    /// The service's value replaces the local one.
    package static let remoteWins = ConflictPolicy(rule: .remote, name: "remoteWins")

    /// The local value is kept, and pushed.
    package static let localWins = ConflictPolicy(rule: .local, name: "localWins")

    /// The local value is kept, and not pushed until a user has decided.
    package static let manual = ConflictPolicy(rule: .manual, name: "manual")

    /// The value of the side whose object has the later value of an attribute wins, such as the
    /// time of the last edit; the service's value if it is equal or missing.
    ///
    /// The clocks of all devices are trusted.
    package static func latestWins(by attribute: String) -> ConflictPolicy {
        ConflictPolicy(rule: .latest(by: attribute), name: "latestWins:\(attribute)")
    }

    /// Computes the value from the three versions.
    ///
    /// - Parameter body: Returns the value that is kept, and pushed if it differs from the
    ///   service's. It runs inside the transaction, and blocks other writers.
    /// - Returns: The policy.
    package static func custom(
        _ body: @escaping @Sendable (ValueConflict) throws -> Value
    ) -> ConflictPolicy {
        ConflictPolicy(rule: .custom(body), name: "custom")
    }
}

/// The versions of a property that both sides have changed.
package struct ValueConflict: Sendable, Hashable {
    /// The name of the row's entity.
    package let entity: String

    /// The name of the attribute.
    package let attribute: String

    /// The value that the service had when the local change was made.
    package let base: Value

    /// The value in the store.
    package let local: Value

    /// The value that the service has now.
    package let remote: Value
}

/// The policies for the conflicts of a store.
package struct ConflictPolicies: Sendable {
    /// The policies for an entity.
    package struct ForEntity: Sendable {
        /// The policy for properties that have none of their own.
        package var policy: ConflictPolicy

        /// The policies for attributes and relationships, by name.
        package var properties: [String: ConflictPolicy]

        /// The policy for deletions; nil for that of the store.
        package var deletes: DeletePolicy?

        package init(
            _ policy: ConflictPolicy,
            properties: [String: ConflictPolicy] = [:],
            deletes: DeletePolicy? = nil
        ) {
            self.policy = policy
            self.properties = properties
            self.deletes = deletes
        }
    }

    /// The policy for entities that have none of their own.
    package var `default`: ConflictPolicy

    /// The policy for deletions of entities that have none of their own.
    package var deletes: DeletePolicy

    /// The policies for entities, by name.
    package var entities: [String: ForEntity]

    /// The entities whose keys the client chooses: an object that is created again keeps its key.
    package var entitiesWithClientKeys: Set<String> = []

    package init(
        default: ConflictPolicy = .remoteWins,
        deletes: DeletePolicy = .remoteWins,
        entities: [String: ForEntity] = [:]
    ) {
        self.default = `default`
        self.deletes = deletes
        self.entities = entities
    }

    func policy(for property: String, of entity: String) -> ConflictPolicy {
        let own = entities[entity]
        return own?.properties[property] ?? own?.policy ?? `default`
    }

    func deletePolicy(of entity: String) -> DeletePolicy {
        entities[entity]?.deletes ?? deletes
    }
}
