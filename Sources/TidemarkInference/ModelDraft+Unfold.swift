import TidemarkModel

extension ModelDraft {
    /// Makes entities of nested objects until none is left.
    ///
    /// Objects next to scalars follow after all others, because the scalars may be keys of objects
    /// at other paths. They stay JSON values if some scalars are not: a relationship would lose
    /// those.
    mutating func unfold() {
        unfold(nextToScalars: false)
        while unfold(nextToScalars: true) {}
    }

    /// Makes entities of nested objects, and returns whether there were any.
    ///
    /// Merging objects into an entity may reveal further nested objects, so the entity is queued
    /// again.
    @discardableResult
    private mutating func unfold(nextToScalars isMixed: Bool) -> Bool {
        var hasUnfolded = false
        var queue = Array(entities.indices)
        var isWaiting = Set(queue)
        var next = 0
        while next < queue.count {
            let position = queue[next]
            next += 1
            isWaiting.remove(position)
            for waiting in objects(in: entities[position].shape, of: position) {
                guard isMixed || !waiting.isMixed,
                    let destination = unfold(waiting, of: position)
                else { continue }
                hasUnfolded = true
                if isWaiting.insert(destination).inserted { queue.append(destination) }
            }
        }
        return hasUnfolded
    }

    /// A path with nested objects that are to become an entity.
    private struct PendingObjects {
        let path: [String]

        /// Whether other values at the path are scalars.
        let isMixed: Bool

        /// Whether an entity has to be found or created for them.
        var isNew = true
    }

    /// Moves nested objects into an existing or a new entity and returns its index.
    ///
    /// Returns nil if the limit of entities is reached, or a scalar next to the objects is not the
    /// key of one.
    private mutating func unfold(_ waiting: PendingObjects, of position: Int) -> Int? {
        guard !waiting.isNew || entities.count < limits.entities,
            !waiting.isMixed || hasKeysOnly(at: waiting.path, in: position),
            let nested = entities[position].takeObjects(at: waiting.path).map(NestedObjects.init)
        else { return nil }
        let destination = destination(of: nested, at: waiting.path, in: position)
        entities[destination].merge(nested.shape)
        entities[position].nested[waiting.path] = destination
        return destination
    }

    /// Returns whether the scalars next to nested objects are all keys, either of these objects or
    /// of others of their entity.
    private func hasKeysOnly(at path: [String], in position: Int) -> Bool {
        guard let shape = entities[position].shape.shape(at: path[...]),
            let nested = shape.nestedObject.map(NestedObjects.init)
        else { return false }
        let known = known(nested, at: path, in: position).map { entities[$0] }
        guard let key = nested.key ?? known?.key else { return false }
        return shape.refers(
            onlyTo: [nested.shape, known?.shape].compactMap { $0?.keys[key.name] }
        )
    }

    /// Returns the paths whose nested objects are to become entities.
    private func objects(
        in shape: ObjectShape,
        of position: Int,
        below path: [String] = []
    ) -> [PendingObjects] {
        shape.names.filter(PropertyPath.isUsable).flatMap { name -> [PendingObjects] in
            let inner = path + [name]
            guard let field = shape.fields[name]?.shape, field.hasObjects,
                !shape.isSecondIdentity(inner), !shape.hasLinkLists(name)
            else { return [] }
            let isMixed = field.references.count + (field.element?.references.count ?? 0) > 0
            if entities[position].nested[inner] != nil {
                return [PendingObjects(path: inner, isMixed: isMixed, isNew: false)]
            }
            switch field.nesting(depth: path.count) {
            case .one, .many: return [PendingObjects(path: inner, isMixed: isMixed)]
            case .values:
                guard let object = field.object else { return [] }
                return isOfSample(object, under: inner)
                    ? [PendingObjects(path: inner, isMixed: isMixed, isNew: false)]
                    : objects(in: object, of: position, below: inner)
            case .none, .opaque: return []
            }
        }
    }

    /// Returns the index of the entity for nested objects, and creates one if none matches.
    private mutating func destination(
        of nested: NestedObjects,
        at path: [String],
        in position: Int
    ) -> Int {
        let role = Self.role(of: path)
        let word = SampleName.entity(for: role, by: naming)
        let destination =
            known(nested, at: path, in: position) ?? relative(word, of: nested)
            ?? added(word, for: nested, in: position)
        entities[destination].roles.insert(role)
        return destination
    }

    /// Returns the index of the entity that nested objects belong to, judging by their path, their
    /// name or their content; nil if no entity matches.
    private func known(_ nested: NestedObjects, at path: [String], in position: Int) -> Int? {
        if let known = entities[position].nested[path] { return known }
        let role = Self.role(of: path)
        return recursion(of: nested, under: role, in: position)
            ?? namesake(SampleName.entity(for: role, by: naming), of: nested) ?? twin(of: nested)
    }

