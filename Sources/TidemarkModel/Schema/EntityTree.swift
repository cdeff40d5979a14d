/// A topmost entity and what inherits from it: one table, within which keys are unique.
public struct EntityTree: Hashable, Sendable {
    /// The topmost entity's name, which is also the table's.
    public var root: String

    /// The names of all entities of the tree, abstract ones too, in the model's order.
    public var members: [String]
}

extension Model {
    /// The trees of the model, in the order in which their topmost entities are declared.
    ///
    /// An abstract entity above which nothing stands dissolves: its children are the tops of trees
    /// of their own, and it belongs to none. It stays a top when a relationship leads to it or a
    /// discriminator names its sub-entities, unless ``EntityDescription/identity`` says otherwise.
    public var trees: [EntityTree] {
        let destinations = relationshipDestinations
        var members: [String: [String]] = [:]
        for entity in entities {
            guard let top = top(of: entity, destinations) else { continue }
            members[top.name, default: []].append(entity.name)
        }
        return entities.compactMap { entity in
            members.removeValue(forKey: entity.name).map {
                EntityTree(root: entity.name, members: $0)
            }
        }
    }

    /// The tree that an entity belongs to; nil for one that dissolves, and for an unknown name.
    public func tree(of name: String) -> EntityTree? {
        guard let entity = self[name], let top = top(of: entity, relationshipDestinations) else {
            return nil
        }
        return trees.first { $0.root == top.name }
    }

    private var relationshipDestinations: Set<String> {
        Set(entities.flatMap(\.relationships).map(\.destination))
    }

    private func top(
        of entity: EntityDescription,
        _ destinations: Set<String>
    ) -> EntityDescription? {
        lineage(of: entity).last { !dissolves($0, destinations) }
    }

    private func dissolves(_ entity: EntityDescription, _ destinations: Set<String>) -> Bool {
        guard entity.isAbstract else { return false }
        return switch entity.identity {
        case .separate: true
        case .shared: false
        case nil: !destinations.contains(entity.name) && entity.discriminator == nil
        }
    }
}
