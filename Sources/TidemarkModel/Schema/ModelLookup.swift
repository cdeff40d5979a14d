/// The places of a model's entities by name, so that a model is read in time proportional to its
/// size.
final class ModelLookup: Sendable {
    /// Places among the entities.
    struct Places: Sendable {
        /// The entities of a name: one, unless the model is wrong.
        var byName: [String: [Int]] = [:]
        /// The entities that inherit from one of a name directly.
        var byParent: [String: [Int]] = [:]
    }

    private let found = Locked<Places?>(nil)

    /// The places of the entities, which are the same each time.
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