    /// Returns whether objects in which no key was found have the key of the sampled entity with
    /// the same name.
    private func isOfSample(_ object: ObjectShape, under path: [String]) -> Bool {
        let word = SampleName.entity(for: Self.role(of: path), by: naming)
        guard let position = namesake(word, of: NestedObjects(object)) else { return false }
        return entities[position].isSampled && entities[position].key != nil
    }

    private mutating func added(_ word: String, for nested: NestedObjects, in position: Int) -> Int
    {
        let name = name(word, entities[position].name + word)
        // The caller merges the objects into it.
        let shape = ObjectShape(named: nested.shape.name, isNested: true)
        entities.append(EntityDraft(name: name, shape: shape, isSampled: false))
        return entities.count - 1
    }

    // MARK: Entities that are there

    /// Names of members that contain objects of the same entity.
    static let familyRoles: Set<String> = [
        "children", "child", "parent", "replies", "reply", "ancestors", "descendants", "siblings",
        "subitems", "related",
    ]

    /// Returns the containing entity if it contains objects of its own kind.
    private func recursion(of nested: NestedObjects, under role: String, in position: Int) -> Int? {
        let entity = entities[position]
        let similarity = ShapeSimilarity(of: nested, to: entity)
        guard similarity.isPossible else { return nil }
        if entity.roles.contains(role), similarity.part >= 0.5 { return position }
        guard similarity.part >= 0.8 else { return nil }
        let isRecursive = nested.shape.fields[role]?.shape.hasObjects ?? false
        let isFamily = Self.familyRoles.contains(role.lowercased())
        return isRecursive || isFamily ? position : nil
    }

    /// Returns the entity with the same name.
    private func namesake(_ word: String, of nested: NestedObjects) -> Int? {
        entities.indices.first { position in
            let name = entities[position].name
            // If several entities share a name, the later ones are prefixed with their owner's.
            let isNamed =
                name == word
                || name.hasSuffix(word)
                    && entities[position].roles.contains {
                        SampleName.entity(for: $0, by: naming) == word
                    }
            guard isNamed else { return false }
            let similarity = ShapeSimilarity(of: nested, to: entities[position])
            return similarity.isPossible
                && (similarity.part >= 0.8 || similarity.overlap >= 0.3
                    || similarity.sharedObjects > 0)
        }
    }

    /// Returns the entity that has the same objects, or objects with many names in common.
    private func twin(of nested: NestedObjects) -> Int? {
        guard nested.key != nil else { return nil }
        var best: (position: Int, objects: Int)?
        for position in entities.indices {
            let similarity = ShapeSimilarity(of: nested, to: entities[position])
            guard similarity.isPossible else { continue }
            let isSame =
                similarity.sharedObjects > 0 && similarity.sharedNames > 1 && similarity.part >= 0.8
            let isRich = similarity.sharedNames > 6 && similarity.overlap >= 0.9
            guard isSame || isRich, similarity.sharedObjects > best?.objects ?? -1 else { continue }
            best = (position, similarity.sharedObjects)
        }
        return best?.position
    }

    /// Returns the entity whose name is a suffix of the word, as `Address` is of `BillingAddress`.
    ///
    /// Two entities with a common suffix become one with that name.
    private mutating func relative(_ word: String, of nested: NestedObjects) -> Int? {
        let words = NamingWords.split(word)
        guard let last = words.last, nested.key != nil else { return nil }
        for position in entities.indices {
            let name = entities[position].name
            let similarity = ShapeSimilarity(of: nested, to: entities[position])
            guard similarity.isPossible, similarity.sharedNames > 1 else { continue }
            let isEnd = words.count > 1 && name.count < word.count && word.hasSuffix(name)
            if isEnd, similarity.part >= 0.8 || similarity.overlap >= 0.6 { return position }
            let others = NamingWords.split(name)
            guard others.last == last, !entities[position].isSampled, similarity.overlap >= 0.8
            else {
                continue
            }
            if words.count > 1, others.count > 1, entity(named: last) == nil {
                entities[position].name = last
            }
            return position
        }
        return nil
    }

    // MARK: Names

    /// Names that do not describe their content.
    static let wrappers: Set<String> = [
        "data", "attributes", "fields", "properties", "relationships", "_embedded", "edges",
        "node", "nodes", "_links", "links",
    ]

    /// The subset whose content is described by the preceding name.
    private static let contents: Set<String> = ["data", "edges", "node", "nodes"]

    /// Returns the path without trailing names that do not describe their content.
    static func descriptive(_ path: [String]) -> [String] {
        let last = path.lastIndex { !contents.contains($0) } ?? path.startIndex
        return Array(path[...last])
    }

    /// Returns the name that describes the content at a path.
    static func role(of path: [String]) -> String { descriptive(path).last ?? "" }
}
