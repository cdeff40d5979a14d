import TidemarkModel

extension ModelDraft {
    /// A member whose name marks its values as foreign keys of an entity.
    struct Reference {
        let path: [String]
        let stem: String
        let destination: Int
        let isToMany: Bool
        let links: LinkSketch
    }

    /// Returns the reference for a member such as `company_id` or `tag_ids`, or nil if it is not
    /// one.
    func reference(at path: [String], with shape: Shape, of position: Int) -> Reference? {
        guard shape.objects == 0, shape.element?.objects ?? 0 == 0, !shape.isCut,
            entities[position].nested[path] == nil,
            shape.element?.lists ?? 0 == 0, let name = ReferenceName(path[path.count - 1]),
            shape.lists == 0 || shape.scalars.count == 0
        else { return nil }
        let isToMany = shape.lists > 0 || shape.isBlank && name.isPlural
        guard let destination = destination(of: name, with: shape, in: position) else { return nil }
        return Reference(
            path: path,
            stem: name.stem,
            destination: destination,
            isToMany: isToMany,
            links: shape.links
        )
    }

    private func destination(of name: ReferenceName, with shape: Shape, in position: Int) -> Int? {
        let word = SampleName.entity(for: name.stem, by: naming)
        let values = shape.values
        let fitting = entities.indices.filter { other in
            entities[other].key.map { values.convert(toKey: $0.type) } ?? false
        }
        if let named = fitting.first(where: { entities[$0].name == word }) { return named }
        guard values.count > 0 else { return nil }
        let proven = fitting.filter { isProven(shape.links, to: $0) }
        let ending = proven.filter { word.hasSuffix(entities[$0].name) }
            .max { entities[$0].name.count < entities[$1].name.count }
        if let ending { return ending }
        if Self.familyRoles.contains(name.stem.lowercased()), proven.contains(position) {
            return position
        }
        // UUIDs and long identifiers do not coincide by chance, unlike small integers.
        let isUnmistakable = values.texts.uuids + values.texts.tokens >= values.count
        return isUnmistakable && proven.count == 1 ? proven[0] : nil
    }

    /// Returns whether all referenced keys belong to objects of an entity, and at least one object
    /// refers to another than itself.
    private func isProven(_ links: LinkSketch, to position: Int) -> Bool {
        guard let key = entities[position].key, let known = entities[position].shape.keys[key.name],
            links.pairs.contains(where: { $0.owner != $0.member })
        else { return false }
        return links.isContained(in: known)
    }

    /// Returns the entity to which URLs, or keys under a name without a suffix such as `_id`,
    /// refer.
    func destination(ofReferences shape: Shape, at path: [String], in position: Int) -> Int? {
        guard shape.lists == 0 || shape.scalars.count == 0, shape.element?.lists ?? 0 == 0 else {
            return nil
        }
        let values = shape.values
        let word = SampleName.entity(for: Self.role(of: path), by: naming)
        guard values.count > 0 else {
            // The arrays are empty, so the name is the only evidence.
            guard shape.lists > 0, let named = entity(named: word) else { return nil }
            return entities[named].key == nil ? nil : named
        }
        if values.texts.count == values.count, values.texts.paths == values.count {
            let name = KeyName(path[path.count - 1], of: "")
            let isOwn = name?.isAddress == true && shape.isOwnAddress
            return isOwn ? nil : destination(ofAddresses: values)
        }
        guard let named = entity(named: word), let key = entities[named].key,
            values.convert(toKey: key.type), isProven(shape.links, to: named)
        else { return nil }
        return named
    }

    /// Returns the entity to whose class all Parse pointers refer.
    func destination(ofPointers shape: Shape) -> Int? {
        let classes = shape.pointedAt
        guard classes.count == 1, let name = classes.first,
            let position = entity(named: String(name.drop { $0 == "_" })),
            let key = entities[position].key, shape.values.convert(toKey: key.type)
        else { return nil }
        return position
    }

    /// Returns the entity whose collections contain all the URLs.
    private func destination(ofAddresses values: ScalarStatistics) -> Int? {
        let collections = values.texts.collections
        guard !values.texts.isScattered, !collections.isEmpty else { return nil }
        let found = entities.indices.filter {
            !entities[$0].collections.isDisjoint(with: collections)
        }
        guard found.count == 1, let key = entities[found[0]].key,
            collections.isSubset(of: entities[found[0]].collections),
            key.type == .integer64 || key.type == .uri, values.convert(toKey: key.type)
        else { return nil }
        return found[0]
    }

    /// Adds references, either to the relationships whose objects they identify or as new
    /// relationships.
    mutating func add(_ references: [Reference], to position: Int) {
        var known: [String: Int] = [:]
        for (index, relationship) in entities[position].relationships.enumerated() {
            known[relationship.name] = index
        }
        for reference in references { add(reference, to: position, known: known) }
    }

    private mutating func add(
        _ reference: Reference,
        to position: Int,
        known: [String: Int]
    ) {
        let stem = reference.isToMany ? naming.inflection.plural(reference.stem) : reference.stem
        let name = localName(reference.path.dropLast() + [stem])
        if let index = known[name], entities[position].relationships[index].isNamed(by: reference) {
            entities[position].relationships[index].referencePath = reference.path
            return
        }
        entities[position].relationships.append(
            RelationshipDraft(
                name: takeName(name, in: position),
                referencePath: reference.path,
                destination: reference.destination,
                isToMany: reference.isToMany,
                isOfObjects: false,
                links: reference.links
            )
        )
    }
}

extension RelationshipDraft {
    /// Returns whether a reference identifies the objects of this relationship.
    fileprivate func isNamed(by reference: ModelDraft.Reference) -> Bool {
        destination == reference.destination && isToMany == reference.isToMany
            && referencePath == nil && path != nil
    }
}
