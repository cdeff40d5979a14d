public import TidemarkModel

extension EntityDescription {
    /// Returns the type names that services may use for objects of the entity: `tidemark.type` in
    /// the model, or the usual spellings of the entity's name.
    package func typeNames(naming: NamingConvention = .default) -> [String] {
        if let name = userInfo["tidemark.type"] { return [name] }
        let plural = naming.collectionName(of: name)
        let singular = naming.snakeCase(name)
        return [plural, singular].flatMap { [$0, $0.replacing("_", with: "-")] }
            + [naming.camelCase(plural), naming.camelCase(singular), name].compactMap(\.self)
    }
}

extension Model {
    /// Returns the types of entities that have nothing but their key, and that no list contains.
    ///
    /// A reference is all that a service shows of such an object, so that it inserts its row.
    package func linkedTypes(besides resources: [RemoteResource]) -> Set<String> {
        let listed = Set(resources.map(\.entity))
        let linked = entities.filter { entity in
            !listed.contains(entity.name) && entity.attributes.count == 1
                && primaryKey(of: entity) == entity.attributes.map(\.name)
        }
        return Set(linked.compactMap { $0.userInfo["tidemark.type"] })
    }
}

extension Service {
    /// Returns the resource of an entity at its usual path.
    ///
    /// Use it if the service follows a convention, so that the model alone defines what is synced.
    /// The path is `tidemark.path` in the entity's `userInfo`, or the ``path`` of the service with
    /// the plural of the entity's name, by Rails' inflection. The type name is `tidemark.type` in
    /// its `userInfo`.
    ///
    /// ```swift
    /// let resources = model.entities.filter { !$0.isAbstract }.map { service.resource(of: $0) }
    /// print(resources.map(\.path))    // ["people", "films", "blog_posts"]
    /// ```
    ///
    /// - Parameters:
    ///   - entity: The entity of the objects.
    ///   - naming: How the name is converted. Defaults to the convention of Rails.
    /// - Returns: The resource. Change its properties where it differs.
    public func resource(
        of entity: EntityDescription,
        naming: NamingConvention = .default
    ) -> RemoteResource {
        let usual =
            path
            .replacing("{collection}", with: naming.collectionName(of: entity.name))
            .replacing("{entity}", with: entity.name)
        var resource = self.resource(entity.name, path: entity.userInfo["tidemark.path"] ?? usual)
        resource.typeName = entity.userInfo["tidemark.type"]
        return resource
    }
}
