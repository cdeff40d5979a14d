extension ModelCheck {
    /// The entities with an attribute that answers to a JSON name of another one: an attribute of
    /// the same entity, or of one that it has an ancestor in common with.
    ///
    /// The names of an entity are worked out without what it inherits: with it, a chain of entities
    /// would take time in proportion to the square of its length.
    func entitiesWithSharedNames() -> Set<String> {
        var owners: [String: [ByteExactString: Int]] = [:]
        let entities = model.entities.map { entity in
            let root = model.lineage(of: entity).last?.name ?? entity.name
            let names = Self.ownNames(of: entity)
            for name in names { owners[root, default: [:]][name, default: 0] += 1 }
            return (name: entity.name, root: root, names: names)
        }
        let sharing = entities.filter { entity in
            entity.names.contains { owners[entity.root]?[$0] != 1 }
        }
        return Set(sharing.map(\.name))
    }

    /// The JSON names of the attributes that an entity declares itself, each as often as an
    /// attribute answers to it.
    private static func ownNames(of entity: EntityDescription) -> [ByteExactString] {
        var alone = entity
        alone.parent = nil
        let mapping = EntityMapping(entity: alone, in: Model(entities: [alone]))
        return mapping.attributes.flatMap { attribute in
            attribute.remoteNames.map { ByteExactString($0.text) }
        }
    }
}
