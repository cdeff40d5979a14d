import TidemarkImport
import TidemarkModel

extension Configuration {
    /// Who decides where local changes and those of the service contradict each other.
    struct ConflictsSection: Decodable {
        /// The policies by the key of the section: `default`, `deletes`, or an entity.
        private let policies: [String: Policies]

        /// One policy, or those of an entity by property.
        private enum Policies: Decodable {
            case one(String)
            case entity([String: String])

            init(from decoder: any Decoder) throws {
                let text = Result { try decoder.singleValueContainer().decode(String.self) }
                if case .success(let text) = text {
                    self = .one(text)
                } else {
                    self = .entity(try [String: String](from: decoder))
                }
            }
        }

        init(from decoder: any Decoder) throws {
            policies = try [String: Policies](from: decoder)
        }

        /// Returns the policies for a model.
        ///
        /// - Parameter model: The model, whose entities and properties the section names.
        /// - Returns: The policies.
        /// - Throws: ``Failure`` for a name or a policy that is not known.
        func policies(for model: Model) throws -> ConflictPolicies {
            var result = ConflictPolicies()
            if case .one(let text)? = policies["default"] {
                result.default = try ConflictPolicy.parse(text, at: "conflicts.default")
            }
            if case .one(let text)? = policies["deletes"] {
                result.deletes = try DeletePolicy.parse(text, at: "conflicts.deletes")
            }
            for (name, policies) in policies.sorted(by: { $0.key < $1.key }) {
                switch (name, policies) {
                case ("default", .one), ("deletes", .one): continue
                case (_, .one(let text)):
                    let policy = try ConflictPolicy.parse(text, at: "conflicts.\(name)")
                    result.entities[name] = .init(policy)
                case (_, .entity(let texts)):
                    result.entities[name] = try Self.policies(texts, at: "conflicts.\(name)")
                }
            }
            do {
                try result.check(model)
            } catch let problem as ConflictPolicies.Problem {
                throw Failure(.data, "\(problem.message) \(problem.hint)")
            }
            return result
        }

        private static func policies(
            _ texts: [String: String],
            at keyPath: String
        ) throws -> ConflictPolicies.ForEntity {
            var result = ConflictPolicies.ForEntity()
            for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
                let keyPath = "\(keyPath).\(name)"
                switch name {
                case "default": result.default = try ConflictPolicy.parse(text, at: keyPath)
                case "deletes": result.deletes = try DeletePolicy.parse(text, at: keyPath)
                default: result.properties[name] = try ConflictPolicy.parse(text, at: keyPath)
                }
            }
            return result
        }
    }
}

extension ConflictPolicy {
    fileprivate static func parse(_ text: String, at keyPath: String) throws -> ConflictPolicy {
        switch text {
        case "remoteWins": return .remoteWins
        case "localWins": return .localWins
        case "manual": return .manual
        default:
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, parts[0] == "latestWins" else {
                throw Failure(
                    .data,
                    "\(keyPath): \(text) is not known. Write remoteWins, localWins, manual or "
                        + "latestWins:ATTRIBUTE."
                )
            }
            return .latestWins(by: parts[1])
        }
    }
}

extension DeletePolicy {
    fileprivate static func parse(_ text: String, at keyPath: String) throws -> DeletePolicy {
        guard let policy = DeletePolicy(rawValue: text) else {
            let known = allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure(.data, "\(keyPath): \(text) is not known. Write one of \(known).")
        }
        return policy
    }
}
