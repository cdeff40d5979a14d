package import TidemarkModel

/// Generates random models from which a store can be created.
package struct RandomModel {
    /// The features of the models, in addition to entities with keys, attributes of all types and
    /// relationships of all kinds.
    package struct Traits: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Entities without a primary key, in any relationship.
        package static let keyless = Traits(rawValue: 1)
        /// Entities without a primary key that are the children of one relationship, and are
        /// deleted with their parent.
        package static let ownedKeyless = Traits(rawValue: 2)
        /// Entities that inherit from an entity that has rows of its own.
        package static let concreteParents = Traits(rawValue: 4)
        /// Entities that inherit from an abstract entity.
        package static let abstractParents = Traits(rawValue: 8)
        /// Delete rules other than nullify.
        package static let deleteRules = Traits(rawValue: 16)
        /// Required attributes.
        package static let required = Traits(rawValue: 32)
        /// Uniqueness constraints.
        package static let uniques = Traits(rawValue: 64)
        /// Attributes that an export omits or cannot write.
        package static let unexportable = Traits(rawValue: 128)
        /// Relationships without an inverse.
        package static let unidirectional = Traits(rawValue: 256)
        /// Only one relationship, in addition to that of children without a key.
        package static let oneRelationship = Traits(rawValue: 512)
        /// Integers with a minimum and a maximum.
        package static let validations = Traits(rawValue: 1024)
        /// Attributes with date formats, whose values include the earliest and the latest dates.
        package static let dateFormats = Traits(rawValue: 2048)

        package static let all: Traits = [
            .keyless, .ownedKeyless, .concreteParents, .abstractParents, .deleteRules, .required,
            .uniques, .unexportable, .unidirectional, .validations,
        ]
    }

    private let traits: Traits
    var chance: Chance
    var entities: [EntityDescription] = []
    private var toOneNames: [String]
    private var toManyNames: [String]

    private init(seed: UInt64, _ traits: Traits) {
        self.traits = traits
        chance = Chance(seed: seed)
        toOneNames = chance.shuffled([
            "owner", "mainPart", "parentItem", "partner", "origin", "keeper", "twin", "leader",
            "homeBase", "sourceURL", "nextStep", "rootNode",
        ])
        toManyNames = chance.shuffled([
            "parts", "friends", "linkedTags", "subNodes", "members", "branches", "followers",
            "copies", "pieces", "relatives", "openIssues", "sideEffects",
        ])
    }

    /// Returns the model of a seed.
    package static func model(seed: UInt64, _ traits: Traits = .all) -> Model {
        var model = RandomModel(seed: seed, traits)
        model.addEntities()
        let count = traits.contains(.oneRelationship) ? 1 : model.chance.number(1...5)
        for _ in 0..<count { model.addRelationship() }
        if traits.contains(.ownedKeyless), model.chance.happens(40) { model.addChildren() }
        return Model(entities: model.entities)
    }

    // MARK: Entities

    private mutating func addEntities() {
        let names = chance.shuffled(["Author", "Book", "City", "Device", "Event", "Folder"])
        for name in names.prefix(chance.number(2...4)) {
            addTree(name)
        }
    }

    private mutating func addTree(_ name: String) {
        var attributes = RandomAttributes(&chance, traits)
        let isKeyless = traits.contains(.keyless) && chance.happens(20)
        let key = isKeyless ? RandomKey.none : RandomKey.any(&chance)
        // A list of references requires keys of one part, and a list of objects requires an entity
        // that is not abstract.
        let isAbstract =
            traits.contains(.abstractParents) && chance.happens(15) && key.attributes.count < 2
        let isParent = isAbstract || (traits.contains(.concreteParents) && chance.happens(15))
        var top = EntityDescription(
            name,
            isAbstract: isAbstract,
            primaryKey: key.primaryKey,
            attributes: key.attributes
                + attributes.some(&chance),
            identity: isAbstract ? .shared : nil
        )
        if traits.contains(.uniques), chance.happens(25) {
            top.uniquenessConstraints = unique(top, key)
        }
        entities.append(top)
        guard isParent else { return }
        for prefix in ["Small", "Tall"].prefix(chance.number(1...2)) {
            entities.append(
                EntityDescription(
                    "\(prefix)\(name)",
                    parent: name,
                    attributes: attributes.some(&chance)
                )
            )
        }
    }

    private mutating func unique(_ entity: EntityDescription, _ key: RandomKey) -> [[String]] {
        let names = entity.attributes.filter { attribute in
            !key.attributes.contains { $0.name == attribute.name } && !attribute.isTransient
                && [.string, .integer64, .uri].contains(attribute.type)
        }
        .map(\.name)
        return names.isEmpty ? [] : [Array(chance.shuffled(names).prefix(chance.number(1...2)))]
    }

    // MARK: Relationships

    private mutating func addRelationship() {
        let owner = chance.number(0...entities.count - 1)
        let other = chance.happens(25) ? owner : chance.number(0...entities.count - 1)
        guard traits.contains(.keyless) || !isKeyless(owner) && !isKeyless(other) else { return }
        let isToMany = chance.happens(60)
        guard let name = takeName(isToMany) else { return }
        var forward = relationship(name, to: other, isToMany)
        if traits.contains(.unidirectional), chance.happens(25) {
            entities[owner].relationships.append(forward)
            return
        }
        if owner == other, chance.happens(30) {
            forward.inverse = name
            // The links of a relationship that is its own inverse are symmetric and have no order.
            forward.isOrdered = false
            entities[owner].relationships.append(forward)
            return
        }
        let isBackToMany = chance.happens(50)
        guard let back = takeName(isBackToMany) else { return }
        forward.inverse = back
        var backward = relationship(back, to: owner, isBackToMany)
        backward.inverse = name
        entities[owner].relationships.append(forward)
        entities[other].relationships.append(backward)
    }

    private func isKeyless(_ index: Int) -> Bool {
        Model(entities: entities).primaryKey(of: entities[index]).isEmpty
    }

    private mutating func takeName(_ isToMany: Bool) -> String? {
        isToMany ? toManyNames.popLast() : toOneNames.popLast()
    }

    private mutating func relationship(
        _ name: String,
        to other: Int,
        _ isToMany: Bool
    ) -> Relationship {
        var result = Relationship(
            name,
            to: entities[other].name,
            isToMany: isToMany,
            isOrdered: isToMany && chance.happens(40)
        )
        if traits.contains(.deleteRules) {
            result.deleteRule = chance.pick([.nullify, .nullify, .cascade, .deny, .noAction])
        }
        let key = Model(entities: entities).primaryKey(of: entities[other])
        if chance.happens(12) {
            result.json.remoteKey = chance.pick(["the_\(name)", "links.\(name)"])
        }
        if key.count == 1, chance.happens(12) { result.json.referenceKeys = ["\(name)_ref"] }
        if key.count > 1, chance.happens(isToMany ? 50 : 20) {
            result.json.referenceKeys = key.map { "\(name)_\($0)_ref" }
        }
        // References with keys of several parts can be listed only as objects, and by default a row
        // that is removed from a list of objects is deleted. A service that still has the row would
        // contradict itself.
        if key.count > 1, isToMany, !traits.contains(.deleteRules) { result.orphans = .unlink }
        return result
    }

    /// Adds an entity without a key, whose rows are the children of another entity's rows.
    private mutating func addChildren() {
        let owner = chance.number(0...entities.count - 1)
        guard !isKeyless(owner), let name = takeName(true), let back = takeName(false) else {
            return
        }
        var attributes = RandomAttributes(&chance, traits)
        entities[owner].relationships.append(
            Relationship(
                name,
                to: "Line",
                isToMany: true,
                isOrdered: chance.happens(50),
                inverse: back,
                deleteRule: .cascade
            )
        )
        entities.append(
            EntityDescription(
                "Line",
                attributes: attributes.some(&chance),
                relationships: [Relationship(back, to: entities[owner].name, inverse: name)]
            )
        )
    }
}
