extension ModelDraft {
    /// A relationship, by its entity's place and its own.
    private struct End: Hashable {
        var entity: Int
        var place: Int
    }

    /// Gives each relationship one that leads back: the one that names the same pairs, else the
    /// only one there, else a new one.
    mutating func pairRelationships() {
        pairByData()
        pairByNumber()
        let open = ends.filter { relationship($0).inverse == nil }
        for end in open {
            let rivals = open.count {
                $0.entity == end.entity
                    && relationship($0).destination == relationship(end).destination
            }
            addInverse(of: end, isAlone: rivals == 1)
        }
        for end in ends { chooseDeleteRule(of: end) }
    }

    private var ends: [End] {
        entities.indices.flatMap { entity in
            entities[entity].relationships.indices.map { End(entity: entity, place: $0) }
        }
    }

    private func relationship(_ end: End) -> RelationshipDraft {
        entities[end.entity].relationships[end.place]
    }

    // MARK: Pairs

    /// The pairs of relationships without an inverse that lead to each other's entity.
    private var candidates: [(first: End, second: End)] {
        let open = ends.filter { relationship($0).inverse == nil }
        return open.enumerated().flatMap { place, first in
            open.dropFirst(place + 1).filter { second in
                relationship(first).destination == second.entity
                    && relationship(second).destination == first.entity
                    && owns(first, ifKeyless: second) && owns(second, ifKeyless: first)
            }
            .map { (first, $0) }
        }
    }

    /// Whether objects without a key, which nothing else can name, would have one owner.
    private func owns(_ end: End, ifKeyless other: End) -> Bool {
        entities[other.entity].key != nil || !relationship(other).isToMany
    }

    private mutating func pair(_ first: End, _ second: End) {
        guard relationship(first).inverse == nil, relationship(second).inverse == nil else {
            return
        }
        entities[first.entity].relationships[first.place].inverse = second.place
        entities[second.entity].relationships[second.place].inverse = first.place
    }

    private mutating func pairByData() {
        let proven = candidates.map { first, second in
            (first, second, evidence(relationship(first).links, relationship(second).links))
        }
        .filter { $0.2.isProof }.enumerated()
        .sorted { ($1.element.2.found, $0.offset) < ($0.element.2.found, $1.offset) }
        for (_, (first, second, _)) in proven { pair(first, second) }
    }

    /// Pairs the relationships that are the only ones between their entities.
    private mutating func pairByNumber() {
        let candidates = candidates
        for (first, second) in candidates {
            let rivals = candidates.count {
                [$0.first, $0.second].contains(first) || [$0.first, $0.second].contains(second)
            }
            let isFamily =
                first.entity != second.entity
                || relationship(first).isToMany != relationship(second).isToMany
            let evidence = evidence(relationship(first).links, relationship(second).links)
            if rivals == 1, isFamily, !evidence.isDisproof { pair(first, second) }
        }
    }

    /// How many of the pairs that both could name both do.
    private struct Evidence {
        var found = 0
        var possible = 0
        var isProof: Bool { found > 0 && found * 2 >= possible }
        var isDisproof: Bool { found == 0 && possible > 1 }
    }

    private func evidence(_ left: LinkSketch, _ right: LinkSketch) -> Evidence {
        let leftOwners = Set(left.pairs.map(\.owner))
        let rightOwners = Set(right.pairs.map(\.owner))
        let found = left.reversedPairs(in: right)
        let possible = left.pairs.count { rightOwners.contains($0.member) && $0.owner != 0 }
        let others = right.pairs.count { leftOwners.contains($0.member) && $0.owner != 0 }
        return Evidence(found: found, possible: max(possible, others))
    }

    // MARK: New inverses

    private mutating func addInverse(of end: End, isAlone: Bool) {
        let relationship = relationship(end)
        let destination = relationship.destination
        let isKeyless = entities[destination].key == nil
        let isOwned =
            relationship.isToMany && relationship.isOfObjects
            && (isKeyless || !relationship.links.sharesMembers)
        let isToMany = !isOwned
        let name = inverseName(of: end, isToMany, isAlone)
        entities[destination].relationships.append(
            RelationshipDraft(
                name: entities[destination].names.take(name),
                destination: end.entity,
                isToMany: isToMany,
                isOfObjects: false,
                inverse: end.place
            )
        )
        entities[end.entity].relationships[end.place].inverse =
            entities[destination].relationships.count - 1
        explain(relationship, end, isOwned, isKeyless)
    }

    private mutating func explain(
        _ relationship: RelationshipDraft,
        _ end: End,
        _ isOwned: Bool,
        _ isKeyless: Bool
    ) {
        guard relationship.isToMany, !isKeyless else { return }
        let other = entities[relationship.destination].name
        let owner = entities[end.entity].name
        guard isOwned else {
            if relationship.isOfObjects {
                note(
                    end.entity,
                    relationship.name,
                    "Objects of \(other) were seen under several \(plural(owner)), so each may have many.",
                    false
                )
            }
            return
        }
        let isGuess = relationship.links.ownerCount < 2
        note(
            end.entity,
            relationship.name,
            isGuess
                ? "Only one \(owner) had any, so whether a \(other) belongs to one only is a guess."
                : "Nothing was seen under two \(plural(owner)), so each \(other) has one.",
            isGuess
        )
    }

    /// A name for the relationship that leads back.
    private func inverseName(of end: End, _ isToMany: Bool, _ isAlone: Bool) -> String {
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
                candidates.insert(qualified(relationship, plain), at: 0)
            }
            candidates.append("\(plain)Of\(raised(relationship.name))")
        }
        return candidates.first { isFree($0, at: relationship.destination) }
            ?? candidates.last ?? plain
    }

    /// The name of the way back with what tells the way there apart: `homeMatches` for the
    /// `homeTeam` of a match.
    private func qualified(_ relationship: RelationshipDraft, _ plain: String) -> String {
        let other = entities[relationship.destination].name
        let name = relationship.name
        let stem =
            name.count > other.count && name.hasSuffix(other)
            ? String(name.dropLast(other.count)) : name
        return stem + raised(plain)
    }

    /// Whether neither the name nor what it would name references is in use.
    private func isFree(_ name: String, at place: Int) -> Bool {
        let singular = naming.inflection.singular(name)
        return [name, "\(name)ID", "\(name)IDs", "\(singular)ID", "\(singular)IDs"]
            .allSatisfy(entities[place].names.isFree)
    }

    private func plural(_ entity: String) -> String { naming.inflection.plural(entity) }

    private func lowered(_ name: String) -> String {
        naming.camelCase(name) ?? name
    }

    private func raised(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst()
    }

    // MARK: Delete rules

    /// Objects that are known only inside others go with them.
    private mutating func chooseDeleteRule(of end: End) {
        let relationship = relationship(end)
        guard relationship.isToMany, relationship.isOfObjects, let inverse = relationship.inverse,
            !entities[relationship.destination].relationships[inverse].isToMany
        else { return }
        let destination = entities[relationship.destination]
        let others = ends.count { other in
            other != end && self.relationship(other).destination == relationship.destination
                && other != End(entity: relationship.destination, place: inverse)
                && self.relationship(other).path ?? self.relationship(other).referencePath != nil
        }
        if destination.key == nil || !destination.isSampled && others == 0 {
            entities[end.entity].relationships[end.place].deleteRule = .cascade
        }
    }
}
