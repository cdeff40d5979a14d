import TidemarkModel

/// The names under which an entity's properties are exported: those that an import reads as the
/// same properties.
///
/// Another property may have the usual name of one for itself, since its `remoteKey` says so. Then
/// the next best name stands in; a property that no name leads to is left out.
struct ExportNames: Sendable {
    /// How its entity's names are written.
    let mapping: EntityMapping

    /// The attributes that are exported.
    let attributes: [AttributeName]

    /// The values of the primary key; one in the row of a parent has the name of a reference to it.
    let key: [AttributeName]

    /// The names of the parents within which the key is unique, one for each value of ``key``; nil
    /// for the row's own.
    let keyParents: [String?]

    /// The relationships that are exported.
    let relationships: [RelationshipName]

    /// An attribute and its name.
    struct AttributeName: Sendable {
        let attribute: Attribute
        let key: String

        /// How its dates are written; nil where the model does not say.
        let dateFormat: Result<DateFormat, ModelError>?
    }

    /// A relationship and its names.
    struct RelationshipName: Sendable {
        let relationship: Relationship

        /// The name of its objects.
        let key: String?

        /// The same without what Rails wants behind it.
        let plainKey: String?

        /// The names of references to its objects, one for each part of their key; nil where there
        /// are none.
        let references: [String]?

        /// How many arrays and objects are opened between an object and those embedded in it.
        var levels: Int {
            let dots = key?.utf8.count { $0 == UInt8(ascii: ".") } ?? 0
            return dots + (relationship.isToMany ? 1 : 0)
        }
    }

    init(_ mapping: EntityMapping, _ options: ExportOptions) {
        let spelling = Spelling(mapping: mapping, options: options)
        self.mapping = mapping
        attributes = mapping.attributes.indices.compactMap { place in
            guard mapping.attributes[place].attribute.isExportable else { return nil }
            return spelling.key(ofAttribute: place).map { spelling.name(place, $0) }
        }
        key = mapping.keyParts.map { part in
            let place = mapping.attributes.firstIndex { $0.name == part.attribute.name }
            let isOwn = part.path.isEmpty
            let own = isOwn ? place.flatMap(spelling.key(ofAttribute:)) : nil
            return spelling.name(
                part.attribute,
                own ?? spelling.spelled(mapping.exportKeys(of: part))
            )
        }
        keyParents = mapping.keyParts.map(\.path.first)
        relationships = mapping.relationships.indices.compactMap { place in
            let relationship = mapping.relationships[place].relationship
            guard relationship.isExportable else { return nil }
            let key = spelling.key(ofRelationship: place)
            return RelationshipName(
                relationship: relationship,
                key: key.map(spelling.embedded),
                plainKey: key,
                references: spelling.references(place)
            )
        }
    }
}

/// Chooses the names of one entity's properties.
private struct Spelling {
    let mapping: EntityMapping
    let options: ExportOptions

    func spelled(_ keys: ExportKeys) -> String {
        switch options.keys {
        case .snake: keys.snake
        case .camel: keys.camel
        }
    }

    func name(_ place: Int, _ key: String) -> ExportNames.AttributeName {
        name(mapping.attributes[place].attribute, key)
    }

    func name(_ attribute: Attribute, _ key: String) -> ExportNames.AttributeName {
        ExportNames.AttributeName(
            attribute: attribute,
            key: key,
            dateFormat: attribute.dateFormat.map { text in
                Result { () throws(ModelError) in try DateFormat(text) }
            }
        )
    }

    func key(ofAttribute place: Int) -> String? {
        let attribute = mapping.attributes[place]
        // Rails deletes a nested record whose `_destroy` is true.
        if options.relationships == .nestedAttributes, attribute.name == "destroy" {
            return "_destroy"
        }
        return ([spelled(attribute.exportKeys)] + attribute.remoteKeys)
            .first { mapping.target(for: $0)?.attribute == place }
    }

    func key(ofRelationship place: Int) -> String? {
        let relationship = mapping.relationships[place]
        return ([spelled(relationship.exportKeys)] + relationship.remoteKeys).first { name in
            let target = mapping.target(for: name)
            return target?.relationship == place && target?.keyPart == nil
        }
    }

    /// The name under which objects are embedded in the shape that the options ask for.
    func embedded(_ key: String) -> String {
        guard options.relationships == .nestedAttributes else { return key }
        return key + (options.keys == .snake ? "_attributes" : "Attributes")
    }

    func references(_ place: Int) -> [String]? {
        let relationship = mapping.relationships[place]
        let usual = relationship.referenceExportKeys.map(spelled)
        guard !usual.isEmpty, !relationship.relationship.isToMany || usual.count == 1 else {
            return nil
        }
        let names = usual.indices.compactMap { part in
            // A scalar under the name of the objects is a reference too.
            let others = usual.count == 1 ? relationship.remoteKeys : []
            return ([usual[part]] + relationship.referenceKeys[part] + others).first { name in
                let target = mapping.target(for: name)
                return target?.relationship == place
                    && (target?.keyPart == part || others.contains(name))
            }
        }
        return names.count == usual.count ? names : nil
    }
}
