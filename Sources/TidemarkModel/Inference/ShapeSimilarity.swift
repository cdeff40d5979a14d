/// How much the objects of two places look like the same kind of thing.
struct ShapeSimilarity {
    /// Whether they may be: they have the same key, and objects of one key do not contradict each
    /// other.
    let isPossible: Bool

    /// How many objects were seen in both places, the same by their key and their texts.
    let sharedObjects: Int

    /// How many names both have.
    let sharedNames: Int

    /// The shared names' part of the names of the second.
    let part: Double

    /// The shared names' part of all names.
    let overlap: Double

    init(_ entity: EntityDraft, _ nested: NestedObjects) {
        let known = entity.shape
        let other = nested.shape
        let knownKey = entity.key?.name
        let otherKey = nested.key?.name ?? knownKey.flatMap(other.completeMember)
        var compared = (alike: 0, different: 0)
        if let knownKey, let left = known.keys[knownKey], let right = other.keys[knownKey] {
            compared = left.compared(with: right)
        }
        // Of a list, a row has the list's values; a few that differ elsewhere may be outdated.
        let tolerated = entity.isSampled ? compared.alike / 4 : 0
        isPossible = knownKey == otherKey && compared.different <= tolerated
        sharedObjects = compared.alike
        sharedNames = other.fields.keys.count { known.fields[$0] != nil }
        let names = known.fields.count + other.fields.count - sharedNames
        part = Double(sharedNames) / Double(max(1, other.fields.count))
        overlap = Double(sharedNames) / Double(max(1, names))
    }
}

/// Objects that stand in others and have to become an entity.
struct NestedObjects {
    let shape: ObjectShape

    /// The member that they are known by.
    let key: KeyChoice?

    init(_ shape: ObjectShape) {
        self.shape = shape
        key = shape.key(.element)
    }
}

extension ObjectShape {
    /// The name, if all objects have a plain value under it.
    fileprivate func completeMember(_ name: String) -> String? {
        guard let shape = fields[name]?.shape else { return nil }
        return shape.scalars.count == count && shape.count == count ? name : nil
    }
}
