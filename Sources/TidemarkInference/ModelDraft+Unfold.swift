import TidemarkModel

extension ModelDraft {
    /// Makes entities of nested objects until none is left.
    ///
    /// Merging objects into an entity may reveal further nested objects, so the entity is queued
    /// again.
    mutating func unfold() {
        var queue = Array(entities.indices)
        var isWaiting = Set(queue)
        var next = 0
        while next < queue.count {
            let place = queue[next]
            next += 1
            isWaiting.remove(place)
            for waiting in objects(in: entities[place].shape, of: place) {
                guard let destination = unfold(waiting, of: place) else { continue }
                if isWaiting.insert(destination).inserted { queue.append(destination) }
            }
        }
    }

    /// A path with nested objects that are to become an entity.
    private struct Waiting {
        let path: [String]

        /// Whether an entity has to be found or created for them.
        var isNew = true
    }

    /// Moves nested objects into an existing or a new entity and returns its index.
    ///
    /// Returns nil if the limit of entities is reached.
    private mutating func unfold(_ waiting: Waiting, of place: Int) -> Int? {
        guard !waiting.isNew || entities.count < limits.inferredEntities,
            let nested = entities[place].takeObjects(at: waiting.path).map(NestedObjects.init)
        else { return nil }
        let destination = destination(of: nested, at: waiting.path, in: place)
        entities[destination].merge(nested.shape)
        entities[place].nested[waiting.path] = destination
        return destination
    }

    /// Returns the paths whose nested objects are to become entities.
    private func objects(
        in shape: ObjectShape,
        of place: Int,
        below path: [String] = []
    ) -> [Waiting] {
        shape.names.filter(PropertyPath.isUsable).flatMap { name -> [Waiting] in
            let inner = path + [name]
            guard let field = shape.fields[name]?.shape, field.hasObjects,
                !shape.isSecondIdentity(inner), !shape.hasLinkLists(name)
            else { return [] }
            if entities[place].nested[inner] != nil { return [Waiting(path: inner, isNew: false)] }
            switch field.nesting(depth: path.count) {
            case .one, .many: return [Waiting(path: inner)]
            case .values:
                guard let object = field.object else { return [] }
                return isOfSample(object, under: inner)
                    ? [Waiting(path: inner, isNew: false)]
                    : objects(in: object, of: place, below: inner)
            case .none, .opaque: return []
            }
        }
    }

    /// Returns the index of the entity for nested objects, and creates one if none matches.
    private mutating func destination(
        of nested: NestedObjects,
        at path: [String],
        in place: Int
    ) -> Int {
        if let known = entities[place].nested[path] { return known }
        let role = Self.role(of: path)
        let word = SampleName.entity(role, naming)
        let destination =
            recursion(of: nested, under: role, in: place) ?? namesake(word, nested)
            ?? twin(of: nested) ?? relative(word, nested) ?? added(word, nested, in: place)
        entities[destination].addRole(role, word)
        return destination
    }

    /// Returns whether objects in which no key was found have the key of the sampled entity with
    /// the same name.
    private func isOfSample(_ object: ObjectShape, under path: [String]) -> Bool {
        let word = SampleName.entity(Self.role(of: path), naming)
        guard let place = namesake(word, NestedObjects(object)) else { return false }
        return entities[place].isSampled && entities[place].key != nil
    }

    private mutating func added(_ word: String, _ nested: NestedObjects, in place: Int) -> Int {
        let name = name(word, entities[place].name + word)
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
    private func recursion(of nested: NestedObjects, under role: String, in place: Int) -> Int? {
        let entity = entities[place]
        let likeness = ShapeSimilarity(entity, nested)
        guard likeness.isPossible else { return nil }
        if entity.roles.contains(role), likeness.part >= 0.5 { return place }
        guard likeness.part >= 0.8 else { return nil }
        let isRecursive = nested.shape.fields[role]?.shape.hasObjects ?? false
        let isFamily = Self.familyRoles.contains(role.lowercased())
        return isRecursive || isFamily ? place : nil
    }

    /// Returns the entity with the same name.
    private func namesake(_ word: String, _ nested: NestedObjects) -> Int? {
        entities.indices.first { place in
            let name = entities[place].name
            // If several entities share a name, the later ones are prefixed with their owner's.
            guard
                name == word
                    || name.hasSuffix(word) && entities[place].roleWords.contains(word)
            else { return false }
            let likeness = ShapeSimilarity(entities[place], nested)
            return likeness.isPossible
                && (likeness.part >= 0.8 || likeness.overlap >= 0.3 || likeness.sharedObjects > 0)
        }
    }

    /// Returns the entity that has the same objects, or objects with many names in common.
    private func twin(of nested: NestedObjects) -> Int? {
        guard nested.key != nil else { return nil }
        var best: (place: Int, objects: Int)?
        for place in entities.indices {
            let likeness = ShapeSimilarity(entities[place], nested)
            guard likeness.isPossible else { continue }
            let isSame =
                likeness.sharedObjects > 0 && likeness.sharedNames > 1 && likeness.part >= 0.8
            let isRich = likeness.sharedNames > 6 && likeness.overlap >= 0.9
            guard isSame || isRich, likeness.sharedObjects > best?.objects ?? -1 else { continue }
            best = (place, likeness.sharedObjects)
        }
        return best?.place
    }

    /// Returns the entity whose name is a suffix of the word, as `Address` is of `BillingAddress`.
    ///
    /// Two entities with a common suffix become one with that name.
    private mutating func relative(_ word: String, _ nested: NestedObjects) -> Int? {
        let words = NamingWords.split(word)
        guard let last = words.last, nested.key != nil else { return nil }
        for place in entities.indices {
            let name = entities[place].name
            let likeness = ShapeSimilarity(entities[place], nested)
            guard likeness.isPossible, likeness.sharedNames > 1 else { continue }
            let isEnd = words.count > 1 && name.count < word.count && word.hasSuffix(name)
            if isEnd, likeness.part >= 0.8 || likeness.overlap >= 0.6 { return place }
            let others = NamingWords.split(name)
            guard others.last == last, !entities[place].isSampled, likeness.overlap >= 0.8 else {
                continue
            }
            if words.count > 1, others.count > 1, entity(named: last) == nil {
                entities[place].name = last
            }
            return place
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
    static func telling(_ path: [String]) -> [String] {
        let last = path.lastIndex { !contents.contains($0) } ?? path.startIndex
        return Array(path[...last])
    }

    /// Returns the name that describes the content at a path.
    static func role(of path: [String]) -> String { telling(path).last ?? "" }
}
