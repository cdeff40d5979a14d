import TidemarkModel

extension ModelDraft {
    /// How a member of an entity's objects is represented.
    private enum Content {
        case attribute(AttributeType)
        case relationship(to: Int, isToMany: Bool, isOfObjects: Bool)
        case values(ObjectShape)
    }

    /// Adds attributes and relationships for the members of all entities.
    ///
    /// Foreign keys come last, because `company_id` may belong to the relationship that `company`
    /// became.
    mutating func readProperties() {
        for place in entities.indices {
            for name in entities[place].shape.fields.keys {
                entities[place].names.reserve(name, naming)
            }
            if let key = entities[place].key ?? entities[place].keyWithinParent {
                addKey(key, to: place)
            }
            var references: [Reference] = []
            read(entities[place].shape, [], of: place, &references)
            add(references, to: place)
        }
    }

    private mutating func addKey(_ key: KeyChoice, to place: Int) {
        let isIdentity = key.rank < .unique || key.isNumberInAddress
        let name = entities[place].names.take(isIdentity ? "id" : localName([key.name]))
        entities[place].attributes.append(
            AttributeDraft(
                name: name,
                path: [key.name],
                type: key.type,
                isExplicit: name != key.name && key.rank != .ownIdentity
            )
        )
    }

    private mutating func read(
        _ object: ObjectShape,
        _ path: [String],
        of place: Int,
        _ references: inout [Reference]
    ) {
        for name in object.names {
            let path = path + [name]
            guard let shape = object.fields[name]?.shape, path != keyPath(of: place) else {
                continue
            }
            guard PropertyPath.isUsable(name) else {
                note(place, nil, "The JSON key “\(name)” cannot be written as a key path.", true)
                continue
            }
            if let reference = reference(at: path, shape, of: place) {
                references.append(reference)
                continue
            }
            let content: Content =
                object.hasLinkLists(name)
                ? .attribute(.json) : content(of: shape, at: path, in: place)
            switch content {
            case .values(let inner):
                read(inner, path, of: place, &references)
            case .attribute(let type):
                let name = takeName(localName(path), in: place)
                entities[place].attributes.append(
                    AttributeDraft(name: name, path: path, type: type)
                )
                explain(shape, type, place, name)
            case .relationship(let destination, let isToMany, let isOfObjects):
                let name = takeName(localName(Self.telling(path)), in: place)
                entities[place].relationships.append(
                    RelationshipDraft(
                        name: name,
                        path: path,
                        destination: destination,
                        isToMany: isToMany,
                        isOfObjects: isOfObjects,
                        links: shape.links
                    )
                )
                if shape.isCut {
                    let depth = limits.inferredDepth
                    note(place, name, "Objects below \(depth) levels were not examined.", true)
                }
            }
        }
    }

    private func keyPath(of place: Int) -> [String]? {
        (entities[place].key ?? entities[place].keyWithinParent).map { [$0.name] }
    }

    private func content(of shape: Shape, at path: [String], in place: Int) -> Content {
        if shape.objects + shape.lists > 0, entities[place].shape.isSecondIdentity(path) {
            return .attribute(.json)
        }
        if let destination = entities[place].nested[path] {
            let isFit =
                shape.values.count == 0
                || entities[destination].key.map { shape.values.convert(toKey: $0.type) } ?? false
            guard isFit else { return .attribute(.json) }
            return .relationship(to: destination, isToMany: shape.lists > 0, isOfObjects: true)
        }
        // The parts that were not read could be of any type.
        if shape.isCut { return .attribute(.json) }
        if shape.nestedObject != nil {
            let nesting = shape.nesting(depth: path.count - 1)
            guard case .values = nesting, let object = shape.object else {
                return .attribute(.json)
            }
            return .values(object)
        }
        if !shape.pointedAt.isEmpty, destination(ofPointers: shape) == nil {
            return .attribute(.json)
        }
        if let destination = destination(ofPointers: shape)
            ?? destination(ofReferences: shape, at: path, in: place)
        {
            return .relationship(to: destination, isToMany: shape.lists > 0, isOfObjects: false)
        }
        if shape.lists > 0 || shape.objects > 0 { return .attribute(.json) }
        return .attribute(shape.scalars.type ?? .string)
    }

    // MARK: Names

    /// Returns the property name for a path: the JSON name in camel case, prefixed with the names
    /// before it that describe their content.
    func localName(_ path: [String]) -> String {
        let telling = path.dropLast().filter { !Self.wrappers.contains($0) } + path.suffix(1)
        let words = telling.map { $0.count > 1 ? String($0.drop { $0 == "_" }) : $0 }
        let joined = words.joined(separator: "_")
        let name = naming.camelCase(joined) ?? joined
        let proposal = ModelCheck.proposal(for: name, isEntity: false)
        return proposal.prefix(1).lowercased() + proposal.dropFirst()
    }

    /// Returns an unused property name that does not make the attribute the primary key.
    mutating func takeName(_ name: String, in place: Int) -> String {
        let isMistaken = ["id", "remoteid"].contains(name.lowercased())
        return entities[place].names.take(isMistaken ? "\(name)Value" : name)
    }

    // MARK: Notes

    mutating func note(_ place: Int, _ name: String?, _ message: String, _ isDoubtful: Bool) {
        let entity = entities[place].name
        notes.append(
            InferenceNote(name.map { "\(entity).\($0)" } ?? entity, message, isDoubtful: isDoubtful)
        )
    }

    private mutating func explain(
        _ shape: Shape,
        _ type: AttributeType,
        _ place: Int,
        _ name: String
    ) {
        let texts = shape.scalars.texts
        let listed = shape.element?.scalars.texts ?? TextFacts()
        if shape.isBlank {
            note(place, name, "It was always null, so its type is a guess.", true)
        } else if shape.lists > 0, shape.values.count == 0, shape.objects == 0,
            !shape.isCut, shape.element?.lists ?? 0 == 0, shape.element?.objects ?? 0 == 0
        {
            note(place, name, "Its lists were all empty, so what they hold is unknown.", true)
        } else if type == .json || type == .uri, texts.paths + listed.paths == shape.values.count,
            // Pages directly below the root of a host are not a list.
            let collection = texts.collections.union(listed.collections).min(), !collection.isEmpty
        {
            note(
                place,
                name,
                "Its addresses are below \(collection): a sample of that list would make them links.",
                false
            )
        } else if type == .json, shape.lists == 0, shape.objects > 0 {
            note(
                place,
                name,
                "Its objects have data for names, or are too deep; kept as JSON.",
                false
            )
        } else if type == .json, shape.lists == 0, shape.scalars.count > 0 {
            note(place, name, "No other type holds its values without loss.", false)
        } else if type == .string, shape.scalars.booleans + shape.scalars.numbers.count > 0 {
            note(place, name, "Its values are of several kinds, all of which a string holds.", true)
        } else if type == .string, texts.numbers == texts.count {
            note(
                place,
                name,
                "All its texts are numbers: a number type would hold them too.",
                false
            )
        } else if type == .string, texts.numbers * 4 >= texts.count * 3 {
            note(place, name, "Most of its texts are numbers: consider nullValues.", false)
        }
    }
}
