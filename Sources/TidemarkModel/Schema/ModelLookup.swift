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
    }

    private let found = Locked<Places?>(nil)

    /// Returns the index of the entities, which must be the same in each call.
    func places(in entities: [EntityDescription]) -> Places {
        found.withLock { found in
            if let found { return found }
            var places = Places()
            for (place, entity) in entities.enumerated() {
                places.byName[entity.name, default: []].append(place)
                if let parent = entity.parent { places.byParent[parent, default: []].append(place) }
            }
            found = places
            return places
        }
    }
}
