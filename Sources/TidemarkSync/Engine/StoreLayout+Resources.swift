import TidemarkRemote
import TidemarkStore

extension StoreLayout {
    /// Checks that resources match the store's model, and do not conflict with each other.
    ///
    /// - Returns: The order in which they are pulled.
    /// - Throws: ``SyncError`` that names the invalid resource.
    func check(_ resources: [RemoteResource]) throws -> ResourceOrder {
        var paths: Set<String> = []
        for resource in resources {
            guard index(of: resource.entity) != nil else {
                let known = entities.map(\.name).sorted().joined(separator: ", ")
                throw SyncError(
                    .unknownEntity,
                    "The resource \(resource.path) is for \(resource.entity), which the model lacks.",
                    hint: "It has \(known)."
                )
            }
            guard paths.insert(resource.path).inserted else {
                throw SyncError(
                    .duplicateResource,
                    "Two resources have the path \(resource.path).",
                    hint: "Give each its own."
                )
            }
        }
        for resource in resources {
            guard let (option, reason) = resource.push.contradiction else { continue }
            throw SyncError(
                .contradictoryPush,
                "\(resource.path) cannot be pushed to: \(option.rawValue): \(reason).",
                hint: "Change Service.push, or the push of the resource."
            )
        }
        for resource in resources { try checkLinks(of: resource) }
        try checkSides(resources.configuredSides)
        let order = try ResourceOrder(resources, in: model)
        try checkDeletes(resources)
        for resource in resources where resource.style.content == .object {
            guard resource.style.deletes == .none else {
                throw SyncError(
                    .conflictingResources,
                    "\(resource.path) is one object, which proves no other row deleted.",
                    hint: "Set its deletes to none."
                )
            }
        }
        return order
    }

    /// Rejects an option `links` that names no relationship whose links could be sent with either
    /// of two rows.
    private func checkLinks(of resource: RemoteResource) throws {
        for name in resource.push.body.links.sorted() {
            guard relationships[name].flatMap(inverse) == nil else { continue }
            let known = relationships.values.filter { inverse(of: $0) != nil }
                .map(\.identifier).sorted().joined(separator: ", ")
            throw SyncError(
                .unknownProperty,
                "The option links of \(resource.path) names \(name), which is not a relationship "
                    + "with an inverse.",
                hint: known.isEmpty ? "Remove the option." : "The model has \(known)."
            )
        }
    }

    /// Rejects options `links` that name both ends of the same links.
    private func checkSides(_ sides: Set<String>) throws {
        for pair in linkPairs where pair.both.allSatisfy({ sides.contains($0.identifier) }) {
            let names = pair.both.map(\.identifier).sorted().joined(separator: " and ")
            throw SyncError(
                .contradictoryPush,
                "The options links name \(names), which are two sides of the same links.",
                hint: "Name the side that the service accepts."
            )
        }
    }

    /// Rejects two lists that would delete each other's rows.
    private func checkDeletes(_ resources: [RemoteResource]) throws {
        let deleting = try resources.filter { $0.style.deletes != .none }
            .map { (path: $0.path, entity: try entity($0.entity)) }
        for (number, one) in deleting.enumerated() {
            for other in deleting[..<number] {
                guard let shared = one.entity.shared(with: other.entity) else { continue }
                throw SyncError(
                    .conflictingResources,
                    """
                    \(other.path) and \(one.path) both list rows of \(shared.name): each would delete \
                    what only the other names.
                    """,
                    hint: "Set “deletes: none” for those that do not list all of its rows."
                )
            }
        }
    }
}

extension EntityLayout {
    /// Returns the entity whose rows belong to both entities; nil if no row does.
    fileprivate func shared(with other: EntityLayout) -> EntityLayout? {
        guard table == other.table else { return nil }
        if other.family?.contains(name) ?? true { return self }
        return family?.contains(other.name) ?? true ? other : nil
    }
}
