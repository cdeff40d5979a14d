import TidemarkModel

/// Keys that are unique only within a parent.
extension ModelDraft {
    /// Chooses the member that identifies a child within its parent, if children of different
    /// parents have the same value.
    ///
    /// This applies only to entities that are nested in one list of one other entity: a reference
    /// from anywhere else would have to name the parent too.
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

    /// Removes the keys within parents whose relationships do not support them.
    ///
    /// Call this after all inverses are set: exactly one to-many relationship must lead to the
    /// children, and its inverse must be to-one.
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

    /// Returns the relationship from children to their parent, or nil if there is more than one
    /// relationship to the children or a child may have several parents.
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

    /// Removes the keys of entities whose parents have no key.
    ///
    /// Their children lose theirs as well.
    ///
    /// - Parameter parents: The parent entity of each entity; nil if it has none.
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
        // An attribute called `id` would become the primary key by itself.
        entities[place].attributes[0].name = takeName(entities[place].attributes[0].name, in: place)
        entities[place].attributes[0].isExplicit = true
    }
}
