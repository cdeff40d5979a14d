import TidemarkJSON
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

    /// The names of the key's values that the row itself has.
    let ownKey: [String]

    /// The relationships that are exported.
    let relationships: [RelationshipName]

    /// The properties that are within members.
    let nestedProperties: [NestedProperty]

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

        /// The form of its values in requests; nil if the service has not shown it.
        var form: ValueForm?
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

        /// How references are written in requests that are to look like the service's objects.
        let form: ReferenceForm

        /// Whether the linked rows have no primary key, and are parts of the rows that link them.
        let isPart: Bool

        /// The number of arrays and objects between an object and the objects embedded in it.
        var levels: Int {
            let steps = key.map { JSONPath($0).names.count - 1 } ?? 0
            return steps + (relationship.isToMany ? 1 : 0)
        }
    }

    /// How a service's own objects refer to others.
    enum ReferenceForm: Sendable {
        /// By their keys; with the form of each part, if the service has shown it.
        case keys([ValueForm?])
        /// By their URLs.
        case url(ValueForm.ReferenceURL)
        /// By objects that contain their keys.
        case objects
    }

    init(_ mapping: EntityMapping, options: ExportOptions, change: ChangeFormat?) {
        let spelling = Spelling(mapping: mapping, options: options, change: change)
        self.mapping = mapping
        attributes = mapping.attributes.indices.compactMap { index in
            let attribute = mapping.attributes[index].attribute
            guard attribute.json.isExportable else { return nil }
            return spelling.key(ofAttribute: index).map { key in
                var name = spelling.name(of: attribute, key: key)
                name.form = spelling.form(ofAttribute: index)
                return name
            }
        }
        // References need a name for each part of the key, even if the attribute itself is not
        // exported.
        key = mapping.keyParts.map { part in
            let index = mapping.attributes.firstIndex { $0.name == part.attribute.name }
            let isOwn = part.path.isEmpty
            let own = isOwn ? index.flatMap(spelling.key(ofAttribute:)) : nil
            var name = spelling.name(
                of: part.attribute,
                key: own ?? spelling.spelled(mapping.exportKeys(of: part))
            )
            name.form = isOwn ? index.flatMap(spelling.form(ofAttribute:)) : nil
            return name
        }
        keyParents = mapping.keyParts.map(\.path.first)
        ownKey = zip(key, keyParents).compactMap { $1 == nil ? $0.key : nil }
        relationships = mapping.relationships.indices.compactMap { index in
            let relationship = mapping.relationships[index].relationship
            guard relationship.json.isExportable else { return nil }
            let key = spelling.key(ofRelationship: index)
            let references = spelling.references(ofRelationship: index)
            return RelationshipName(
                relationship: relationship,
                key: key.map { spelling.embedded($0, by: mapping.relationships[index]) },
                plainKey: key,
                references: references,
                form: spelling.form(ofRelationship: index, under: references),
                isPart: mapping.relationships[index].referenceExportKeys.isEmpty
            )
        }
        nestedProperties = Self.nestedProperties(of: attributes, and: relationships)
    }
}
