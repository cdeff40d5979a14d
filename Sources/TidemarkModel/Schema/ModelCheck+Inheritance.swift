extension ModelCheck {
    /// Reports missing parents, cycles, and settings that have an effect only for inheritance.
    mutating func checkInheritance() {
        for entity in model.entities {
            checkParent(of: entity)
            checkIdentity(of: entity)
            checkShadows(of: entity)
            if entity.json.discriminator != nil, !model.hasChildren(entity.name) {
                warning(
                    "It has a discriminator, but nothing inherits from it.",
                    at: entity.name,
                    hint: "Remove the discriminator, or declare the sub-entities."
                )
            }
        }
    }

    private mutating func checkParent(of entity: EntityDescription) {
        guard let parent = entity.parent else { return }
        guard model[parent] != nil else {
            return error(
                "Its parent “\(parent)” is not an entity of the model.",
                at: entity.name,
                hint: "Declare it, or remove the parent."
            )
        }
        let last = model.lineage(of: entity).last
        if let next = last?.parent, model[next] != nil {
            error(
                "It inherits from itself.",
                at: entity.name,
                hint: "Remove one of the parents of the circle."
            )
        }
    }

    private mutating func checkIdentity(of entity: EntityDescription) {
        guard let identity = entity.identity else { return }
        let isTop = model.lineage(of: entity).dropFirst().allSatisfy {
            model.tree(of: $0.name) == nil
        }
        guard entity.isAbstract, isTop else {
            return warning(
                "Its identity “\(identity.rawValue)” has no effect.",
                at: entity.name,
                hint: "Only abstract entities without a parent have one."
            )
        }
        if identity == .separate, let first = incoming[entity.name]?.first {
            let path = "\(first.owner).\(first.relationship.name)"
            error(
                "Its children have separate identities, but “\(path)” leads to it.",
                at: entity.name,
                hint: "Let the relationship lead to a child, or make the identity “shared”."
            )
        }
    }

    /// Reports properties that an ancestor already declares.
    private mutating func checkShadows(of entity: EntityDescription) {
        let kinds = PropertyKinds(entity).kinds.filter { declarations[$0.name, default: 0] > 1 }
        guard !kinds.isEmpty else { return }
        for ancestor in model.lineage(of: entity).dropFirst() {
            let inherited = PropertyKinds(ancestor)
            for (name, kind) in kinds {
                guard let known = inherited[name] else { continue }
                let path = "\(entity.name).\(name)"
                let shadowed = "“\(ancestor.name).\(name)”"
                if known == kind {
                    warning(
                        "It shadows \(shadowed).",
                        at: path,
                        hint: "Remove it here; it is inherited."
                    )
                } else {
                    error(
                        "It shadows \(shadowed), which is of another kind.",
                        at: path,
                        hint: "Rename one, and give it “\(name)” as remoteKey."
                    )
                }
            }
        }
    }

    /// Reports properties of the same name that siblings declare differently.
    mutating func checkSharedColumns(_ tree: EntityTree) {
        var owners: [String: (entity: String, kind: PropertyKinds.Kind)] = [:]
        let members = tree.members.compactMap { model[$0] }.sorted { $0.name < $1.name }
        let names = Set(
            members.flatMap { PropertyKinds($0).kinds.map(\.name) }.map { $0.lowercased() }
        )
        for entity in members {
            for (name, kind) in PropertyKinds(entity).kinds {
                guard let owner = owners[name] else {
                    owners[name] = (entity.name, kind)
                    continue
                }
                let isInherited = model.lineage(of: entity).contains { $0.name == owner.entity }
                guard !isInherited, !inherits(owner.entity, from: entity) else { continue }
                checkColumn(of: name, in: entity.name, kind: kind, beside: owner, taken: names)
                if kind.rank < owner.kind.rank { owners[name] = (entity.name, kind) }
            }
        }
    }

    private func inherits(_ name: String, from ancestor: EntityDescription) -> Bool {
        model[name].map { model.lineage(of: $0).contains { $0.name == ancestor.name } } ?? false
    }

    /// Checks the column of a property whose name is that of a sibling's property.
    ///
    /// Attributes of one type share a column, and to-many relationships have none. Any other has
    /// one of its own, whose name must be free: `name_Entity`. Attributes come first: of an
    /// attribute and a to-one relationship, the relationship has that column.
    private mutating func checkColumn(
        of name: String,
        in entity: String,
        kind: PropertyKinds.Kind,
        beside owner: (entity: String, kind: PropertyKinds.Kind),
        taken: Set<String>
    ) {
        guard !kind.isToMany, !owner.kind.isToMany, kind != owner.kind || kind.isToOne else {
            return
        }
        let isOwners = owner.kind.isToOne && !kind.isToOne
        let path = "\(entity).\(name)"
        let column = "\(name)_\(isOwners ? owner.entity : entity)"
        guard !taken.contains(column.lowercased()) else {
            return error(
                "It has the name of “\(owner.entity).\(name)”, and the column “\(column)” of one of "
                    + "them is that of another property.",
                at: path,
                hint: "Rename one, and give it “\(name)” as remoteKey."
            )
        }
        guard !kind.isToOne, !owner.kind.isToOne else { return }
        warning(
            "“\(owner.entity).\(name)” is of another type, so the column here is “\(column)”.",
            at: path,
            hint: "Rename one and give it “\(name)” as remoteKey if you read the tables yourself."
        )
    }
}

/// The kinds of the properties of an entity, as far as they determine columns.
struct PropertyKinds {
    enum Kind: Hashable {
        case attribute(AttributeType)
        case relationship(to: String, isToMany: Bool)

        var isToOne: Bool {
            if case .relationship(_, isToMany: false) = self { true } else { false }
        }

        var isToMany: Bool {
            if case .relationship(_, isToMany: true) = self { true } else { false }
        }

        /// The order in which columns get their names: attributes first; to-many relationships have
        /// none.
        var rank: Int { isToMany ? 2 : isToOne ? 1 : 0 }
    }

    /// The properties that the entity declares, without inherited ones.
    let kinds: [(name: String, kind: Kind)]

    init(_ entity: EntityDescription) {
        kinds =
            entity.attributes.map { ($0.name, .attribute($0.type)) }
            + entity.relationships.map {
                ($0.name, .relationship(to: $0.destination, isToMany: $0.isToMany))
            }
    }

    subscript(name: String) -> Kind? { kinds.first { $0.name == name }?.kind }
}
