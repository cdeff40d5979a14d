import TidemarkJSON

/// A sample of the scalars at one path, as possible keys of objects.
///
/// Where some values are objects and others are scalars, a scalar that is the key of an object is a
/// reference to it. Any other scalar is data that a relationship would lose. Up to 256 different
/// scalars are all compared; of more, those with the smallest hashes.
struct ReferenceSketch: Sendable {
    private var sample = Sketch<Void>(limit: 256)

    /// The number of scalars.
    private(set) var count = 0

    /// Whether a scalar was seen that cannot be a key, such as an empty string.
    private var hasOther = false

    /// Adds a scalar.
    mutating func add(_ node: JSONNode) {
        count += 1
        guard let hash = StableHash.ofKey(node) else {
            hasOther = true
            return
        }
        sample.add((), hash: hash) { _ in }
    }

    /// Adds the scalars of another sketch.
    mutating func merge(_ other: ReferenceSketch) {
        count += other.count
        hasOther = hasOther || other.hasOther
        sample.merge(other.sample) { _, _ in }
    }

    /// Returns whether each scalar is among the keys of objects, as far as the samples show.
    func isContained(in keys: [KeySketch]) -> Bool {
        guard !hasOther else { return false }
        return sample.entries.keys.allSatisfy { hash in
            let found = keys.map { $0.has(hash) }
            // A key outside of the sampled range may be that of an object.
            return found.contains(true) || found.contains(nil)
        }
    }
}
