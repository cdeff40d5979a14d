extension ModelCheck {
    /// Returns the entities with an attribute that shares a JSON key with another attribute of the
    /// same entity, or of an entity that has a common ancestor.
    ///
    /// The keys of an entity are computed without inherited attributes. Otherwise the time for a
    /// chain of entities would be proportional to the square of its length.
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

    /// Returns the JSON keys of the attributes that an entity declares.
    ///
    /// A key occurs once for each attribute that claims it.
    private static func ownNames(of entity: EntityDescription) -> [ByteExactString] {
        var alone = entity
        alone.parent = nil
        let mapping = EntityMapping(entity: alone, in: Model(entities: [alone]))
        return mapping.attributes.flatMap { attribute in
            attribute.remoteNames.map { ByteExactString($0.text) }
        }
    }
}
