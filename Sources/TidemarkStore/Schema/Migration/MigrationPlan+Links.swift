import TidemarkModel

extension MigrationPlan {
    /// Returns the source of the links in each new column and join table.
    func linkMoves() -> [LinkMove] {
        var taken: Set<Int> = []
        return new.relationships.values.sorted { $0.identifier < $1.identifier }
            .compactMap { relationship in
                switch relationship.storage {
                // The other side stores the same links, and moves them.
                case .inverse, .join(_, .member): return nil
                case .column, .join(_, .owner), .join(_, .either):
                    return move(of: relationship, &taken)
                }
            }
    }

    private func move(of relationship: RelationshipLayout, _ taken: inout Set<Int>) -> LinkMove? {
        let inverse = new.inverse(of: relationship)
            .flatMap { $0.identifier == relationship.identifier ? nil : $0 }
        let own = sources(of: relationship, isFlipped: false)
        let others = inverse.map { sources(of: $0, isFlipped: true) } ?? []
        // A relationship and its inverse have the same links, which are moved once.
        let extra = others.filter { other in
            !own.contains { hasSameLinks($0.relationship, as: other.relationship) }
        }
        guard !own.isEmpty || !extra.isEmpty else { return nil }
        return LinkMove(
            relationship: relationship,
            inverse: inverse,
            sources: own + extra,
            way: extra.isEmpty ? way(relationship, sources: own, taken: &taken) : .staged
        )
    }

    /// Returns the old relationships that become a new one, with the entities whose links they are.
    func sources(of relationship: RelationshipLayout, isFlipped: Bool) -> [LinkSource] {
        var owners: [String: (layout: RelationshipLayout, entities: [String])] = [:]
        for move in tables.flatMap(\.sources).flatMap(\.entities) {
            guard let former = oldLayout(of: relationship, in: move) else { continue }
            owners[former.identifier, default: (former, [])].entities.append(move.old.name)
        }
        return owners.values.sorted { $0.layout.identifier < $1.layout.identifier }
            .map { former, entities in
                let all = oldEntities.filter { entity in
                    entity.relationship(former.relationship.name)?.identifier == former.identifier
                }
                return LinkSource(
                    relationship: former,
                    entities: all.count == entities.count ? nil : entities,
                    isFlipped: isFlipped
                )
            }
    }

    private func hasSameLinks(_ one: RelationshipLayout, as other: RelationshipLayout) -> Bool {
        one.identifier == other.identifier
            || old.inverse(of: one)?.identifier == other.identifier
    }

    private func way(
        _ relationship: RelationshipLayout,
        sources: [LinkSource],
        taken: inout Set<Int>
    ) -> LinkMove.Way {
        switch relationship.storage {
        case .column:
            let isPlain = sources.allSatisfy { source in
                guard case .column = source.relationship.storage else { return false }
                // A relationship that becomes its own inverse gets each link at both of its rows.
                return !new.isOwnInverse(relationship) || old.isOwnInverse(source.relationship)
            }
            return isPlain ? .column : .staged
        case .join(let join, let side):
            guard sources.count == 1, sources[0].entities == nil,
                case .join(let former, let formerSide) = sources[0].relationship.storage,
                side == formerSide, goesOn(former, as: join), taken.insert(former).inserted
            else { return .staged }
            return .join(former)
        case .inverse:
            return .staged
        }
    }

    /// Returns whether an old join table refers to the tables that become those of a new one.
    private func goesOn(_ former: Int, as join: Int) -> Bool {
        isSuccessor(new.joins[join].ownerTable, of: old.joins[former].ownerTable)
            && isSuccessor(new.joins[join].memberTable, of: old.joins[former].memberTable)
    }

    /// Returns whether an old table becomes a new one.
    func isSuccessor(_ table: String, of former: String) -> Bool {
        guard let index = old.tables.firstIndex(where: { $0.name == former }),
            let successor = successor(ofTable: index)
        else { return false }
        return new.tables[successor].name == table
    }

    // MARK: Order

    /// Returns whether the old links had positions among the members of an owner.
    func wasOrdered(_ link: LinkMove) -> Bool {
        link.sources.contains { source in
            source.isFlipped
                ? old.inverse(of: source.relationship)?.hasOrder ?? false
                : source.relationship.hasOrder
        }
    }

    /// Returns whether the old links had positions among the owners of a member.
    func wasInverseOrdered(_ link: LinkMove) -> Bool {
        link.sources.contains { source in
            source.isFlipped
                ? source.relationship.hasOrder
                : old.inverse(of: source.relationship)?.hasOrder ?? false
        }
    }
}

extension RelationshipLayout {
    /// Whether the linked rows have positions.
    var hasOrder: Bool { relationship.isOrdered && relationship.isToMany }
}
