/// The correspondence between the elements of an old model and those of a new one.
///
/// Elements of the same name correspond, and a renaming identifier specifies a previous name.
/// Renaming identifiers apply in both directions, so that migrating back to the old model undoes a
/// renaming.
package struct ModelMatch: Sendable {
    /// The model before the change.
    package let old: Model

    /// The model after the change.
    package let new: Model

    private let oldEntities: [String: String]
    private let newEntities: [String: String]
    private let oldAttributes: [String: [String: Attribute]]
    private let oldRelationships: [String: [String: Relationship]]

    /// Matches the elements of two models.
    package init(from old: Model, to new: Model) {
        self.old = old
        self.new = new
        let pairs = Self.pairs(from: old.entities.map(Name.init), to: new.entities.map(Name.init))
        oldEntities = pairs
        newEntities = Dictionary(pairs.map { ($1, $0) }) { first, _ in first }
        oldAttributes = Self.formerProperties(pairs, from: old, to: new) { model, entity in
            model.attributes(of: entity).map { (Name($0), $0) }
        }
        oldRelationships = Self.formerProperties(pairs, from: old, to: new) { model, entity in
            model.relationships(of: entity).map { (Name($0), $0) }
        }
    }

    /// Returns the old entity that corresponds to a new one.
    package func oldEntity(_ name: String) -> EntityDescription? {
        oldEntities[name].flatMap { old[$0] }
    }

    /// Returns the new entity that corresponds to an old one.
    package func newEntity(_ name: String) -> EntityDescription? {
        newEntities[name].flatMap { new[$0] }
    }

    /// Returns the old attribute, possibly inherited, that corresponds to one of a new entity.
    package func oldAttribute(_ name: String, of entity: String) -> Attribute? {
        oldAttributes[entity]?[name]
    }

    /// Returns the attribute of a new entity that corresponds to an old one.
    package func newAttribute(_ name: String, of entity: String) -> Attribute? {
        let found = oldAttributes[entity]?.first { $0.value.name == name }?.key
        return found.flatMap { name in
            new[entity].flatMap { new.attributes(of: $0).first { $0.name == name } }
        }
    }

    /// Returns the old relationship, possibly inherited, that corresponds to one of a new entity.
    package func oldRelationship(_ name: String, of entity: String) -> Relationship? {
        oldRelationships[entity]?[name]
    }

    /// Returns the relationship of a new entity that corresponds to an old one.
    package func newRelationship(_ name: String, of entity: String) -> Relationship? {
        let found = oldRelationships[entity]?.first { $0.value.name == name }?.key
        return found.flatMap { name in
            new[entity].flatMap { new.relationships(of: $0).first { $0.name == name } }
        }
    }

    // MARK: Pairs

    /// The name of an element, and its previous name.
    private struct Name {
        let name: String
        let former: String?

        init(_ entity: EntityDescription) {
            self.init(entity.name, former: entity.renamingIdentifier)
        }

        init(_ attribute: Attribute) {
            self.init(attribute.name, former: attribute.renamingIdentifier)
        }

        init(_ relationship: Relationship) {
            self.init(relationship.name, former: relationship.renamingIdentifier)
        }

        private init(_ name: String, former: String?) {
            self.name = name
            self.former = former == name ? nil : former
        }
    }

    /// Returns the old name of each new element that has one.
    ///
    /// The rules apply in order of precedence. Elements that are the same in both models are
    /// matched first, so that a renaming is not applied again in a later migration. Then follow
    /// elements that were renamed, that were both renamed from the same earlier name, that have the
    /// same name, and that were renamed back.
    private static func pairs(from old: [Name], to new: [Name]) -> [String: String] {
        var pairs: [String: String] = [:]
        var left = old
        let rules: [(Name, Name) -> Bool] = [
            { $0.name == $1.name && $0.former == $1.former },
            { $0.name == $1.former },
            { $0.former != nil && $0.former == $1.former },
            { $0.name == $1.name },
            { $0.former == $1.name },
        ]
        for rule in rules {
            for element in new where pairs[element.name] == nil {
                guard let index = left.firstIndex(where: { rule($0, element) }) else { continue }
                pairs[element.name] = left.remove(at: index).name
            }
        }
        return pairs
    }

    /// Returns the old property of each property of the new entities, by entity and name.
    private static func formerProperties<Property>(
        _ entities: [String: String],
        from old: Model,
        to new: Model,
        listing properties: (Model, EntityDescription) -> [(name: Name, property: Property)]
    ) -> [String: [String: Property]] {
        var result: [String: [String: Property]] = [:]
        for entity in new.entities {
            guard let before = entities[entity.name].flatMap({ old[$0] }) else { continue }
            let known = properties(old, before)
            let pairs = pairs(from: known.map(\.name), to: properties(new, entity).map(\.name))
            result[entity.name] = pairs.compactMapValues { former in
                known.first { $0.name.name == former }?.property
            }
        }
        return result
    }
}
