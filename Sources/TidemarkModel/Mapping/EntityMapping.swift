import TidemarkJSON

/// The JSON names of an entity's properties: those that an import reads, an export writes and
/// `model show` prints.
///
/// Create a mapping once for each entity.
package struct EntityMapping: Sendable {
    /// The name of the entity.
    package let entity: String

    /// The stored attributes, inherited ones first.
    ///
    /// Transient attributes are not included.
    package let attributes: [AttributeMapping]

    /// The relationships, inherited ones first.
    package let relationships: [RelationshipMapping]

    /// The indices in ``attributes`` of the parts of the primary key that are attributes; empty if
    /// there is no key.
    package let primaryKey: [Int]

    /// The values of the primary key, including those of a parent's key.
    package let keyParts: [KeyPart]

    /// The JSON key, or key path, whose value is the name of an object's entity; nil if all
    /// objects are of this entity.
    package let discriminator: String?

    /// The properties that JSON names are mapped to.
    ///
    /// A name is the text of a `JSONPath`: dots lead through nested objects, unless the name is in
    /// quotation marks.
    ///
    /// A name is mapped to at most one attribute and one relationship: the one with the best rank,
    /// or among equal ranks the first by name.
    package let names: [ByteExactString: Target]

    /// The naming convention.
    package let naming: NamingConvention

    /// Creates the mapping of an entity.
    package init(entity: EntityDescription, in model: Model, naming: NamingConvention = .default) {
        let key = model.primaryKey(of: entity)
        let stored = model.attributes(of: entity).filter { !$0.isTransient }
        let reserved = ReservedNames(entity, in: model, naming: naming)
        self.entity = entity.name
        self.naming = naming
        attributes = stored.map {
            AttributeMapping(
                $0,
                isKey: key.contains($0.name),
                among: stored,
                reserved: reserved,
                naming: naming
            )
        }
        relationships = model.relationships(of: entity).map {
            RelationshipMapping($0, in: model, naming: naming)
        }
        discriminator = model.lineage(of: entity).compactMap(\.json.discriminator).first
        keyParts = model.keyParts(of: entity)
        primaryKey = key.compactMap { name in stored.firstIndex { $0.name == name } }
        names = Self.targets(of: attributes, and: relationships)
    }

    /// Returns the property that the member of an object is mapped to; nil if it is not mapped.
    package func target(for member: String) -> Target? { target(at: JSONPath.text(of: member)) }

    /// Returns the property that a key path is mapped to; nil if it is not mapped.
    ///
    /// A name without an exact match is also tried in camel case, so that `Image_URL` and `_rev`
    /// match `imageURL` and `rev`. A `remoteKey`, and a name in quotation marks, is always matched
    /// literally.
    package func target(at name: String) -> Target? {
        if let target = names[ByteExactString(name)] { return target }
        guard !name.hasPrefix("\"") else { return nil }
        for spelling in [naming.camelCase(name), naming.plainCamelCase(name)] {
            guard let spelling, let target = names[ByteExactString(spelling)]?.withoutExplicit
            else {
                continue
            }
            return target
        }
        return nil
    }

    /// The attribute and the relationship that a JSON name is mapped to.
    package struct Target: Hashable, Sendable {
        /// The index of the attribute in ``EntityMapping/attributes``.
        package var attribute: Int?

        /// How well the name matches the attribute.
        ///
        /// If a document has several names of an attribute, the lowest rank is used.
        package var attributeRank = RemoteName.Rank.own

        /// The index of the relationship in ``EntityMapping/relationships``.
        package var relationship: Int?

        /// How well the name matches the relationship.
        package var relationshipRank = RemoteName.Rank.own

        /// The index of the part of the destination's key that the name refers to; nil if the name
        /// contains objects.
        ///
        /// It is 0 if the key has only one part.
        package var keyPart: Int?

        /// The target without properties that the model maps to the name explicitly; nil if none is
        /// left.
        fileprivate var withoutExplicit: Target? {
            var target = self
            if attributeRank == .explicit { target.attribute = nil }
            if relationshipRank == .explicit { target.relationship = nil }
            return target.attribute == nil && target.relationship == nil ? nil : target
        }
    }

    /// Returns the names under which a part of the primary key is exported: those of the attribute,
    /// or of the reference to the object that has the value.
    package func exportKeys(of part: KeyPart) -> ExportKeys {
        if let name = part.path.first,
            let relationship = relationships.first(where: { $0.name == name }),
            let index = keyParts.filter({ $0.path.first == name }).firstIndex(of: part),
            index < relationship.referenceExportKeys.count
        {
            return relationship.referenceExportKeys[index]
        }
        return attributes.first { $0.name == part.attribute.name }?.exportKeys
            ?? ExportKeys(literal: part.name)
    }

    private static func targets(
        of attributes: [AttributeMapping],
        and relationships: [RelationshipMapping]
    ) -> [ByteExactString: Target] {
        var targets: [ByteExactString: Target] = [:]
        // Sorted, so that the result does not depend on the order in the model.
        for (index, attribute) in attributes.enumerated().sorted(by: {
            $0.element.name < $1.element.name
        }) {
            for name in attribute.remoteNames {
                var target = targets[ByteExactString(name.text)] ?? Target()
                guard target.attribute == nil || name.rank < target.attributeRank else { continue }
                target.attribute = index
                target.attributeRank = name.rank
                targets[ByteExactString(name.text)] = target
            }
        }
        for (index, relationship) in relationships.enumerated()
            .sorted(by: { $0.element.name < $1.element.name })
        {
            for (part, names) in relationship.namesByPart {
                for name in names {
                    var target = targets[ByteExactString(name.text)] ?? Target()
                    guard target.relationship == nil || name.rank < target.relationshipRank else {
                        continue
                    }
                    target.relationship = index
                    target.relationshipRank = name.rank
                    target.keyPart = part
                    targets[ByteExactString(name.text)] = target
                }
            }
        }
        return targets
    }
}

/// A JSON name from which a property is read.
package struct RemoteName: Hashable, Sendable {
    /// The name.
    ///
    /// A name that the model declares may be a key path.
    package var text: String

    /// How well it matches the property.
    package var rank: Rank

    /// How well a name matches its property, best first.
    package enum Rank: Int, Hashable, Sendable, Comparable {
        /// Declared in the model.
        case explicit
        /// `id`, the usual name of a primary key.
        case identity
        /// `_id`, which some services use for `id`.
        case underscoredIdentity
        /// The name of the property.
        case own
        /// The name in snake case.
        case snake
        /// The name in camel case.
        case camel
        /// The name in kebab case.
        case kebab
        /// A reserved word that the property is named after, with the entity's name as prefix.
        case reserved
        /// The name of references to a relationship's objects.
        case reference

        /// Returns whether the left rank is better.
        package static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }
}

/// The names under which a property is exported, in both spellings.
package struct ExportKeys: Hashable, Sendable, Codable {
    /// The name in snake case, or literally as declared in the model.
    package var snake: String

    /// The name in camel case, or literally as declared in the model.
    package var camel: String

    /// Creates a pair of names.
    package init(snake: String, camel: String) {
        self.snake = snake
        self.camel = camel
    }

    init(literal name: String) {
        self.init(snake: name, camel: name)
    }

    /// Creates the name that a model declares.
    init(declared path: String) {
        self.init(literal: JSONPath(path).description)
    }
}

extension String {
    /// Whether the text of a key path leads into an object: a name that contains dots does not.
    package var isNestedKeyPath: Bool { contains(".") && JSONPath(self).names.count > 1 }
}
