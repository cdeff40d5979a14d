import TidemarkModel
import TidemarkStore

extension ExportNames {
    /// Chooses the names of one entity's properties, and the forms of their values.
    struct Spelling {
        let mapping: EntityMapping
        let options: ExportOptions

        /// How requests are written; nil for an export.
        private let change: ChangeFormat?

        /// What the service's own objects have shown.
        private let shown: ObservedNames

        /// The names that the service's own objects have, if requests have the same.
        private let observed: [String]

        /// Those of them under which the service's objects do not have whole objects.
        private let observedReferences: [String]
    }
}

extension ExportNames.Spelling {
    init(mapping: EntityMapping, options: ExportOptions, change: ChangeFormat?) {
        self.mapping = mapping
        self.options = options
        self.change = change
        shown = change?.names[mapping.entity] ?? ObservedNames()
        let names = change?.spellsAsObserved == true ? shown.all : []
        observed = names.sorted()
        observedReferences = names.subtracting(shown.embedded).sorted()
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
            .first { mapping.target(at: $0)?.attribute == index }
    }

    func key(ofRelationship index: Int) -> String? {
        let relationship = mapping.relationships[index]
        let names = observed + [spelled(relationship.exportKeys)] + relationship.remoteKeys
        return names.first { name in
            let target = mapping.target(at: name)
            return target?.relationship == index && target?.keyPart == nil
        }
    }

    /// Returns the name of embedded objects in the format that the options specify.
    func embedded(_ key: String, by relationship: RelationshipMapping) -> String {
        let isPart = relationship.referenceExportKeys.isEmpty
        let format =
            isPart ? change?.embedding ?? options.relationships : options.relationships
        guard format == .nestedAttributes else { return key }
        return key + (options.keys == .snake ? "_attributes" : "Attributes")
    }

    func references(ofRelationship index: Int) -> [String]? {
        let relationship = mapping.relationships[index]
        let usual = relationship.referenceExportKeys.map(spelled)
        guard !usual.isEmpty, !relationship.relationship.isToMany || usual.count == 1 else {
            return nil
        }
        if let accepted = acceptedKey(ofRelationship: index) { return [accepted] }
        let names = usual.indices.compactMap { part in
            // An import accepts a scalar under the name of the objects as a reference, too.
            let others = usual.count == 1 ? relationship.remoteKeys : []
            let names =
                observedReferences + [usual[part]] + relationship.referenceKeys[part] + others
            return names.first { name in
                let target = mapping.target(at: name)
                return target?.relationship == index
                    && (target?.keyPart == part || others.contains(name)
                        || usual.count == 1 && observedReferences.contains(name))
            }
        }
        return names.count == usual.count ? names : nil
    }

    // MARK: Forms

    /// Returns the form of an attribute's values; nil if it was not shown, or the model specifies
    /// another one.
    func form(ofAttribute index: Int) -> ValueForm? {
        guard mapping.attributes[index].attribute.hasObservedForm else { return nil }
        return shown.form(ofAttribute: index, in: mapping)
    }

    /// Returns how references are written.
    ///
    /// - Parameters:
    ///   - index: The relationship.
    ///   - names: The names of the keys, if references are keys.
    /// - Returns: The form.
    func form(
        ofRelationship index: Int,
        under names: [String]?
    ) -> ExportNames.ReferenceForm {
        guard change?.isObserved == true else { return .keys([]) }
        let relationship = mapping.relationships[index].relationship
        if let key = key(ofRelationship: index), shown.embedded.contains(key),
            relationship.json.referenceKeys.isEmpty,
            names.map({ $0.allSatisfy { !observedReferences.contains($0) } }) ?? true,
            acceptedKey(ofRelationship: index) == nil
        {
            return .objects
        }
        let forms = (names ?? []).map { name in
            let form = shown.forms[name]?.form
            if form != nil || names?.count != 1 { return form }
            // The service's objects may spell the name in another way than requests.
            return shown.forms { other in
                mapping.target(at: other)?.relationship == index
            }
            .first
        }
        if case .url(let url) = forms.first { return .url(url) }
        return .keys(forms)
    }

    /// Returns the name under which the service has accepted a key, although its own objects
    /// contain an object; nil if that is not known.
    private func acceptedKey(ofRelationship index: Int) -> String? {
        guard change?.isObserved == true else { return nil }
        let forms = shown.forms { mapping.target(at: $0)?.relationship == index }
        return forms.lazy.compactMap { form in
            if case .keyUnder(let name) = form { name } else { nil }
        }
        .first
    }
}

extension ObservedNames {
    /// Returns the forms of the members whose names satisfy a condition, in the order of the names.
    fileprivate func forms(where isIncluded: (String) -> Bool) -> [ValueForm] {
        forms.filter { isIncluded($0.key) }.sorted { $0.key < $1.key }.map(\.value.form)
    }
}

extension Attribute {
    /// Whether the form of the values at a service is that of requests: the model specifies no
    /// other one.
    var hasObservedForm: Bool {
        json.isExportable && json.valueTransformer == nil && json.dateFormat == nil
    }
}
