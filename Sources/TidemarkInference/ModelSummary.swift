package import TidemarkModel

/// A model with the JSON keys of its properties, in the form that `model show` prints as JSON.
package struct ModelSummary: Hashable, Sendable, Encodable {
    /// The entities by name.
    package var entities: [String: EntitySummary]

    /// Creates the summary of a model.
    package init(_ model: Model, naming: NamingConvention = .default) {
        let described = model.entities.map { entity in
            (entity.name, EntitySummary(entity, in: model, naming: naming))
        }
        // A name that an invalid model declares twice must not be a fatal error here.
        entities = Dictionary(described) { first, _ in first }
    }

    /// An entity with all its properties, including inherited ones.
    package struct EntitySummary: Hashable, Sendable, Encodable {
        /// The name of the entity from which it inherits.
        package var parent: String?
        /// Whether the entity has no rows of its own.
        package var isAbstract: Bool
        /// The parts of the primary key; empty if the entity has no key.
        package var primaryKey: [KeyPart]
        /// The stored attributes by name.
        package var attributes: [String: AttributeSummary]
        /// The relationships by name.
        package var relationships: [String: RelationshipSummary]

        private enum CodingKeys: String, CodingKey {
            case parent
            case isAbstract = "abstract"
            case primaryKey, attributes, relationships
        }

        /// Encodes the entity.
        ///
        /// A missing parent or key is encoded as null.
        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode(parent, forKey: .parent)
            try fields.encode(isAbstract, forKey: .isAbstract)
            if primaryKey.isEmpty {
                try fields.encodeNil(forKey: .primaryKey)
            } else {
                try fields.encode(KeyDescription(parts: primaryKey), forKey: .primaryKey)
            }
            try fields.encode(attributes, forKey: .attributes)
            try fields.encode(relationships, forKey: .relationships)
        }
    }

    /// One value of a primary key.
    package struct KeyPart: Hashable, Sendable {
        /// The name of the attribute, or of the relationship to the object that has the value.
        package var local: String
        /// The JSON key of the attribute, or of a reference by the relationship.
        package var remote: String
        /// The type of the value.
        package var type: AttributeType
    }

    /// An attribute.
    package struct AttributeSummary: Hashable, Sendable, Encodable {
        /// The type of its values.
        package var type: AttributeType
        /// Whether the value may be null.
        package var optional: Bool
        /// The JSON keys from which it is imported, in order of precedence.
        package var remoteKeys: [String]
        /// The JSON keys to which it is exported.
        package var exportKeys: ExportKeys
    }

    /// A relationship.
    package struct RelationshipSummary: Hashable, Sendable, Encodable {
        /// The name of the destination entity.
        package var destination: String
        /// Whether the relationship is to-many.
        package var toMany: Bool
        /// Whether the linked objects are ordered.
        package var ordered: Bool
        /// The name of the inverse relationship.
        package var inverse: String?
        /// The rule that applies to the linked objects when the object is deleted.
        package var deleteRule: Relationship.DeleteRule
        /// The JSON keys from which linked objects are imported, in order of precedence.
        package var remoteKeys: [String]
        /// The JSON keys from which references are imported, for each part of the destination's
        /// key.
        package var referenceKeys: [[String]]
        /// The JSON keys to which linked objects are exported.
        package var exportKeys: ExportKeys

        private enum CodingKeys: String, CodingKey {
            case destination, toMany, ordered, inverse, deleteRule, remoteKeys, referenceKeys,
                exportKeys
        }

        /// Encodes the relationship.
        ///
        /// The reference keys of a primary key with one part are encoded as a plain list.
        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode(destination, forKey: .destination)
            try fields.encode(toMany, forKey: .toMany)
            try fields.encode(ordered, forKey: .ordered)
            try fields.encode(inverse, forKey: .inverse)
            try fields.encode(deleteRule, forKey: .deleteRule)
            try fields.encode(remoteKeys, forKey: .remoteKeys)
            if referenceKeys.count > 1 {
                try fields.encode(referenceKeys, forKey: .referenceKeys)
            } else {
                try fields.encode(referenceKeys.first ?? [], forKey: .referenceKeys)
            }
            try fields.encode(exportKeys, forKey: .exportKeys)
        }
    }
}

extension ModelSummary.EntitySummary {
    init(_ entity: EntityDescription, in model: Model, naming: NamingConvention) {
        let mapping = EntityMapping(entity: entity, in: model, naming: naming)
        parent = entity.parent
        isAbstract = entity.isAbstract
        primaryKey = mapping.keyParts.map { part in
            ModelSummary.KeyPart(
                local: part.path.first ?? part.attribute.name,
                remote: mapping.exportKeys(of: part).snake,
                type: part.attribute.type
            )
        }
        attributes = Dictionary(
            mapping.attributes.map { ($0.name, ModelSummary.AttributeSummary($0)) }
        ) { first, _ in first }
        relationships = Dictionary(
            mapping.relationships.map { ($0.name, ModelSummary.RelationshipSummary($0)) }
        ) { first, _ in first }
    }
}

extension ModelSummary.AttributeSummary {
    init(_ mapping: AttributeMapping) {
        type = mapping.attribute.type
        optional = mapping.attribute.isOptional
        remoteKeys = mapping.remoteKeys
        exportKeys = mapping.exportKeys
    }
}

extension ModelSummary.RelationshipSummary {
    init(_ mapping: RelationshipMapping) {
        let relationship = mapping.relationship
        destination = relationship.destination
        toMany = relationship.isToMany
        ordered = relationship.isOrdered
        inverse = relationship.inverse
        deleteRule = relationship.deleteRule
        remoteKeys = mapping.remoteKeys
        referenceKeys = mapping.referenceKeys
        exportKeys = mapping.exportKeys
    }
}

/// A primary key as `{local, remote, type}`, each of which is a list if the key is composite.
private struct KeyDescription: Encodable {
    var parts: [ModelSummary.KeyPart]

    private enum CodingKeys: String, CodingKey { case local, remote, type }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(OneOrMore(parts.map(\.local)), forKey: .local)
        try fields.encode(OneOrMore(parts.map(\.remote)), forKey: .remote)
        try fields.encode(OneOrMore(parts.map(\.type.rawValue)), forKey: .type)
    }
}
