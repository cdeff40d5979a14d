/// An index of a model's entities by name.
///
/// With it, the time to process a model is proportional to its size.
///
/// It is built under a lock because threads may share a model.
final class ModelLookup: Sendable {
    /// Positions in the list of entities.
    struct Places: Sendable {
        /// The positions of the entities of a name: one, unless the model is invalid.
        var byName: [String: [Int]] = [:]
        /// The positions of the entities that inherit directly from the entity of a name.
        var byParent: [String: [Int]] = [:]
        /// The position of each entity's parent; nil without one in the model.
        var parents: [Int?] = []
    }

    private let found = Locked<Places?>(nil)

    /// Returns the index of the entities, which must be the same in each call.
    func indices(in entities: [EntityDescription]) -> Places {
        found.withLock { found in
            if let found { return found }
            var indices = Places()
            for (index, entity) in entities.enumerated() {
                indices.byName[entity.name, default: []].append(index)
                if let parent = entity.parent {
                    indices.byParent[parent, default: []].append(index)
                }
            }
            indices.parents = entities.map { $0.parent.flatMap { indices.byName[$0]?[0] } }
            found = indices
            return indices
        }
    }
}
