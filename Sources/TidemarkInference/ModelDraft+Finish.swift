import TidemarkJSON
import TidemarkModel

extension ModelDraft {
    /// Returns the model, in which every JSON name of the samples maps to its property.
    mutating func finish() -> InferredModel {
        var model = self.model
        for _ in 0..<Self.attemptLimit {
            guard correctNames(in: model) else { break }
            model = self.model
        }
        return InferredModel(
            model: model,
            notes: sortedNotes,
            guessedKeys: Set(entities.filter { $0.key?.isGuess == true }.map(\.name))
        )
    }

    /// The maximum number of passes.
    ///
    /// Declaring one JSON name may make another ambiguous.
    private static let attemptLimit = 8

    private var model: Model {
        Model(
            entities: entities.map { entity in
                EntityDescription(
                    entity.name,
                    primaryKey: primaryKey(entity),
                    attributes: entity.attributes.map { attribute in
                        Attribute(
                            attribute.name,
                            attribute.type,
                            remoteKey: attribute.needsRemoteKey ? attribute.jsonName : nil
                        )
                    },
                    relationships: entity.relationships.map(relationship)
                )
            }
        )
    }

    /// Returns the names of the key's parts.
    ///
    /// Empty if an attribute called `id` is the key by default.
    private func primaryKey(_ entity: EntityDraft) -> [String] {
        if let parent = entity.parent {
            return [entity.relationships[parent].name, entity.attributes[0].name]
        }
        return entity.key == nil || entity.attributes[0].name == "id"
            ? [] : [entity.attributes[0].name]
    }

    private func relationship(_ draft: RelationshipDraft) -> Relationship {
        let destination = entities[draft.destination]
        return Relationship(
            draft.name,
            to: destination.name,
            isToMany: draft.isToMany,
            inverse: draft.inverse.map { destination.relationships[$0].name },
            deleteRule: draft.deleteRule,
            remoteKey: draft.needsRemoteKey ? draft.jsonName : nil,
            referenceKeys: draft.needsReferenceKey ? [draft.referenceName].compactMap(\.self) : []
        )
    }

    // MARK: Names

    /// Declares the JSON names that would map to another property.
    ///
    /// Returns whether anything changed.
    private mutating func correctNames(in model: Model) -> Bool {
        var hasChanged = false
        for position in entities.indices {
            let mapping = EntityMapping(entity: model.entities[position], in: model, naming: naming)
            for index in entities[position].attributes.indices {
                let attribute = entities[position].attributes[index]
                let isExported = mapping.attributes[index].exportKeys.has(attribute.jsonName)
                guard let target = mapping.target(at: attribute.path), target.attribute == index,
                    isExported
                else {
                    hasChanged = !attribute.needsRemoteKey || hasChanged
                    entities[position].attributes[index].isExplicit = true
                    continue
                }
                guard let other = target.relationship else { continue }
                rename(other, of: position)
                hasChanged = true
            }
            for index in entities[position].relationships.indices {
                hasChanged = correct(index, of: position, by: mapping) || hasChanged
            }
            hasChanged = freePrefixes(of: position, by: mapping) || hasChanged
        }
        return hasChanged
    }

    private mutating func correct(
        _ index: Int,
        of position: Int,
        by mapping: EntityMapping
    ) -> Bool {
        let relationship = entities[position].relationships[index]
        var hasChanged = false
        for (path, isReference) in [(relationship.path, false), (relationship.referencePath, true)]
        {
            guard let path else { continue }
            let target = mapping.target(at: path)
            let isSpelledOut =
                isReference ? relationship.needsReferenceKey : relationship.needsRemoteKey
            if let attribute = target?.attribute, isSpelledOut {
                renameAttribute(attribute, of: position)
                hasChanged = true
            }
            let keys = mapping.relationships[index]
            let isExported =
                isReference
                ? keys.referenceExportKeys.contains { $0.has(JSONPath(path).description) }
                : keys.exportKeys.has(JSONPath(path).description)
            let isFound =
                target?.relationship == index && (target?.keyPart != nil) == isReference
                && target?.attribute == nil && isExported
            guard !isFound else { continue }
            hasChanged = !isSpelledOut || hasChanged
            if isReference {
                entities[position].relationships[index].isReferenceExplicit = true
            } else {
                entities[position].relationships[index].isExplicit = true
            }
        }
        return hasChanged
    }

