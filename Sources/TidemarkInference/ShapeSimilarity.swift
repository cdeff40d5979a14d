import TidemarkModel

/// A measure of how likely the objects at two paths are of the same entity.
struct ShapeSimilarity {
    /// Whether they can be of the same entity: both have the same key, and objects with equal keys
    /// do not contradict each other.
    let isPossible: Bool

    /// The number of objects that occur at both paths with equal keys and equal texts.
    let sharedObjects: Int

    /// The number of member names that both have.
    let sharedNames: Int

    /// The shared names as a fraction of the nested objects' names.
    let part: Double

    /// The shared names as a fraction of all names of both (the Jaccard index).
    let overlap: Double

    init(of nested: NestedObjects, to entity: EntityDraft) {
        let known = entity.shape
        let other = nested.shape
        let knownKey = entity.key?.name
        let otherKey = nested.key?.name ?? knownKey.flatMap(other.completeMember)
        var compared = (equal: 0, different: 0)
        if let knownKey, let left = known.keys[knownKey], let right = other.keys[knownKey] {
            compared = left.compared(with: right)
        }
        // A sampled entity's rows take the values of its own list. A few nested copies that differ
        // may be outdated.
        let tolerated = entity.isSampled ? compared.equal / 4 : 0
        isPossible = knownKey == otherKey && compared.different <= tolerated
        sharedObjects = compared.equal
        sharedNames = other.fields.keys.count { known.fields[$0] != nil }
        let names = known.fields.count + other.fields.count - sharedNames
        part = Double(sharedNames) / Double(max(1, other.fields.count))
        overlap = Double(sharedNames) / Double(max(1, names))
    }
}

/// Objects nested in others that are to become an entity.
struct NestedObjects {
    let shape: ObjectShape

    /// The member that identifies them; nil if no member does.
    let key: KeyChoice?

    init(_ shape: ObjectShape) {
        self.shape = shape
        key = shape.key(.element)
    }
}

extension ObjectShape {
    /// Returns the name if every object has a scalar under it.
    fileprivate func completeMember(_ name: String) -> String? {
        guard !isLink, let shape = fields[name]?.shape else { return nil }
        return shape.scalars.count == count && shape.count == count ? name : nil
    }
}
