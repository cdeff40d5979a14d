/// What a store holds: its entities, their attributes and the relationships between them.
///
/// A model is a plain value. It is read from Core Data's own bundles (``ModelBundle``), decoded
/// from YAML or JSON, or written down in Swift; all of these give the same value:
///
/// ```swift
/// let model = Model {
///     EntityDescription("Film") {
///         Attribute("id", .integer64, remoteKey: "url")
///         Attribute("title", .string)
///     }
/// }
/// ```
///
/// Nothing is checked on the way in. Call ``validate()`` before a model is used to lay out a store.
public struct Model: Hashable, Sendable {
    /// The entities, in the order the model declares them.
    public var entities: [EntityDescription] {
        didSet { lookup = ModelLookup() }
    }

    /// Where entities are found by name, built at the first use.
    private var lookup = ModelLookup()

    /// Creates a model of the given entities.
    public init(entities: [EntityDescription] = []) {
        self.entities = entities
    }

    /// Whether two models have the same entities, in the same order.
    public static func == (one: Model, other: Model) -> Bool { one.entities == other.entities }

    /// Hashes the entities.
    public func hash(into hasher: inout Hasher) { hasher.combine(entities) }

    /// The entity with this name, if the model has one.
    public subscript(name: String) -> EntityDescription? {
        lookup.places(in: entities).byName[name].map { entities[$0[0]] }
    }

    /// The entity and what it inherits from, nearest first; a cycle ends where it closes.
    public func lineage(of entity: EntityDescription) -> [EntityDescription] {
        var result = [entity]
        var names: Set = [entity.name]
        while let parent = result[result.count - 1].parent.flatMap({ self[$0] }),
            names.insert(parent.name).inserted
        {
            result.append(parent)
        }
        return result
    }

    /// The entity and every entity that inherits from it, in the model's order.
    public func family(of entity: EntityDescription) -> [EntityDescription] {
        let places = lookup.places(in: entities)
        var members: Set<Int> = []
        var names = [entity.name]
        while let name = names.popLast() {
            let found = places.byName[name, default: []] + places.byParent[name, default: []]
            for place in found where members.insert(place).inserted {
                names.append(entities[place].name)
            }
        }
        return members.sorted().map { entities[$0] }
    }

    /// Whether an entity inherits from one of this name.
    func hasChildren(_ name: String) -> Bool {
        lookup.places(in: entities).byParent[name] != nil
    }

    /// All attributes of an entity, inherited ones first.
    public func attributes(of entity: EntityDescription) -> [Attribute] {
        properties(of: entity, \.attributes, named: \.name)
    }

    /// All relationships of an entity, inherited ones first.
    public func relationships(of entity: EntityDescription) -> [Relationship] {
        properties(of: entity, \.relationships, named: \.name)
    }

    /// The relationship of an entity that has a name, which may be an inherited one.
    package func relationship(_ name: String, of entity: EntityDescription) -> Relationship? {
        for ancestor in lineage(of: entity) {
            if let own = ancestor.relationships.last(where: { $0.name == name }) { return own }
        }
        return nil
    }

    /// The inherited properties of an entity; one that an entity declares again replaces its
    /// parent's.
    private func properties<Property>(
        of entity: EntityDescription,
        _ own: KeyPath<EntityDescription, [Property]>,
        named name: KeyPath<Property, String>
    ) -> [Property] {
        var result: [Property] = []
        var places: [String: Int] = [:]
        for ancestor in lineage(of: entity).reversed() {
            for property in ancestor[keyPath: own] {
                if let place = places[property[keyPath: name]] {
                    result[place] = property
                } else {
                    places[property[keyPath: name]] = result.count
                    result.append(property)
                }
            }
        }
        return result
    }

    /// The local names of the attributes that make an entity's primary key; empty when it has none.
    ///
    /// The names an entity or its nearest ancestor declares; else `id`; else `remoteID`.
    public func primaryKey(of entity: EntityDescription) -> [String] {
        let lineage = lineage(of: entity)
        for ancestor in lineage where !ancestor.primaryKey.isEmpty {
            return ancestor.primaryKey
        }
        let usual = ["id", "remoteID"].first { name in
            lineage.contains { $0.attributes.contains { $0.name == name } }
        }
        return usual.map { [$0] } ?? []
    }
}
