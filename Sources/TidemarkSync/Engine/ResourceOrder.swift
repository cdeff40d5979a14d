package import TidemarkModel
package import TidemarkRemote

/// The order in which the resources of an engine are pulled.
package struct ResourceOrder: Sendable {
    /// The resources whose path names no parent, in any order.
    let lists: [RemoteResource]

    /// The resources with a list for each parent, each after the resources of its parent's entity.
    let nested: [Nested]

    /// A resource with a list for each parent.
    struct Nested: Sendable {
        let resource: RemoteResource
        let path: ParentPath

        /// The paths of the resources that list the parents.
        let sources: [String]
    }

    /// Sorts resources so that parents are pulled before their child lists.
    ///
    /// - Throws: ``SyncError/Code/invalidParent`` if no other resource lists the parents of a
    ///   resource, or if resources need each other's objects as parents.
    package init(_ resources: [RemoteResource], in model: Model) throws {
        var lists: [RemoteResource] = []
        var open: [Nested] = []
        for resource in resources {
            guard let path = try ParentPath(of: resource, in: model) else {
                lists.append(resource)
                continue
            }
            let sources = resources.filter { model.isRelated($0.entity, to: path.parent) }
            guard !sources.isEmpty else {
                throw SyncError(
                    .invalidParent,
                    "The path \(resource.path) names a \(path.parent), and no resource lists "
                        + "\(path.parent).",
                    hint: "Add a resource for \(path.parent): its rows say which lists there are."
                )
            }
            open.append(Nested(resource: resource, path: path, sources: sources.map(\.path)))
        }
        var nested: [Nested] = []
        while !open.isEmpty {
            let waiting = Set(open.map(\.resource.path))
            let ready = open.filter { waiting.isDisjoint(with: $0.sources) }
            guard !ready.isEmpty else {
                let paths = open.map(\.resource.path).sorted()
                throw SyncError(
                    .invalidParent,
                    paths.count == 1
                        ? "\(paths[0]) needs its own objects as parents."
                        : "\(paths.joined(separator: " and ")) need each other's objects as parents.",
                    hint: "Replace one of them with a list whose path names no parent."
                )
            }
            nested += ready
            open.removeAll { list in ready.contains { $0.resource.path == list.resource.path } }
        }
        self.lists = lists
        self.nested = nested
    }
}
