/// Keys that are unique only within a parent.
extension ModelDraft {
    /// Chooses the member that identifies a child within its parent, where the same value is that
    /// of another child under another parent.
    ///
    /// That is so only of objects that are known from one list of one other entity: any other way
    /// to them would have to name the parent too.
    mutating func chooseKeysWithinParents() {
        var owners: [Int: [Int]] = [:]
        for place in entities.indices {
            for child in entities[place].nested.values { owners[child, default: []].append(place) }
        }
        for (child, places) in owners where places.count == 1 && places[0] != child {
            guard entities[child].key == nil, !entities[child].isSampled else { continue }
            entities[child].keyWithinParent = entities[child].shape.keyWithinList
        }
        dropKeys(withoutParents: entities.indices.map { owners[$0]?.first })
    }

    /// Keeps the keys within parents whose relationships are as such a key needs them, now that
    /// each has its inverse: one to-many relationship leads to the children, and one to-one back.
    mutating func confirmKeysWithinParents() {
        for place in entities.indices {
            entities[place].parent =
                entities[place].keyWithinParent == nil ? nil : parent(of: place)
        }
        dropKeys(
            withoutParents: entities.map { entity in
                entity.parent.map { entity.relationships[$0].destination }
            }
        )
        for place in entities.indices {
            guard let key = entities[place].keyWithinParent,
                let parent = entities[place].parent
            else { continue }
            let name = entities[place].relationships[parent].name
            note(
                place,
                nil,
                "“\(key.name)” identifies an object only within its \(name): under another one it is "
                    + "that of a different object.",
                false
            )
        }
    }

    /// The relationship that leads from children to their parent; nil where others lead to them,
    /// or they may have several.
    private func parent(of place: Int) -> Int? {
        let leading = entities.indices.flatMap { owner in
            entities[owner].relationships
                .filter { $0.destination == place && ($0.path ?? $0.referencePath) != nil }
                .map { (owner: owner, relationship: $0) }
        }
        guard leading.count == 1, let (owner, relationship) = leading.first, owner != place,
            relationship.isToMany, relationship.isOfObjects, let inverse = relationship.inverse,
            !entities[place].relationships[inverse].isToMany
        else { return nil }
        return inverse
    }

    /// Drops the keys whose parents have none: a child of such a parent has none either.
    ///
    /// - Parameter parents: The entity that contains the objects of each entity.
    private mutating func dropKeys(withoutParents parents: [Int?]) {
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            for place in entities.indices where entities[place].keyWithinParent != nil {
                let owner = parents[place].map { entities[$0] }
                guard owner?.key == nil, owner?.keyWithinParent == nil else { continue }
                dropKeyWithinParent(of: place)
                hasChanged = true
            }
        }
    }

    private mutating func dropKeyWithinParent(of place: Int) {
        entities[place].keyWithinParent = nil
        entities[place].parent = nil
        guard !entities[place].attributes.isEmpty else { return }
        // An attribute of that name would be the key by itself.
        entities[place].attributes[0].name = takeName(entities[place].attributes[0].name, in: place)
        entities[place].attributes[0].isExplicit = true
    }
}
