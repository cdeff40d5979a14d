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
        for position in entities.indices {
            for name in entities[position].shape.fields.keys {
                entities[position].names.reserve(name, by: naming)
            }
            if let key = entities[position].key ?? entities[position].keyWithinParent {
                addKey(key, to: position)
            }
            var references: [Reference] = []
            read(entities[position].shape, at: [], of: position, references: &references)
            add(references, to: position)
        }
    }

    private mutating func addKey(_ key: KeyChoice, to position: Int) {
        let isIdentity = key.rank < .unique || key.isNumberInAddress
        let name = entities[position].names.take(isIdentity ? "id" : localName(key.path))
        entities[position].attributes.append(
            AttributeDraft(
                name: name,
                path: key.path,
                type: key.type,
                isExplicit: name != key.name && key.rank != .ownIdentity
            )
        )
    }

    private mutating func read(
        _ object: ObjectShape,
        at path: [String],
        of position: Int,
        references: inout [Reference]
    ) {
        for name in object.names {
            let path = path + [name]
            guard let shape = object.fields[name]?.shape, path != keyPath(of: position) else {
                continue
            }
            guard PropertyPath.isUsable(name) else {
                addNote(
                    "The JSON key “\(name)” cannot be written as a key path.",
                    on: position,
                    needsReview: true
                )
                continue
            }
            if let reference = reference(at: path, with: shape, of: position) {
                references.append(reference)
                continue
            }
            let content: Content =
                object.hasLinkLists(name)
                ? .attribute(.json) : content(of: shape, at: path, in: position)
            switch content {
            case .values(let inner):
                read(inner, at: path, of: position, references: &references)
            case .attribute(let type):
                let name = takeName(localName(path), in: position)
                entities[position].attributes.append(
                    AttributeDraft(name: name, path: path, type: type)
                )
                if let (message, needsReview) = shape.remark(on: type) {
                    addNote(message, on: position, property: name, needsReview: needsReview)
                }
            case .relationship(let destination, let isToMany, let isOfObjects):
                let name = takeName(localName(Self.descriptive(path)), in: position)
                entities[position].relationships.append(
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
                    let depth = limits.depth
                    addNote(
                        "Objects below \(depth) levels were not examined.",
                        on: position,
                        property: name,
                        needsReview: true
                    )
                }
            }
        }
    }

    private func keyPath(of position: Int) -> [String]? {
        (entities[position].key ?? entities[position].keyWithinParent)?.path
    }

    private func content(of shape: Shape, at path: [String], in position: Int) -> Content {
        if shape.objects + shape.lists > 0, entities[position].shape.isSecondIdentity(path) {
            return .attribute(.json)
        }
        if let destination = entities[position].nested[path] {
            guard shape.values.count == 0 || refers(shape, to: destination) else {
                return .attribute(.json)
            }
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
            ?? destination(ofReferences: shape, at: path, in: position)
        {
            return .relationship(to: destination, isToMany: shape.lists > 0, isOfObjects: false)
        }
        if shape.lists > 0 || shape.objects > 0 { return .attribute(.json) }
        return .attribute(shape.scalars.type ?? .string)
    }

    /// Returns whether the scalars next to nested objects are all keys of their entity.
    private func refers(_ shape: Shape, to destination: Int) -> Bool {
        let entity = entities[destination]
        guard let key = entity.key, let keys = entity.shape.keys[key.name] else { return false }
        return shape.values.convert(toKey: key.type) && shape.refers(onlyTo: [keys])
    }

    // MARK: Names

    /// Returns the property name for a path: the JSON name in camel case, prefixed with the names
    /// before it that describe their content.
    func localName(_ path: [String]) -> String {
        let descriptive = path.dropLast().filter { !Self.wrappers.contains($0) } + path.suffix(1)
        let words = descriptive.map { $0.count > 1 ? String($0.drop { $0 == "_" }) : $0 }
        let joined = words.joined(separator: "_")
        let name = naming.camelCase(joined) ?? joined
        let proposal = ModelCheck.proposal(for: name, isEntity: false)
        return proposal.prefix(1).lowercased() + proposal.dropFirst()
    }

    /// Returns an unused property name that does not make the attribute the primary key.
    mutating func takeName(_ name: String, in position: Int) -> String {
        let isMistaken = ["id", "remoteid"].contains(name.lowercased())
        return entities[position].names.take(isMistaken ? "\(name)Value" : name)
    }

    // MARK: Notes

    /// Adds a note on an entity or on its property.
    mutating func addNote(
        _ message: String,
        on entity: Int,
        property: String? = nil,
        needsReview: Bool
    ) {
        let name = entities[entity].name
        notes.append(
            InferenceNote(
                on: property.map { "\(name).\($0)" } ?? name,
                message,
                needsReview: needsReview
            )
        )
    }
}

extension Shape {
    /// Returns a note on the type that was chosen for these values, or nil if it is obvious.
    fileprivate func remark(on type: AttributeType) -> (message: String, needsReview: Bool)? {
        let texts = scalars.texts
        let listed = element?.scalars.texts ?? TextStatistics()
        if isBlank { return ("It was always null, so its type is a guess.", true) }
        if lists > 0, values.count == 0, objects == 0, !isCut, element?.lists ?? 0 == 0,
            element?.objects ?? 0 == 0
        {
            return ("Its lists were all empty, so what they hold is unknown.", true)
        }
        if type == .json || type == .uri, texts.paths + listed.paths == values.count,
            // Pages directly below the root of a host are not a list.
            let collection = texts.collections.union(listed.collections).min(), !collection.isEmpty
        {
            let hint = "a sample of that list would make them links."
            return ("Its addresses are below \(collection): \(hint)", false)
        }
        if type == .json, values.count > 0, objects + (element?.objects ?? 0) > 0 {
            return ("Not all of its values are objects or their keys; kept as JSON.", false)
        }
        if type == .json, lists == 0 {
            if objects > 0 {
                return ("Its objects have data for names, or are too deep; kept as JSON.", false)
            }
            return scalars.count == 0
                ? nil : ("No other type holds its values without loss.", false)
        }
        guard type == .string else { return nil }
        if scalars.booleans + scalars.numbers.count > 0 {
            return ("Its values are of several kinds, all of which a string holds.", true)
        }
        if texts.numbers == texts.count {
            return ("All its texts are numbers: a number type would hold them too.", false)
        }
        return texts.numbers * 4 < texts.count * 3
            ? nil : ("Most of its texts are numbers: consider nullValues.", false)
    }
}
