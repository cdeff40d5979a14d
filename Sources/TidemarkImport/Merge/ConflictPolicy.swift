public import TidemarkModel
public import TidemarkStore

/// The decision between a local change that was not pushed, and a change of the same property at
/// the service.
///
/// Whatever the decision is, the conflict is recorded with all three values, and can be decided
/// again: see `Conflicts`.
///
/// ```swift
/// let policies = ConflictPolicies(
///     default: .remoteWins,
///     entities: ["Note": .init(.localWins, properties: ["text": .latestWins(by: "editedAt")])])
/// ```
public struct ConflictPolicy: Sendable {
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

    /// The service's value replaces the local one, which is only in the record of the conflict.
    ///
    /// The default.
    public static let remoteWins = ConflictPolicy(rule: .remote, name: "remoteWins")

    /// The local value is kept, and pushed.
    public static let localWins = ConflictPolicy(rule: .local, name: "localWins")

    /// The local value is kept, and not pushed until a user has decided.
    ///
    /// Other properties of the row are not pushed either.
    public static let manual = ConflictPolicy(rule: .manual, name: "manual")

    /// The value of the side whose object has the later value of an attribute wins, such as the
    /// time of the last edit; the service's value if it is equal or missing.
    ///
    /// The clocks of all devices are trusted. For a reference that the list of another object
    /// contradicts, the service wins: that list has no such attribute.
    ///
    /// ```swift
    /// let policies = ConflictPolicies(default: .latestWins(by: "updatedAt"))
    /// ```
    ///
    /// - Parameter attribute: The name of the attribute.
    /// - Returns: The policy.
    public static func latestWins(by attribute: String) -> ConflictPolicy {
        ConflictPolicy(rule: .latest(by: attribute), name: "latestWins:\(attribute)")
    }

    /// Computes the value of an attribute from the three versions.
    ///
    /// For relationships, the service wins. If the closure throws, or the model does not allow the
    /// value, the conflict awaits a decision, as with ``manual``, and a pull reports the error as a
    /// diagnostic.
    ///
    /// ```swift
    /// let both = ConflictPolicy.custom { conflict in
    ///     guard case .string(let mine) = conflict.local, case .string(let hers) = conflict.remote
    ///     else { return conflict.remote }
    ///     return .string(hers + "\n" + mine)
    /// }
    /// ```
    ///
    /// - Parameter body: Returns the value that is kept, and pushed if it differs from the
    ///   service's. It runs inside the transaction, and blocks other writers.
    /// - Returns: The policy.
    public static func custom(
        _ body: @escaping @Sendable (ValueConflict) throws -> Value
    ) -> ConflictPolicy {
        ConflictPolicy(rule: .custom(body), name: "custom")
    }
}

/// The versions of an attribute that both sides have changed: what a policy of an app decides
/// about.
///
/// See ``ConflictPolicy/custom(_:)``. Absent values are `Value.null`.
public struct ValueConflict: Sendable, Hashable {
    /// The row.
    public let row: RowReference

    /// The name of the attribute.
    public let attribute: String

    /// The value that the service had when the local change was made.
    public let base: Value

    /// The value in the store.
    public let local: Value

    /// The value that the service has now.
    public let remote: Value
}

/// The policies for the conflicts of a store.
///
/// Pass them to an importer, or to `SyncEngine.prepare`. What is not set for an entity is inherited
/// from its parent entity, and then the default.
///
/// ```swift
/// var policies = ConflictPolicies(default: .localWins, deletes: .editWins)
/// policies.entities["Invoice"] = .init(.manual, deletes: .manual)
/// ```
public struct ConflictPolicies: Sendable {
    /// The policies for an entity, and for those that inherit from it.
    public struct ForEntity: Sendable {
        /// The policy for properties that have none of their own; nil for that of the parent
        /// entity, or of the store.
        public var `default`: ConflictPolicy?

        /// The policies for attributes and relationships, by name.
        public var properties: [String: ConflictPolicy]

        /// The policy for deletions; nil for that of the parent entity, or of the store.
        public var deletes: DeletePolicy?

        /// Creates the policies for an entity.
        ///
        /// - Parameters:
        ///   - default: The policy for properties that have none of their own. Defaults to nil:
        ///     that of the parent entity, or of the store.
        ///   - properties: The policies for attributes and relationships, by name. Defaults to
        ///     none.
        ///   - deletes: The policy for deletions. Defaults to nil: that of the parent entity, or of
        ///     the store.
        public init(
            _ default: ConflictPolicy? = nil,
            properties: [String: ConflictPolicy] = [:],
            deletes: DeletePolicy? = nil
        ) {
            self.default = `default`
            self.properties = properties
            self.deletes = deletes
        }
    }

    /// The policy for properties whose entity has none for them.
    public var `default`: ConflictPolicy

    /// The policy for deletions of entities that have none for them.
    public var deletes: DeletePolicy

    /// The policies for entities, by name.
    public var entities: [String: ForEntity]

    /// Creates policies.
    ///
    /// - Parameters:
    ///   - default: The policy for properties whose entity has none for them. Defaults to the
    ///     service's value.
    ///   - deletes: The policy for deletions. Defaults to what the service says.
    ///   - entities: The policies for entities, by name. Defaults to none.
    public init(
        default: ConflictPolicy = .remoteWins,
        deletes: DeletePolicy = .remoteWins,
        entities: [String: ForEntity] = [:]
    ) {
        self.default = `default`
        self.deletes = deletes
        self.entities = entities
    }

    /// Returns these policies with those that entities inherit from their parent entities.
    func inherited(in model: Model) -> ConflictPolicies {
        guard !entities.isEmpty else { return self }
        var all = self
        for entity in model.entities {
            let known = model.lineage(of: entity).compactMap { entities[$0.name] }
            guard var own = known.first else { continue }
            for inherited in known.dropFirst() {
                own.default = own.default ?? inherited.default
                own.deletes = own.deletes ?? inherited.deletes
                own.properties.merge(inherited.properties) { own, _ in own }
            }
            all.entities[entity.name] = own
        }
        return all
    }

    func policy(for property: String, of entity: String) -> ConflictPolicy {
        let own = entities[entity]
        return own?.properties[property] ?? own?.default ?? `default`
    }

    func deletePolicy(of entity: String) -> DeletePolicy {
        entities[entity]?.deletes ?? deletes
    }
}
