import TidemarkModel
import TidemarkStore

/// The JSON names under which an entity's properties are exported: names that an import maps to the
/// same properties.
///
/// The default name of a property may belong to another property, because that one declares it as
/// its `remoteKey`. The next best name is used then; a property that no name maps to is not
/// exported.
struct ExportNames: Sendable {
    /// The mapping of the entity's names.
    let mapping: EntityMapping

    /// The attributes that are exported.
    let attributes: [AttributeName]

    /// The names of the primary key's values.
    ///
    /// A value in the row of a parent has the name of a reference to that parent.
    let key: [AttributeName]

    /// For each value of ``key``, the relationship to the parent that has the value; nil for a
    /// value of the row itself.
    let keyParents: [String?]

    /// The relationships that are exported.
    let relationships: [RelationshipName]

    /// Returns whether an attribute is a part of the primary key.
    func isKey(_ attribute: AttributeName) -> Bool {
        zip(key, keyParents).contains { $0.attribute.name == attribute.attribute.name && $1 == nil }
    }

    /// An attribute and its name.
    struct AttributeName: Sendable {
        let attribute: Attribute
        let key: String

        /// The format of its dates; nil if the model does not specify one.
        let dateFormat: Result<DateFormat, ModelError>?
    }

    /// A relationship and its names.
    struct RelationshipName: Sendable {
        let relationship: Relationship

        /// The name of the embedded objects.
        let key: String?

        /// The same name without the suffix of Rails' nested attributes.
        let plainKey: String?

        /// The names of references to the objects, one for each part of their key; nil if there are
        /// none.
        let references: [String]?

        /// Whether the linked rows have no primary key, and are parts of the rows that link them.
        let isPart: Bool

        /// The number of arrays and objects between an object and the objects embedded in it.
        var levels: Int {
            let dots = key?.utf8.count { $0 == UInt8(ascii: ".") } ?? 0
            return dots + (relationship.isToMany ? 1 : 0)
        }
    }

    init(_ mapping: EntityMapping, options: ExportOptions, change: ChangeFormat?) {
        let spelling = Spelling(mapping: mapping, options: options, change: change)
        self.mapping = mapping
        attributes = mapping.attributes.indices.compactMap { index in
            let attribute = mapping.attributes[index].attribute
            guard attribute.json.isExportable else { return nil }
            return spelling.key(ofAttribute: index).map { spelling.name(of: attribute, key: $0) }
        }
        // References need a name for each part of the key, even if the attribute itself is not
        // exported.
        key = mapping.keyParts.map { part in
            let index = mapping.attributes.firstIndex { $0.name == part.attribute.name }
            let isOwn = part.path.isEmpty
            let own = isOwn ? index.flatMap(spelling.key(ofAttribute:)) : nil
            return spelling.name(
                of: part.attribute,
                key: own ?? spelling.spelled(mapping.exportKeys(of: part))
            )
        }
        keyParents = mapping.keyParts.map(\.path.first)
        relationships = mapping.relationships.indices.compactMap { index in
            let relationship = mapping.relationships[index].relationship
            guard relationship.json.isExportable else { return nil }
            let key = spelling.key(ofRelationship: index)
            return RelationshipName(
                relationship: relationship,
                key: key.map { spelling.embedded($0, by: mapping.relationships[index]) },
                plainKey: key,
                references: spelling.references(ofRelationship: index),
                isPart: mapping.relationships[index].referenceExportKeys.isEmpty
            )
        }
    }
}

/// Chooses the names of one entity's properties.
private struct Spelling {
    let mapping: EntityMapping
    let options: ExportOptions

    /// How linked rows without a key are embedded in requests; nil for an export.
    private let embedding: ExportOptions.Relationships?

    /// The names that the service's own objects have.
    private let observed: [String]

    /// Those of them under which the service's objects do not have whole objects.
    private let observedReferences: [String]

    init(mapping: EntityMapping, options: ExportOptions, change: ChangeFormat?) {
        self.mapping = mapping
        self.options = options
        embedding = change?.embedding
        let names = change?.names[mapping.entity] ?? ObservedNames()
        observed = names.all.sorted()
        observedReferences = names.all.subtracting(names.embedded).sorted()
    }

    func spelled(_ keys: ExportKeys) -> String {
        switch options.keys {
        case .snake: keys.snake
        case .camel: keys.camel
        }
    }

    func name(of attribute: Attribute, key: String) -> ExportNames.AttributeName {
        ExportNames.AttributeName(
            attribute: attribute,
            key: key,
            dateFormat: attribute.json.dateFormat.map { text in
                Result { () throws(ModelError) in try DateFormat(text) }
            }
        )
    }

    func key(ofAttribute index: Int) -> String? {
        let attribute = mapping.attributes[index]
        // Rails deletes a nested record whose `_destroy` is true.
        if options.relationships == .nestedAttributes, attribute.name == "destroy" {
            return "_destroy"
        }
        return (observed + [spelled(attribute.exportKeys)] + attribute.remoteKeys)
            .first { mapping.target(for: $0)?.attribute == index }
    }

    func key(ofRelationship index: Int) -> String? {
        let relationship = mapping.relationships[index]
        let names = observed + [spelled(relationship.exportKeys)] + relationship.remoteKeys
        return names.first { name in
            let target = mapping.target(for: name)
            return target?.relationship == index && target?.keyPart == nil
        }
    }

    /// Returns the name of embedded objects in the format that the options specify.
    func embedded(_ key: String, by relationship: RelationshipMapping) -> String {
        let isPart = relationship.referenceExportKeys.isEmpty
        let format = isPart ? embedding ?? options.relationships : options.relationships
        guard format == .nestedAttributes else { return key }
        return key + (options.keys == .snake ? "_attributes" : "Attributes")
    }

    func references(ofRelationship index: Int) -> [String]? {
        let relationship = mapping.relationships[index]
        let usual = relationship.referenceExportKeys.map(spelled)
        guard !usual.isEmpty, !relationship.relationship.isToMany || usual.count == 1 else {
            return nil
        }
        let names = usual.indices.compactMap { part in
            // An import accepts a scalar under the name of the objects as a reference, too.
            let others = usual.count == 1 ? relationship.remoteKeys : []
            let names =
                observedReferences + [usual[part]] + relationship.referenceKeys[part] + others
            return names.first { name in
                let target = mapping.target(for: name)
                return target?.relationship == index
                    && (target?.keyPart == part || others.contains(name)
                        || usual.count == 1 && observedReferences.contains(name))
            }
        }
        return names.count == usual.count ? names : nil
    }
}
