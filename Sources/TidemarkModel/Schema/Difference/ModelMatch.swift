/// Which elements of a new model go on with which of an old one.
///
/// A name that stays is the same thing; a renaming identifier tells what it was called before. It
/// is understood in both directions, so that a renaming can be undone by the model before it.
package struct ModelMatch: Sendable {
    /// The model that was.
    package let old: Model

    /// The model that is to be.
    package let new: Model

    private let oldEntities: [String: String]
    private let newEntities: [String: String]
    private let oldAttributes: [String: [String: Attribute]]
    private let oldRelationships: [String: [String: Relationship]]

    /// Compares two models.
    package init(_ old: Model, _ new: Model) {
        self.old = old
        self.new = new
        let pairs = Self.pairs(old.entities.map(Name.init), new.entities.map(Name.init))
        oldEntities = pairs
        newEntities = Dictionary(pairs.map { ($1, $0) }) { first, _ in first }
        oldAttributes = Self.properties(pairs, old, new, Model.attributes) { Name($0) }
        oldRelationships = Self.properties(pairs, old, new, Model.relationships) { Name($0) }
    }

    /// The old entity that goes on in a new one.
    package func oldEntity(_ name: String) -> EntityDescription? {
        oldEntities[name].flatMap { old[$0] }
    }

    /// The new entity in which an old one goes on.
    package func newEntity(_ name: String) -> EntityDescription? {
        newEntities[name].flatMap { new[$0] }
    }

    /// The old attribute, perhaps inherited, that goes on in one of a new entity.
    package func oldAttribute(_ name: String, of entity: String) -> Attribute? {
        oldAttributes[entity]?[name]
    }

    /// The new attribute of an entity in which an old one goes on.
    package func newAttribute(_ name: String, of entity: String) -> Attribute? {
        let found = oldAttributes[entity]?.first { $0.value.name == name }?.key
        return found.flatMap { name in
            new[entity].flatMap { new.attributes(of: $0).first { $0.name == name } }
        }
    }

    /// The old relationship, perhaps inherited, that goes on in one of a new entity.
    package func oldRelationship(_ name: String, of entity: String) -> Relationship? {
        oldRelationships[entity]?[name]
    }

    /// The new relationship of an entity in which an old one goes on.
    package func newRelationship(_ name: String, of entity: String) -> Relationship? {
        let found = oldRelationships[entity]?.first { $0.value.name == name }?.key
        return found.flatMap { name in
            new[entity].flatMap { new.relationships(of: $0).first { $0.name == name } }
        }
    }

    // MARK: Pairs

    /// What an element is called, and what it was called before.
    private struct Name {
        let name: String
        let former: String?

        init(_ entity: EntityDescription) { self.init(entity.name, entity.renamingIdentifier) }
        init(_ attribute: Attribute) { self.init(attribute.name, attribute.renamingIdentifier) }
        init(_ relationship: Relationship) {
            self.init(relationship.name, relationship.renamingIdentifier)
        }

        private init(_ name: String, _ former: String?) {
            self.name = name
            self.former = former == name ? nil : former
        }
    }

    /// The old name of each new element that has one.
    ///
    /// What is the same in both models comes first, so that a renaming that has been done is not
    /// done again; then what was renamed, then what has kept its name, then what was renamed back.
    private static func pairs(_ old: [Name], _ new: [Name]) -> [String: String] {
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
                guard let place = left.firstIndex(where: { rule($0, element) }) else { continue }
                pairs[element.name] = left.remove(at: place).name
            }
        }
        return pairs
    }

    private static func properties<Property>(
        _ entities: [String: String],
        _ old: Model,
        _ new: Model,
        _ properties: (Model) -> (EntityDescription) -> [Property],
        _ name: (Property) -> Name
    ) -> [String: [String: Property]] {
        var result: [String: [String: Property]] = [:]
        for entity in new.entities {
            guard let before = entities[entity.name].flatMap({ old[$0] }) else { continue }
            let known = properties(old)(before)
            let pairs = pairs(known.map(name), properties(new)(entity).map(name))
            result[entity.name] = pairs.compactMapValues { former in
                known.first { name($0).name == former }
            }
        }
        return result
    }
}
