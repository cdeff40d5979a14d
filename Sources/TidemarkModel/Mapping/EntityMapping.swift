/// The names under which an entity's properties travel: what an import reads, an export writes and
/// `model show` prints.
///
/// It is compiled once per entity:
///
/// ```swift
/// let mapping = EntityMapping(entity: user, in: model)
/// mapping.target(for: "first_name")?.attribute   // the place of `firstName`
/// ```
public struct EntityMapping: Sendable {
    /// The entity's name.
    public let entity: String

    /// The attributes that are stored, inherited ones first; transient ones are none.
    public let attributes: [AttributeMapping]

    /// The relationships, inherited ones first.
    public let relationships: [RelationshipMapping]

    /// The places in ``attributes`` of those parts of the primary key that are attributes; empty
    /// when there is no key.
    public let primaryKey: [Int]

    /// The values of the primary key, those of a parent's key among them.
    public let keyParts: [KeyPart]

    /// The JSON key, or dotted path, whose value names the entity of an object; nil when all
    /// objects are of this one.
    public let discriminator: String?

    /// What each JSON name leads to; a dotted name is a path through nested objects.
    ///
    /// A name leads to one attribute and one relationship at most: to the one with the best rank,
    /// of several alike to the first by name in byte order.
    public let names: [ByteExactString: Target]

    /// The convention the names were made with.
    public let naming: NamingConvention

    /// Compiles the names of an entity.
    public init(entity: EntityDescription, in model: Model, naming: NamingConvention = .default) {
        let key = model.primaryKey(of: entity)
        let stored = model.attributes(of: entity).filter { !$0.isTransient }
        let reserved = ReservedNames(entity, in: model, naming)
        self.entity = entity.name
        self.naming = naming
        attributes = stored.map {
            AttributeMapping($0, isKey: key.contains($0.name), among: stored, reserved, naming)
        }
        relationships = model.relationships(of: entity).map {
            RelationshipMapping($0, in: model, naming)
        }
        discriminator = model.lineage(of: entity).compactMap(\.discriminator).first
        keyParts = model.keyParts(of: entity)
        primaryKey = key.compactMap { name in stored.firstIndex { $0.name == name } }
        names = Self.targets(attributes, relationships)
    }

    /// What a JSON name leads to, nil when it leads nowhere.
    ///
    /// A name that nobody has exactly is tried in camel case too, so that `Image_URL` and `_rev`
    /// find `imageURL` and `rev`; a `remoteKey` is always meant literally.
    public func target(for name: String) -> Target? {
        if let target = names[ByteExactString(name)] { return target }
        for spelling in [naming.camelCase(name), naming.plainCamelCase(name)] {
            guard let spelling, let target = names[ByteExactString(spelling)]?.withoutExplicit
            else {
                continue
            }
            return target
        }
        return nil
    }

    /// What a JSON name leads to.
    public struct Target: Hashable, Sendable {
        /// The attribute, by its place in ``EntityMapping/attributes``.
        public var attribute: Int?

        /// How well the name fits the attribute; of several names in a document the least rank
        /// wins.
        public var attributeRank = RemoteName.Rank.own

        /// The relationship, by its place in ``EntityMapping/relationships``.
        public var relationship: Int?

        /// How well the name fits the relationship.
        public var relationshipRank = RemoteName.Rank.own

        /// The part of the destination's key that the name refers to; nil when the name holds
        /// objects.
        ///
        /// It is 0 when the key has one part only.
        public var keyPart: Int?

        /// What remains when names that the model spells out do not count.
        fileprivate var withoutExplicit: Target? {
            var target = self
            if attributeRank == .explicit { target.attribute = nil }
            if relationshipRank == .explicit { target.relationship = nil }
            return target.attribute == nil && target.relationship == nil ? nil : target
        }
    }

    /// The names under which a part of the primary key is exported: those of the attribute, or of
    /// the reference to the object that has the value.
    public func exportKeys(of part: KeyPart) -> ExportKeys {
        if let name = part.path.first,
            let relationship = relationships.first(where: { $0.name == name }),
            let place = keyParts.filter({ $0.path.first == name }).firstIndex(of: part),
            place < relationship.referenceExportKeys.count
        {
            return relationship.referenceExportKeys[place]
        }
        return attributes.first { $0.name == part.attribute.name }?.exportKeys
            ?? ExportKeys(literal: part.name)
    }

    private static func targets(
        _ attributes: [AttributeMapping],
        _ relationships: [RelationshipMapping]
    ) -> [ByteExactString: Target] {
        var targets: [ByteExactString: Target] = [:]
        for (place, attribute) in attributes.enumerated().sorted(by: {
            $0.element.name < $1.element.name
        }) {
            for name in attribute.remoteNames {
                var target = targets[ByteExactString(name.text)] ?? Target()
                guard target.attribute == nil || name.rank < target.attributeRank else { continue }
                target.attribute = place
                target.attributeRank = name.rank
                targets[ByteExactString(name.text)] = target
            }
        }
        for (place, relationship) in relationships.enumerated()
            .sorted(by: { $0.element.name < $1.element.name })
        {
            for (part, names) in relationship.namesByPart {
                for name in names {
                    var target = targets[ByteExactString(name.text)] ?? Target()
                    guard target.relationship == nil || name.rank < target.relationshipRank else {
                        continue
                    }
                    target.relationship = place
                    target.relationshipRank = name.rank
                    target.keyPart = part
                    targets[ByteExactString(name.text)] = target
                }
            }
        }
        return targets
    }
}

/// A JSON name that a property answers to.
public struct RemoteName: Hashable, Sendable {
    /// The name; one the model spells out may have dots.
    public var text: String

    /// How well it fits.
    public var rank: Rank

    /// How well a name fits its property, the best first.
    public enum Rank: Int, Hashable, Sendable, Comparable {
        /// The model spells it out.
        case explicit
        /// It is `id`, the usual name of a primary key.
        case identity
        /// It is `_id`, which some services say for `id`.
        case underscoredIdentity
        /// It is the property's own name.
        case own
        /// It is the name in snake case.
        case snake
        /// It is the name in camel case.
        case camel
        /// It is the name in kebab case.
        case kebab
        /// It is a reserved word that is stored behind the entity's name.
        case reserved
        /// It names references to a relationship's objects.
        case reference

        /// Whether the left fits better.
        public static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }
}

/// The names under which a property is exported, in the two spellings.
public struct ExportKeys: Hashable, Sendable, Codable {
    /// The name in snake case; one that the model spells out is taken literally.
    public var snake: String

    /// The name in camel case; one that the model spells out is taken literally.
    public var camel: String

    /// Creates a pair of names.
    public init(snake: String, camel: String) {
        self.snake = snake
        self.camel = camel
    }

    init(literal name: String) {
        self.init(snake: name, camel: name)
    }
}
