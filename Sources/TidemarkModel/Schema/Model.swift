/// A model of the objects in a store: entities, their attributes and their relationships.
///
/// A model corresponds to a managed object model of Core Data. It is a value: it is read from a
/// Core Data bundle (`ModelBundle` of `TidemarkCoreData`), decoded from YAML or JSON, or
/// constructed in Swift. All of these yield the same value:
///
/// ```swift
/// let model = Model {
///     EntityDescription("Film") {
///         Attribute("id", .integer64, remoteKey: "url")
///         Attribute("title", .string)
///     }
/// }
/// let store = try Store.open(at: "films.sqlite", model: model)
/// ```
///
/// A store contains its model. If it is opened with another one, it is migrated: set
/// `renamingIdentifier` of what was renamed, so that its values are kept. A model is not checked
/// when it is created. Opening a store checks it; call ``validate()`` to do that earlier, for
/// example in a test.
public struct Model: Hashable, Sendable {
    /// The entities, in the order in which the model declares them.
    ///
    /// The order has no effect on the tables. Change it freely between versions of a model.
    public var entities: [EntityDescription] {
        // Copies of a model share the index. A change replaces it, so that the copies keep theirs.
        didSet { lookup = ModelLookup() }
    }

    /// The index of entities by name, built when it is first used.
    private var lookup = ModelLookup()

    /// Creates a model from the given entities.
    ///
    /// Use it if the entities are computed. A model that is written in Swift needs no array: pass a
    /// closure that lists them.
    ///
    /// ```swift
    /// let entities = ["Country", "Currency"].map { name in
    ///     EntityDescription(name) {
    ///         Attribute("code", .string)
    ///         Attribute("name", .string)
    ///     }
    /// }
    /// let model = Model(entities: entities)
    /// ```
    ///
    /// - Parameter entities: The entities. None by default; ``validate()`` rejects a model without
    ///   entities.
    public init(entities: [EntityDescription] = []) {
        self.entities = entities
    }

    /// Returns whether two models have the same entities in the same order.
    public static func == (one: Model, other: Model) -> Bool { one.entities == other.entities }

    /// Hashes the entities.
    public func hash(into hasher: inout Hasher) { hasher.combine(entities) }

    /// The entity of the given name, or nil if the model has none.
    ///
    /// Names are compared exactly. The time does not depend on the number of entities, after the
    /// first call.
    ///
    /// ```swift
    /// let isRequired = model["User"]?.attributes.first { $0.name == "email" }?.isOptional == false
    /// ```
    public subscript(name: String) -> EntityDescription? {
        lookup.indices(in: entities).byName[name].map { entities[$0[0]] }
    }

    /// Returns an entity and its ancestors, nearest first.
    ///
    /// A cycle, which makes a model invalid, is followed only once.
    package func lineage(of entity: EntityDescription) -> [EntityDescription] {
        let places = lookup.indices(in: entities)
        var result = [entity]
        var found: Set<Int> = []
        if let own = places.byName[entity.name] { found.insert(own[0]) }
        var next = entity.parent.flatMap { places.byName[$0]?[0] }
        while let index = next, found.insert(index).inserted {
            result.append(entities[index])
            next = places.parents[index]
        }
        return result
    }

    /// Returns an entity and every entity that inherits from it, in the order of the model.
    package func family(of entity: EntityDescription) -> [EntityDescription] {
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
    ///
    /// An attribute that the entity declares again replaces the inherited one at its position.
    /// Transient attributes are included. Use it to show any row of a store, whatever its model:
    ///
    /// ```swift
    /// for record in try store.read({ try $0.fetch(RecordRequest("User")) }) {
    ///     guard let entity = store.model[record.reference.entity] else { continue }
    ///     for attribute in store.model.attributes(of: entity) {
    ///         print(attribute.name, record[attribute.name])
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter entity: An entity of this model.
    /// - Returns: The attributes, those of the topmost ancestor first.
    public func attributes(of entity: EntityDescription) -> [Attribute] {
        properties(of: entity, \.attributes, named: \.name)
    }

    /// Returns all relationships of an entity, inherited ones first.
    ///
    /// A relationship that the entity declares again replaces the inherited one at its position.
    ///
    /// ```swift
    /// let lists = model["User"].map { model.relationships(of: $0).filter(\.isToMany).map(\.name) }
    /// ```
    ///
    /// - Parameter entity: An entity of this model.
    /// - Returns: The relationships, those of the topmost ancestor first.
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
    /// otherwise `remoteID`, if the entity has such an attribute. A name is that of an attribute,
    /// or of the to-one relationship to a parent. Objects without a primary key can only be nested
    /// in others.
    ///
    /// ```swift
    /// let user = EntityDescription("User") { Attribute("id", .integer64) }
    /// let key = Model(entities: [user]).primaryKey(of: user)   // ["id"]
    /// ```
    ///
    /// - Parameter entity: An entity of this model.
    /// - Returns: The names, in the order in which a key is written.
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
