extension Model {
    /// A hint that explains how to declare a primary key, in each form of a model.
    package static let primaryKeyHint =
        "primaryKey in a model in YAML, userInfo tidemark.primaryKey in a Core Data model"

    /// Returns all errors and warnings, errors first, each in the order of the model.
    ///
    /// In contrast to ``validate()``, this method also checks whether attributes conflict over JSON
    /// keys, which takes longer.
    package func findings() -> [ModelIssue] {
        var check = ModelCheck(model: self)
        check.run()
        // Only these can conflict. Computing the inherited keys of every entity takes quadratic
        // time.
        let sharing = check.entitiesWithSharedNames()
        for entity in entities where sharing.contains(entity.name) {
            check.checkRemoteNames(entity)
        }
        let errors = check.findings.filter { $0.severity == .error }
        return errors + check.findings.filter { $0.severity == .warning }
    }

    /// Checks that a store can be created from the model.
    ///
    /// Opening a store checks this, too. Call it in a test, or for a model that was read from a
    /// file, to report errors and warnings with their position and a way to resolve them.
    ///
    /// ```swift
    /// let model = Model {
    ///     EntityDescription("User") { Attribute("name", .string) }
    /// }
    /// for warning in try model.validate() { print(warning) }
    /// // User: It has no primary key, so its objects cannot be imported or pulled as a list of …
    /// ```
    ///
    /// - Returns: The warnings, such as entities without a primary key, which cannot be pulled as a
    ///   list.
    /// - Throws: ``ModelError`` with the code ``ModelError/Code/invalid``. It describes the first
    ///   error and lists up to nine more.
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
            "\(first.path): \(first.message)",
            hint: (first.hint ?? "") + list
        )
    }
}

/// One pass over a model that records its errors and warnings.
///
/// JSON keys are checked separately: computing them takes most of the time, and no conflict between
/// them makes a model invalid.
package struct ModelCheck {
    let model: Model

    /// The issues found so far.
    private(set) var findings: [ModelIssue] = []

    /// The relationships that lead to an entity, by the name of that entity, each with the entity
    /// that declares it.
    let incoming: [String: [(owner: String, relationship: Relationship)]]

    /// The number of entities that declare a property, by the name of the property.
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

    mutating func error(_ message: String, at path: String, hint: String? = nil) {
        findings.append(ModelIssue(.error, at: path, message: message, hint: hint))
    }

    mutating func warning(_ message: String, at path: String, hint: String? = nil) {
        findings.append(ModelIssue(.warning, at: path, message: message, hint: hint))
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