    /// Renames properties to which an object would be assigned that other key paths lead through.
    ///
    /// Returns whether there were any.
    private mutating func freePrefixes(of position: Int, by mapping: EntityMapping) -> Bool {
        let paths =
            entities[position].attributes.map(\.path)
            + entities[position].relationships.flatMap { [$0.path, $0.referencePath] }
            .compactMap(\.self)
        var prefixes: Set<String> = []
        for path in paths {
            for length in 1..<max(1, path.count) {
                prefixes.insert(JSONPath(Array(path.prefix(length))).description)
            }
        }
        var attributes: Set<Int> = []
        var relationships: Set<Int> = []
        for prefix in prefixes {
            // A member may be JSON as a whole, and contain the self link that is the key.
            if let index = mapping.names[ByteExactString(prefix)]?.attribute,
                entities[position].attributes[index].jsonName != prefix
            {
                attributes.insert(index)
            }
            if let index = mapping.names[ByteExactString(prefix)]?.relationship {
                relationships.insert(index)
            }
        }
        for index in attributes.sorted() { renameAttribute(index, of: position) }
        for index in relationships.sorted() { rename(index, of: position) }
        return !attributes.isEmpty || !relationships.isEmpty
    }

    /// Renames an attribute that would match another property's JSON name.
    private mutating func renameAttribute(_ index: Int, of position: Int) {
        let name = entities[position].attributes[index].name
        entities[position].attributes[index].name = entities[position].names.take(name)
        entities[position].attributes[index].isExplicit = true
    }

    /// Renames a relationship that would match an attribute's JSON name.
    private mutating func rename(_ index: Int, of position: Int) {
        let name = entities[position].relationships[index].name
        entities[position].relationships[index].name = entities[position].names.take(name)
        entities[position].relationships[index].isExplicit = true
        entities[position].relationships[index].isReferenceExplicit = true
    }

    // MARK: Notes

    private var sortedNotes: [InferenceNote] {
        var positions: [String: Int] = [:]
        for entity in entities {
            let names =
                [entity.name]
                + (entity.attributes.map(\.name) + entity.relationships.map(\.name)).map {
                    "\(entity.name).\($0)"
                }
            for name in names { positions[name] = positions.count }
        }
        return notes.enumerated().sorted { left, right in
            (positions[left.element.path] ?? 0, left.offset)
                < (positions[right.element.path] ?? 0, right.offset)
        }
        .map(\.element)
    }
}

extension AttributeDraft {
    /// Whether the model has to declare the JSON name.
    fileprivate var needsRemoteKey: Bool { isExplicit || path.count > 1 }
}

extension RelationshipDraft {
    /// Whether the model has to declare the JSON name of the objects.
    fileprivate var needsRemoteKey: Bool { path.map { isExplicit || $0.count > 1 } ?? false }

    /// Whether the model has to declare the JSON name of the foreign keys.
    fileprivate var needsReferenceKey: Bool {
        referencePath.map { isReferenceExplicit || $0.count > 1 } ?? false
    }
}

extension ExportKeys {
    /// Returns whether one of the spellings equals the name.
    fileprivate func has(_ name: String) -> Bool { snake == name || camel == name }
}

extension EntityMapping {
    /// Returns the property to which the value at a path is mapped.
    fileprivate func target(at path: [String]) -> Target? {
        path.count == 1 ? target(for: path[0]) : names[ByteExactString(JSONPath(path).description)]
    }
}
