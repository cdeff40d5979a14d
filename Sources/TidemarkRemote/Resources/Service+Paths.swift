public import TidemarkModel

extension EntityDescription {
    /// The names that services may call the type of its objects by: what the model says under
    /// `tidemark.type`, else the usual spellings of the entity's name.
    package func typeNames(naming: NamingConvention = .default) -> [String] {
        if let name = userInfo["tidemark.type"] { return [name] }
        let plural = naming.collectionName(of: name)
        let singular = naming.snakeCase(name)
        return [plural, singular].flatMap { [$0, $0.replacing("_", with: "-")] }
            + [naming.camelCase(plural), naming.camelCase(singular), name].compactMap(\.self)
    }
}

extension Service {
    /// The resource of an entity, where its list usually stands.
    ///
    /// The path is what the model says under `tidemark.path`, else the service's usual one with the
    /// plural of the entity's name, by Rails' inflection.
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
