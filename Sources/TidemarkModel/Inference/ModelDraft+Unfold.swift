extension ModelDraft {
    /// Makes entities of the objects inside others, until there are none left.
    mutating func unfold() {
        var queue = Array(entities.indices)
        var next = 0
        while next < queue.count {
            let place = queue[next]
            next += 1
            while let (path, isMany) = nextPath(in: entities[place].shape, of: place) {
                guard let nested = entities[place].shape.takeObjects(at: path[...]) else { break }
                let destination = destination(of: nested, at: path, in: place, isMany)
                entities[destination].shape.merge(nested)
                entities[place].nested[path] = destination
                queue.append(destination)
            }
        }
    }

    /// The first path at which objects are waiting to become an entity.
    private func nextPath(
        in shape: ObjectShape,
        of place: Int,
        below path: [String] = []
    ) -> (path: [String], isMany: Bool)? {
        for name in shape.names where PropertyPath.isUsable(name) {
            guard let field = shape.fields[name]?.shape, field.nestedObject != nil else { continue }
            let inner = path + [name]
            guard !shape.isSecondIdentity(inner) else { continue }
            if entities[place].nested[inner] != nil { return (inner, field.lists > 0) }
            switch field.nesting(depth: path.count) {
            case .one, .many:
                if entities.count < limits.inferredEntities { return (inner, field.lists > 0) }
            case .values where isOfSample(field.object, under: inner):
                return (inner, false)
            case .values:
                if let object = field.object,
                    let found = nextPath(in: object, of: place, below: inner)
                {
                    return found
                }
            case .none, .opaque:
                break
            }
        }
        return nil
    }

    /// The entity of objects at a path: one that is there, or a new one.
    private mutating func destination(
        of nested: ObjectShape,
        at path: [String],
        in place: Int,
        _ isMany: Bool
    ) -> Int {
        if let known = entities[place].nested[path] { return known }
        let role = Self.role(of: path)
        let word = SampleName.entity(role, naming)
        let destination =
            recursion(of: nested, under: role, in: place) ?? namesake(word, nested)
            ?? twin(of: nested) ?? relative(word, nested) ?? added(word, nested, in: place)
        entities[destination].roles.insert(role)
        return destination
    }

    /// Whether objects without a key of their own have that of the sampled entity of their name.
    private func isOfSample(_ object: ObjectShape?, under path: [String]) -> Bool {
        guard let object,
            let place = namesake(SampleName.entity(Self.role(of: path), naming), object)
        else { return false }
        let key = entities[place].shape.key(entities[place].standing)
        return entities[place].isSampled && key != nil
    }

    private mutating func added(_ word: String, _ nested: ObjectShape, in place: Int) -> Int {
        let name = name(word, entities[place].name + word)
        // What was seen is merged by the caller.
        entities.append(
            EntityDraft(name: name, shape: ObjectShape(named: nested.name), isSampled: false)
        )
        return entities.count - 1
    }

    // MARK: Entities that are there

    /// Names under which objects hold others of their own kind.
    static let familyRoles: Set<String> = [
        "children", "child", "parent", "replies", "reply", "ancestors", "descendants", "siblings",
        "subitems", "related",
    ]

    /// The entity itself, where its objects stand inside each other.
    private func recursion(of nested: ObjectShape, under role: String, in place: Int) -> Int? {
        let entity = entities[place]
        let likeness = Likeness(entity.shape, entity.standing, nested)
        guard likeness.isPossible else { return nil }
        if entity.roles.contains(role), likeness.part >= 0.5 { return place }
        guard likeness.part >= 0.8 else { return nil }
        let isRecursive = nested.fields[role]?.shape.nestedObject != nil
        let isFamily = Self.familyRoles.contains(role.lowercased())
        return isRecursive || isFamily ? place : nil
    }

    /// The entity of the same name.
    private func namesake(_ word: String, _ nested: ObjectShape) -> Int? {
        entities.indices.first { place in
            let name = entities[place].name
            // Of several things with one name, the later ones carry their owner's before it.
            guard
                name == word
                    || name.hasSuffix(word)
                        && entities[place].roles.contains(where: {
                            SampleName.entity($0, naming) == word
                        })
            else { return false }
            let likeness = Likeness(entities[place].shape, entities[place].standing, nested)
            return likeness.isPossible
                && (likeness.part >= 0.8 || likeness.overlap >= 0.3 || likeness.sharedObjects > 0)
        }
    }

    /// The entity that has the same objects, or objects with the same many names.
    private func twin(of nested: ObjectShape) -> Int? {
        guard nested.key(.element) != nil else { return nil }
        var best: (place: Int, objects: Int)?
        for place in entities.indices {
            let likeness = Likeness(entities[place].shape, entities[place].standing, nested)
            guard likeness.isPossible else { continue }
            let isSame =
                likeness.sharedObjects > 0 && likeness.sharedNames > 1 && likeness.part >= 0.8
            let isRich = likeness.sharedNames > 6 && likeness.overlap >= 0.9
            guard isSame || isRich, likeness.sharedObjects > best?.objects ?? -1 else { continue }
            best = (place, likeness.sharedObjects)
        }
        return best?.place
    }

    /// The entity whose name is the end of the word, as `Address` is of `BillingAddress`; two that
    /// share an end become one of that name.
    private mutating func relative(_ word: String, _ nested: ObjectShape) -> Int? {
        let words = NamingWords.split(word)
        guard let last = words.last, nested.key(.element) != nil else { return nil }
        for place in entities.indices {
            let name = entities[place].name
            let likeness = Likeness(entities[place].shape, entities[place].standing, nested)
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

    /// Names that say nothing about what stands under them.
    static let wrappers: Set<String> = [
        "data", "attributes", "fields", "properties", "relationships", "_embedded", "edges",
        "node", "nodes", "_links", "links",
    ]

    /// Those of them that hold what the name before them says.
    private static let contents: Set<String> = ["data", "edges", "node", "nodes"]

    /// A path without names at its end that say nothing.
    static func telling(_ path: [String]) -> [String] {
        let last = path.lastIndex { !contents.contains($0) } ?? path.startIndex
        return Array(path[...last])
    }

    /// The name that says what stands at a path.
    static func role(of path: [String]) -> String { telling(path).last ?? "" }
}
