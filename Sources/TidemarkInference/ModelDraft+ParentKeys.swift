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
        for position in entities.indices {
            for child in entities[position].nested.values {
                owners[child, default: []].append(position)
            }
        }
        for (child, positions) in owners where positions.count == 1 && positions[0] != child {
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
        for position in entities.indices {
            entities[position].parent =
                entities[position].keyWithinParent == nil ? nil : parent(of: position)
        }
        dropKeys(
            withoutParents: entities.map { entity in
                entity.parent.map { entity.relationships[$0].destination }
            }
        )
        for position in entities.indices {
            guard let key = entities[position].keyWithinParent,
                let parent = entities[position].parent
            else { continue }
            let name = entities[position].relationships[parent].name
            addNote(
                "“\(key.name)” identifies an object only within its \(name): under another one it is "
                    + "that of a different object.",
                on: position,
                needsReview: false
            )
        }
    }

    /// Returns the relationship from children to their parent, or nil if there is more than one
    /// relationship to the children or a child may have several parents.
    private func parent(of position: Int) -> Int? {
        let leading = entities.indices.flatMap { owner in
            entities[owner].relationships
                .filter { $0.destination == position && ($0.path ?? $0.referencePath) != nil }
                .map { (owner: owner, relationship: $0) }
        }
        guard leading.count == 1, let (owner, relationship) = leading.first, owner != position,
            relationship.isToMany, relationship.isOfObjects, let inverse = relationship.inverse,
            !entities[position].relationships[inverse].isToMany
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
            for position in entities.indices where entities[position].keyWithinParent != nil {
                let owner = parents[position].map { entities[$0] }
                guard owner?.key == nil, owner?.keyWithinParent == nil else { continue }
                dropKeyWithinParent(of: position)
                hasChanged = true
            }
        }
    }

    private mutating func dropKeyWithinParent(of position: Int) {
        entities[position].keyWithinParent = nil
        entities[position].parent = nil
        guard !entities[position].attributes.isEmpty else { return }
        // An attribute called `id` would become the primary key by itself.
        entities[position].attributes[0].name = takeName(
            entities[position].attributes[0].name,
            in: position
        )
        entities[position].attributes[0].isExplicit = true
    }
}
