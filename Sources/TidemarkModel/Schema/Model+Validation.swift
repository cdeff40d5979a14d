extension Model {
    /// How to declare a primary key, in each form of a model.
    package static let primaryKeyHint =
        "primaryKey in a model in YAML, userInfo tidemark.primaryKey in a Core Data model"

    /// Everything that is wrong or doubtful, errors first, each kind in the model's order.
    public func findings() -> [ModelIssue] {
        var check = ModelCheck(model: self)
        check.run()
        let sharing = check.entitiesWithSharedNames()
        for entity in entities where sharing.contains(entity.name) {
            check.checkRemoteNames(entity)
        }
        let errors = check.findings.filter { $0.severity == .error }
        return errors + check.findings.filter { $0.severity == .warning }
    }

    /// Makes sure that a store can be laid out from the model.
    ///
    /// ```swift
    /// for warning in try model.validate() { print(warning) }
    /// // User: It has no primary key, …
    /// ```
    ///
    /// - Returns: The warnings, such as entities without a primary key, which cannot be pulled.
    ///   ``findings()`` also reports attributes whose JSON names are taken by others, which takes
    ///   longer.
    /// - Throws: ``ModelError`` of kind `invalid` that names the first place and lists the next;
    ///   see ``findings()`` for all.
    @discardableResult
    public func validate() throws -> [ModelIssue] {
        var check = ModelCheck(model: self)
        check.run()
        let errors = check.findings.filter { $0.severity == .error }
        guard let first = errors.first else { return check.findings }
        let others = errors.dropFirst().prefix(9).map { "\n  \($0)" }.joined()
        let rest = errors.count > 10 ? "\n  … and \(errors.count - 10) more" : ""
        let list = others.isEmpty ? "" : "\nFurther errors:\(others)\(rest)"
        throw ModelError(
            .invalid,
            "\(first.place): \(first.message)",
            hint: (first.hint ?? "") + list
        )
    }
}

/// One walk over a model that notes what is wrong or doubtful.
///
/// Remote names are looked at apart from the rest: to work them out takes longest, and they make no
/// model wrong.
struct ModelCheck {
    let model: Model

    /// What has been found so far.
    private(set) var findings: [ModelIssue] = []

    /// The relationships that lead to an entity, by its name, each with the entity that declares
    /// it.
    let incoming: [String: [(owner: String, relationship: Relationship)]]

    /// How many entities declare a property of a name.
    let declarations: [String: Int]

    init(model: Model) {
        self.model = model
        var incoming: [String: [(owner: String, relationship: Relationship)]] = [:]
        var declarations: [String: Int] = [:]
        for entity in model.entities {
            for relationship in entity.relationships {
                incoming[relationship.destination, default: []].append((entity.name, relationship))
            }
            for (name, _) in PropertyKinds(entity).kinds { declarations[name, default: 0] += 1 }
        }
        self.incoming = incoming
        self.declarations = declarations
    }

    mutating func error(_ place: String, _ message: String, hint: String? = nil) {
        findings.append(ModelIssue(.error, place, message, hint: hint))
    }

    mutating func warning(_ place: String, _ message: String, hint: String? = nil) {
        findings.append(ModelIssue(.warning, place, message, hint: hint))
    }

    mutating func run() {
        checkEntityNames()
        checkInheritance()
        for entity in model.entities {
            checkPropertyNames(entity)
            checkAttributes(entity)
            for relationship in entity.relationships { check(relationship, of: entity) }
            check(annotations: entity.userInfo, at: entity.name)
            checkKey(entity)
            checkConstraints(entity)
        }
        for tree in model.trees { check(tree) }
    }
}
