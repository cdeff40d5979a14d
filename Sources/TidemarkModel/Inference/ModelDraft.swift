/// A model that is being inferred.
///
/// It goes through four steps: objects inside others become entities (`+Unfold`), members become
/// attributes and relationships (`+Properties`, `+References`), relationships get their inverses
/// (`+Pairs`, `+Inverses`), and the whole is written as a model whose names lead back to the JSON
/// names (`+Finish`).
struct ModelDraft {
    let limits: Limits
    let naming: NamingConvention
    var entities: [EntityDraft] = []
    var notes: [InferenceNote] = []

    init(_ samples: [SampledEntity], _ limits: Limits, _ naming: NamingConvention) {
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
                        sample.name,
                        "Some items of its list are no objects, and cannot be imported.",
                        isDoubtful: true
                    )
                )
            }
        }
    }

    /// The place of the entity with a name.
    func entity(named name: String) -> Int? {
        let name = name.lowercased()
        return entities.firstIndex { $0.name.lowercased() == name }
    }

    /// A name for an entity that no other has: the first that is free, or one with a number.
    func name(_ candidates: String...) -> String {
        let taken = Set(entities.map { $0.name.lowercased() })
        if let free = candidates.first(where: { !taken.contains($0.lowercased()) }) { return free }
        let last = candidates.last ?? "Item"
        var number = 2
        while taken.contains("\(last)\(number)".lowercased()) { number += 1 }
        return "\(last)\(number)"
    }

    /// Notes what the keys are, now that all objects of an entity are together.
    mutating func noteKeys() {
        for place in entities.indices {
            let entity = entities[place]
            entities[place].collections.formUnion(entity.shape.ownCollections(entity.key))
            note(entity.key, of: entity)
        }
    }

    private mutating func note(_ key: KeyChoice?, of entity: EntityDraft) {
        guard let key else {
            if let unproven = entity.shape.unprovenKey(entity.standing) {
                notes.append(
                    InferenceNote(
                        entity.name,
                        "“\(unproven.name)” may be the key: it has more than "
                            + "\(limits.inferredKeys) values, too many to prove them different.",
                        isDoubtful: true
                    )
                )
            } else if entity.isSampled {
                notes.append(
                    InferenceNote(
                        entity.name,
                        "No member tells its objects apart: they can be imported only as the "
                            + "children of other rows.",
                        isDoubtful: true
                    )
                )
            }
            return
        }
        if key.isIncomplete {
            notes.append(
                InferenceNote(
                    entity.name,
                    "Some objects lack “\(key.name)”, and cannot be imported.",
                    isDoubtful: true
                )
            )
        } else if key.rank == .lastResort || key.rank == .word {
            notes.append(
                InferenceNote(
                    entity.name,
                    "“\(key.name)” is the key, since it was different in all objects.",
                    isDoubtful: key.rank == .lastResort
                )
            )
        }
    }
}

extension ObjectShape {
    /// The paths that the objects' own addresses have in common: those whose end is their key.
    func ownCollections(_ key: KeyChoice?) -> Set<String> {
        guard key != nil else { return [] }
        var collections: Set<String> = []
        for (name, field) in fields where KeyName(name, of: "") == .address {
            if field.shape.isOwnAddress {
                collections.formUnion(field.shape.scalars.texts.collections)
            }
        }
        return collections
    }
}

extension Shape {
    /// Whether the addresses here are those of the objects that have them.
    var isOwnAddress: Bool {
        let pairs = links.pairs
        return !pairs.isEmpty && scalars.texts.paths == scalars.count
            && pairs.allSatisfy { $0.owner == $0.member }
    }
}
