import TidemarkModel

/// A model that is being inferred.
///
/// The steps are: nested objects become entities (`+Unfold`); members become attributes and
/// relationships (`+Properties`, `+References`); relationships get their inverses (`+Pairs`,
/// `+Inverses`); and the result is written as a model in which every JSON name of the samples maps
/// to its property (`+Finish`). `+ParentKeys` chooses keys that are unique only within a parent.
struct ModelDraft {
    let limits: InferenceLimits
    let naming: NamingConvention
    var entities: [EntityDraft] = []
    var notes: [InferenceNote] = []

    init(_ samples: [SampledEntity], limits: InferenceLimits, naming: NamingConvention) {
        self.limits = limits
        self.naming = naming
        for sample in samples {
            entities.append(
                EntityDraft(
                    name: name(sample.name),
                    shape: sample.shape,
                    isSampled: true,
                    collections: sample.collections
                )
            )
            if sample.others > 0 {
                notes.append(
                    InferenceNote(
                        on: sample.name,
                        "Some items of its list are not objects, and cannot be imported.",
                        needsReview: true
                    )
                )
            }
        }
    }

    /// Returns the index of the entity with a name, ignoring case.
    func entity(named name: String) -> Int? {
        let name = name.lowercased()
        return entities.firstIndex { $0.name.lowercased() == name }
    }

    /// Returns an unused entity name: the first free candidate, or the last one with a number.
    func name(_ candidates: String...) -> String {
        // Table names in SQLite are not case-sensitive.
        let taken = Set(entities.map { $0.name.lowercased() })
        if let free = candidates.first(where: { !taken.contains($0.lowercased()) }) { return free }
        let last = candidates.last ?? "Item"
        var number = 2
        while taken.contains("\(last)\(number)".lowercased()) { number += 1 }
        return "\(last)\(number)"
    }

    /// Adds notes about the keys.
    ///
    /// Call this after all objects have been merged into their entities.
    mutating func explainKeys() {
        for position in entities.indices {
            let entity = entities[position]
            entities[position].collections.formUnion(entity.shape.ownCollections(entity.key))
            explainKey(of: position)
        }
    }

    private mutating func explainKey(of position: Int) {
        let entity = entities[position]
        guard let key = entity.key else {
            if let unproven = entity.shape.unprovenKey(entity.standing) {
                addNote(
                    "“\(unproven.name)” may be the key: it has more than \(limits.keys) values, too "
                        + "many to prove them different.",
                    on: position,
                    needsReview: true
                )
            } else if entity.isSampled {
                addNote(
                    "No member identifies its objects: they can be imported only as the children of "
                        + "other rows.",
                    on: position,
                    needsReview: true
                )
            }
            return
        }
        if key.isIncomplete {
            addNote(
                "Some objects lack “\(key.name)”, and cannot be imported.",
                on: position,
                needsReview: true
            )
        } else if key.rank == .lastResort || key.rank == .word {
            addNote(
                "“\(key.name)” is the key, since it was different in all objects.",
                on: position,
                needsReview: key.rank == .lastResort
            )
        }
    }
}

extension ObjectShape {
    /// Returns the collections of the members that contain an object's own URL, if the objects have
    /// a key.
    func ownCollections(_ key: KeyChoice?) -> Set<String> {
        guard let key else { return [] }
        var collections: Set<String> = []
        if key.rank == .selfLink, let shape = shape(at: key.path[...]) {
            collections = shape.scalars.texts.collections
        }
        for (name, field) in fields where KeyName(name, of: "")?.isAddress == true {
            if field.shape.isOwnAddress {
                collections.formUnion(field.shape.scalars.texts.collections)
            }
        }
        return collections
    }
}

extension Shape {
    /// Whether the values are URLs of the objects that contain them.
    var isOwnAddress: Bool {
        let pairs = links.pairs
        return !pairs.isEmpty && scalars.texts.paths == scalars.count
            && pairs.allSatisfy { $0.owner == $0.member }
    }
}
