package import TidemarkModel

extension ConflictPolicies {
    /// A policy that names something that the model does not have.
    package struct Problem: Error, Hashable, Sendable {
        /// What is wrong, as a sentence that begins with the place of the policy.
        package let message: String

        /// How to correct it, as a sentence.
        package let hint: String
    }

    /// Checks that the model has the entities and properties that the policies name.
    ///
    /// - Parameter model: The model of the store.
    /// - Throws: ``Problem``.
    package func check(_ model: Model) throws {
        let all = model.entities.flatMap { model.attributes(of: $0).map(\.name) }
        try `default`.check(at: "conflicts.default", attributes: Set(all), of: "the model")
        for (name, policies) in entities.sorted(by: { $0.key < $1.key }) {
            guard let entity = model[name] else {
                throw Problem(
                    message: "conflicts.\(name): the model has no entity \(name).",
                    hint: "Write default, deletes, or an entity."
                )
            }
            let attributes = Set(model.attributes(of: entity).map(\.name))
            let known = attributes.union(model.relationships(of: entity).map(\.name))
            for (property, policy) in policies.properties.sorted(by: { $0.key < $1.key }) {
                let place = "conflicts.\(name).\(property)"
                guard known.contains(property) else {
                    throw Problem(
                        message: "\(place): \(name) has neither an attribute nor a relationship of "
                            + "this name.",
                        hint: "Write default, deletes, or one of its properties."
                    )
                }
                try policy.check(at: place, attributes: attributes, of: name)
            }
            try policies.default?.check(
                at: "conflicts.\(name).default",
                attributes: attributes,
                of: name
            )
        }
    }
}

extension ConflictPolicy {
    fileprivate func check(at place: String, attributes: Set<String>, of owner: String) throws {
        guard case .latest(let attribute) = rule, !attributes.contains(attribute) else { return }
        throw ConflictPolicies.Problem(
            message: "\(place): \(owner) has no attribute \(attribute).",
            hint: "Write latestWins with an attribute that has the time of the last change."
        )
    }
}
