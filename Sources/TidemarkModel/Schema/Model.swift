/// The schema of a store: its entities, their attributes and the relationships between them.
///
/// A model is a value. It is read from a Core Data bundle (`ModelBundle` of `TidemarkCoreData`),
/// decoded from YAML or JSON, or constructed in Swift. All of these yield the same value:
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
/// A model is not checked when it is created. Call ``validate()`` before you create a store from
/// it.
public struct Model: Hashable, Sendable {
    /// The entities, in the order in which the model declares them.
    public var entities: [EntityDescription] {
        // Copies of a model share the index. A change replaces it, so that the copies keep theirs.
        didSet { lookup = ModelLookup() }
    }

    /// The index of entities by name, built when it is first used.
    private var lookup = ModelLookup()

    /// Creates a model from the given entities.
    public init(entities: [EntityDescription] = []) {
        self.entities = entities
    }

    /// Returns whether two models have the same entities in the same order.
    public static func == (one: Model, other: Model) -> Bool { one.entities == other.entities }

    /// Hashes the entities.
    public func hash(into hasher: inout Hasher) { hasher.combine(entities) }

    /// The entity of the given name, or nil if the model has none.
    public subscript(name: String) -> EntityDescription? {
        lookup.indices(in: entities).byName[name].map { entities[$0[0]] }
    }

    /// Returns an entity and its ancestors, nearest first.
    ///
    /// A cycle, which makes a model invalid, is followed only once.
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

    /// Returns an entity and every entity that inherits from it, in the order of the model.
    public func family(of entity: EntityDescription) -> [EntityDescription] {
        let indices = lookup.indices(in: entities)
        var members: Set<Int> = []
        var names = [entity.name]
        while let name = names.popLast() {
            let found = indices.byName[name, default: []] + indices.byParent[name, default: []]
            for index in found where members.insert(index).inserted {
                names.append(entities[index].name)
            }
        }
        return members.sorted().map { entities[$0] }
    }

    /// Returns whether any entity inherits from the entity of this name.
    func hasChildren(_ name: String) -> Bool {
        lookup.indices(in: entities).byParent[name] != nil
    }

    /// Returns all attributes of an entity, inherited ones first.
    public func attributes(of entity: EntityDescription) -> [Attribute] {
        properties(of: entity, \.attributes, named: \.name)
    }

    /// Returns all relationships of an entity, inherited ones first.
    public func relationships(of entity: EntityDescription) -> [Relationship] {
        properties(of: entity, \.relationships, named: \.name)
    }

    /// Returns the relationship of the given name that an entity declares or inherits.
    package func relationship(_ name: String, of entity: EntityDescription) -> Relationship? {
        for ancestor in lineage(of: entity) {
            if let own = ancestor.relationships.last(where: { $0.name == name }) { return own }
        }
        return nil
    }

    /// Returns the properties of an entity, inherited ones first.
    ///
    /// A property that an entity declares again replaces that of its parent.
    private func properties<Property>(
        of entity: EntityDescription,
        _ own: KeyPath<EntityDescription, [Property]>,
        named name: KeyPath<Property, String>
    ) -> [Property] {
        var result: [Property] = []
        var indices: [String: Int] = [:]
        for ancestor in lineage(of: entity).reversed() {
            for property in ancestor[keyPath: own] {
                if let index = indices[property[keyPath: name]] {
                    result[index] = property
                } else {
                    indices[property[keyPath: name]] = result.count
                    result.append(property)
                }
            }
        }
        return result
    }

    /// Returns the names of the properties that form an entity's primary key; empty if it has none.
    ///
    /// These are the names that the entity or its nearest ancestor declares, otherwise `id`,
    /// otherwise `remoteID`, if the entity has such an attribute.
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
