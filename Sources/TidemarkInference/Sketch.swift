import TidemarkModel

/// A sample of bounded size that keeps the entries with the smallest hashes (a bottom-k, or KMV,
/// sketch).
///
/// The sample does not depend on the order of insertion. Two sketches sample the same hashes of
/// what both have seen, so their samples can be compared.
struct Sketch<Entry: Sendable>: Sendable {
    /// The sampled entries, by hash.
    private(set) var entries: [UInt64: Entry] = [:]

    /// The largest hash up to which the sample is complete.
    private(set) var bound = UInt64.max

    /// The maximum number of entries.
    let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Inserts an entry, or merges into the existing entry with the same hash.
    mutating func add(
        _ entry: @autoclosure () -> Entry,
        hash: UInt64,
        merging: (inout Entry) -> Void
    ) {
        guard hash <= bound else { return }
        if let index = entries.index(forKey: hash) {
            merging(&entries.values[index])
            return
        }
        entries[hash] = entry()
        if entries.count > limit { dropLast() }
    }

    /// Inserts all entries of another sketch.
    mutating func merge(_ other: Sketch, merging: (inout Entry, Entry) -> Void) {
        if other.bound < bound {
            bound = other.bound
            entries = entries.filter { $0.key <= other.bound }
        }
        for (hash, entry) in other.entries {
            add(entry, hash: hash) { merging(&$0, entry) }
        }
    }

    /// Removes the entry with the largest hash.
    ///
    /// The linear search is affordable: with random hashes, an insertion below the bound becomes
    /// ever less likely.
    private mutating func dropLast() {
        guard let last = entries.keys.max(), last > 0 else { return }
        entries[last] = nil
        bound = last - 1
    }
}
