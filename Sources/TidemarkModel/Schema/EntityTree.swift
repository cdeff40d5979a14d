/// A root entity and all entities that inherit from it.
///
/// They share one table, within which primary keys are unique.
package struct EntityTree: Hashable, Sendable {
    /// The name of the root entity, which is also the name of the table.
    package var root: String

    /// The names of all entities of the tree, including abstract ones, in the order of the model.
    package var members: [String]
}

extension Model {
    /// The trees of the model, in the order in which their root entities are declared.
    ///
    /// An abstract entity at the top of a hierarchy belongs to no tree: each of its children is the
    /// root of a tree of its own. It is a root nevertheless if a relationship leads to it or if it
    /// has a discriminator. ``EntityDescription/identity`` overrides both rules.
    package var trees: [EntityTree] {
        let destinations = relationshipDestinations
        var members: [String: [String]] = [:]
        for entity in entities {
            guard let top = top(of: entity, destinations: destinations) else { continue }
            members[top.name, default: []].append(entity.name)
        }
        return entities.compactMap { entity in
            members.removeValue(forKey: entity.name).map {
                EntityTree(root: entity.name, members: $0)
            }
        }
    }

    /// Returns the tree that an entity belongs to, or nil if it belongs to no tree or does not
    /// exist.
    package func tree(of name: String) -> EntityTree? {
        guard let entity = self[name],
            let top = top(of: entity, destinations: relationshipDestinations)
        else {
            return nil
        }
        return trees.first { $0.root == top.name }
    }

    private var relationshipDestinations: Set<String> {
        Set(entities.flatMap(\.relationships).map(\.destination))
    }

    private func top(
        of entity: EntityDescription,
        destinations: Set<String>
    ) -> EntityDescription? {
        lineage(of: entity).last { !$0.isDissolved(destinations: destinations) }
    }
}

extension EntityDescription {
    /// Returns whether its children are the roots of trees of their own, given the names of the
    /// entities that relationships lead to.
    fileprivate func isDissolved(destinations: Set<String>) -> Bool {
        guard isAbstract else { return false }
        return switch identity {
        case .separate: true
        case .shared: false
        case nil: !destinations.contains(name) && json.discriminator == nil
        }
    }
}
