import TidemarkModel

extension ModelDraft {
    /// Gives each relationship an inverse: one that links the same pairs of objects, otherwise the
    /// only candidate, otherwise a new relationship.
    mutating func pairRelationships() {
        pairByData()
        pairByNumber()
        let open = openEnds
        let counts = open.reduce(into: [Direction: Int]()) {
            $0[direction(of: $1), default: 0] += 1
        }
        for end in open { addInverse(of: end, isAlone: counts[direction(of: end)] == 1) }
        chooseDeleteRules()
    }

    // MARK: New inverses

    private mutating func addInverse(of end: End, isAlone: Bool) {
        let relationship = relationship(end)
        let destination = relationship.destination
        let isKeyless = entities[destination].key == nil
        let isOwned =
            relationship.isToMany && relationship.isOfObjects
            && (isKeyless || isOfChildren(end) && !relationship.links.sharesMembers)
        // To-many unless the data proves otherwise: that no two sampled objects share a child
        // proves nothing about later ones, and a wrong to-one inverse would move links between
        // parents.
        let isToMany = !isOwned
        let name = inverseName(of: end, isToMany: isToMany, isAlone: isAlone)
        entities[destination].relationships.append(
            RelationshipDraft(
                name: entities[destination].names.take(name),
                destination: end.entity,
                isToMany: isToMany,
                isOfObjects: false,
                inverse: end.position
            )
        )
        entities[end.entity].relationships[end.position].inverse =
            entities[destination].relationships.count - 1
        if relationship.isToMany, relationship.isOfObjects, !isKeyless, !isOwned {
            explainSharing(relationship, of: end)
        }
    }

    /// Returns whether the name says that the objects form a tree, in which each has one parent.
    private func isOfChildren(_ end: End) -> Bool {
        let relationship = relationship(end)
        return end.entity == relationship.destination
            && ["children", "replies", "subitems"].contains(relationship.name.lowercased())
    }

    /// Adds a note on whether objects were seen under several others.
    private mutating func explainSharing(_ relationship: RelationshipDraft, of end: End) {
        let other = entities[relationship.destination].name
        let owner = entities[end.entity].name
        let isShared = relationship.links.sharesMembers
        addNote(
            isShared
                ? "Objects of \(other) were seen under several \(plural(owner)), so each may have many."
                : "No \(other) was seen under two \(plural(owner)). If each belongs to one only, make "
                    + "the inverse to-one.",
            on: end.entity,
            property: relationship.name,
            needsReview: !isShared
        )
    }

    /// Returns a name for a new inverse.
    private func inverseName(of end: End, isToMany: Bool, isAlone: Bool) -> String {
        let relationship = relationship(end)
        let owner = entities[end.entity].name
        let plain = lowered(isToMany ? naming.inflection.plural(owner) : owner)
        var candidates: [String] = []
        if end.entity == relationship.destination {
            if !isToMany { candidates.append("parent") }
            if !relationship.isToMany, relationship.name == "parent" {
                candidates.append("children")
            }
            candidates.append("\(relationship.name)Of")
        } else {
            candidates = [plain]
            if isToMany, !isAlone || !isFree(plain, at: relationship.destination) {
                candidates.insert(qualified(plain, by: relationship), at: 0)
            }
            candidates.append("\(plain)Of\(raised(relationship.name))")
        }
        return candidates.first { isFree($0, at: relationship.destination) }
            ?? candidates.last ?? plain
    }

    /// Returns the inverse's name qualified by the relationship's: `homeMatches` for the `homeTeam`
    /// of a match.
    private func qualified(_ plain: String, by relationship: RelationshipDraft) -> String {
        let other = entities[relationship.destination].name
        let name = relationship.name
        let stem =
            name.count > other.count && name.hasSuffix(other)
            ? String(name.dropLast(other.count)) : name
        return stem + raised(plain)
    }

    /// Returns whether neither the name nor the names of its foreign keys are in use.
    private func isFree(_ name: String, at position: Int) -> Bool {
        let singular = naming.inflection.singular(name)
        return [name, "\(name)ID", "\(name)IDs", "\(singular)ID", "\(singular)IDs"]
            .allSatisfy(entities[position].names.isFree)
    }

    private func plural(_ entity: String) -> String { naming.inflection.plural(entity) }

    private func lowered(_ name: String) -> String {
        naming.camelCase(name) ?? name
    }

    private func raised(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst()
    }

    // MARK: Delete rules

    /// Sets `cascade` on relationships to objects that are reachable only through their owner.
    private mutating func chooseDeleteRules() {
        var counts = [Int](repeating: 0, count: entities.count)
        for end in ends where relationship(end).isRead {
            counts[relationship(end).destination] += 1
        }
        for end in ends where isOwner(end, among: counts) {
            entities[end.entity].relationships[end.position].deleteRule = .cascade
        }
    }

    /// Returns whether objects are deleted with the object that lists them.
    ///
    /// `counts` is the number of relationships in the samples that lead to each entity.
    private func isOwner(_ end: End, among counts: [Int]) -> Bool {
        let relationship = relationship(end)
        let destination = relationship.destination
        guard relationship.isToMany, relationship.isOfObjects, let inverse = relationship.inverse
        else { return false }
        let back = End(entity: destination, position: inverse)
        guard !self.relationship(back).isToMany else { return false }
        // Objects without a key can only be reached through their owner.
        if entities[destination].key == nil { return true }
        // In a tree, the inverse leads to the same entity and is counted too.
        let isBackAmongThem =
            end.entity == destination && back != end && self.relationship(back).isRead
        let others = counts[destination] - (relationship.isRead ? 1 : 0) - (isBackAmongThem ? 1 : 0)
        return !entities[destination].isSampled && others == 0
    }
}

extension RelationshipDraft {
    /// Whether the relationship has a JSON name in the samples.
    fileprivate var isRead: Bool { path ?? referencePath != nil }
}
