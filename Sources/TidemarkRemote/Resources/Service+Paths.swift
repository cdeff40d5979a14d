public import TidemarkModel

extension Service {
    /// The resource of an entity, where its list usually stands.
    ///
    /// The path is what the model says under `tidemark.path`, else the service's usual one with the
    /// plural of the entity's name, by Rails' inflection.
    public func resource(of entity: Entity, naming: NamingConvention = .default) -> Resource {
        let usual =
            path
            .replacing("{collection}", with: naming.collectionName(of: entity.name))
            .replacing("{entity}", with: entity.name)
        return resource(entity.name, path: entity.userInfo["tidemark.path"] ?? usual)
    }
}
