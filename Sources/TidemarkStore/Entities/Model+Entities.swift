public import TidemarkModel

extension Model {
    /// Creates the model of record types.
    ///
    /// A type that inherits from another one repeats the properties of its parent, which structs
    /// cannot inherit: in the model, only the parent has them, and the indexes, uniqueness
    /// constraints and primary key that the type repeats.
    ///
    /// ```swift
    /// let model = Model(User.self, Note.self)
    /// ```
    ///
    /// - Parameter types: The types, those of all parents and destinations included.
    public init<each Record: EntityRecord>(_ types: repeat (each Record).Type) {
        var entities: [EntityDescription] = []
        for type in repeat each types { entities.append(type.entity) }
        self.init(entities: entities.map { $0.withoutInherited(from: entities) })
    }
}

extension EntityDescription {
    /// Returns the entity without what it shares with its ancestors.
    fileprivate func withoutInherited(from entities: [EntityDescription]) -> EntityDescription {
        var result = self
        var ancestor = entities.first { $0.name == parent }
        var seen: Set<String> = [name]
        while let entity = ancestor, seen.insert(entity.name).inserted {
            result.attributes.removeAll { entity.attributes.contains($0) }
            result.relationships.removeAll { entity.relationships.contains($0) }
            result.fetchIndexes.removeAll { entity.fetchIndexes.contains($0) }
            result.uniquenessConstraints.removeAll { entity.uniquenessConstraints.contains($0) }
            if result.primaryKey == entity.primaryKey || result.hasConventionalKey(of: entity) {
                result.primaryKey = []
            }
            ancestor = entities.first { $0.name == entity.parent }
        }
        return result
    }

    /// Whether the entity declares the key that an ancestor has by convention.
    private func hasConventionalKey(of ancestor: EntityDescription) -> Bool {
        primaryKey == ["id"] && ancestor.primaryKey.isEmpty
            && ancestor.attributes.contains { $0.name == "id" }
    }
}

extension Store {
    /// Opens the store at a path for record types, and creates it if it does not exist.
    ///
    /// ```swift
    /// let store = try Store.open(at: "notes.sqlite", entities: User.self, Note.self)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - types: The types, those of all parents and destinations included.
    /// - Returns: The store, migrated to the model of the types.
    /// - Throws: As ``open(at:model:environment:willMigrate:)``.
    public static func open<each Record: EntityRecord>(
        at path: String,
        entities types: repeat (each Record).Type
    ) throws -> Store {
        try open(at: path, model: Model(repeat each types))
    }
}
