/// A model with the names its properties travel under, in the form `model show` prints as JSON.
public struct ModelSummary: Hashable, Sendable, Encodable {
    /// The entities by name.
    public var entities: [String: EntitySummary]

    /// Describes a model.
    public init(_ model: Model, naming: NamingConvention = .default) {
        let described = model.entities.map { entity in
            (entity.name, EntitySummary(entity, in: model, naming))
        }
        entities = Dictionary(described) { first, _ in first }
    }

    /// An entity with all its properties, inherited ones too.
    public struct EntitySummary: Hashable, Sendable, Encodable {
        /// The entity it inherits from.
        public var parent: String?
        /// Whether no row is ever of this entity itself.
        public var isAbstract: Bool
        /// The parts of the primary key; empty when there is none.
        public var primaryKey: [KeyPart]
        /// The stored attributes by name.
        public var attributes: [String: AttributeSummary]
        /// The relationships by name.
        public var relationships: [String: RelationshipSummary]

        private enum CodingKeys: String, CodingKey {
            case parent
            case isAbstract = "abstract"
            case primaryKey, attributes, relationships
        }

        /// Writes the entity; a missing parent or key as null.
        public func encode(to encoder: any Encoder) throws {
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
    public struct KeyPart: Hashable, Sendable {
        /// The name of the attribute, or of the relationship to the object that has the value.
        public var local: String
        /// The JSON key: that of the attribute, or of a reference by the relationship.
        public var remote: String
        /// The type of the value.
        public var type: AttributeType
    }

    /// An attribute.
    public struct AttributeSummary: Hashable, Sendable, Encodable {
        /// What kind of value it is.
        public var type: AttributeType
        /// Whether a row may go without it.
        public var optional: Bool
        /// The JSON names it answers to, the best first.
        public var remoteKeys: [String]
        /// The names it is exported under.
        public var exportKeys: ExportKeys
    }

    /// A relationship.
    public struct RelationshipSummary: Hashable, Sendable, Encodable {
        /// The entity at the other end.
        public var destination: String
        /// Whether an object may be linked to many others.
        public var toMany: Bool
        /// Whether the linked objects have an order of their own.
        public var ordered: Bool
        /// The relationship that leads back.
        public var inverse: String?
        /// What becomes of the linked objects when this one is deleted.
        public var deleteRule: Relationship.DeleteRule
        /// The JSON names that hold its objects, the best first.
        public var remoteKeys: [String]
        /// The JSON names that hold references, for each part of the destination's key.
        public var referenceKeys: [[String]]
        /// The names its objects are exported under.
        public var exportKeys: ExportKeys

        private enum CodingKeys: String, CodingKey {
            case destination, toMany, ordered, inverse, deleteRule, remoteKeys, referenceKeys,
                exportKeys
        }

        /// Writes the relationship; the names of references to a key of one part as a plain list.
        public func encode(to encoder: any Encoder) throws {
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
    init(_ entity: EntityDescription, in model: Model, _ naming: NamingConvention) {
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

/// A primary key as `{local, remote, type}`, each a list when the key is composite.
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
