/// A sample of bounded size: of everything that was added, what has the least hashes.
///
/// It does not depend on the order of what is added, and two sketches hold the same of what both
/// have seen; so they can be compared.
struct Sketch<Entry: Sendable>: Sendable {
    /// The sampled entries by their hash.
    private(set) var entries: [UInt64: Entry] = [:]

    /// Everything that was added with a hash up to here is in the sample.
    private(set) var bound = UInt64.max

    /// How many entries it keeps.
    let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds an entry, or changes the one that is there.
    mutating func add(
        _ hash: UInt64,
        _ entry: @autoclosure () -> Entry,
        merging: (inout Entry) -> Void
    ) {
        guard hash <= bound else { return }
        if let place = entries.index(forKey: hash) {
            merging(&entries.values[place])
            return
        }
        entries[hash] = entry()
        if entries.count > limit { dropLast() }
    }

    /// Adds everything that another has sampled.
    mutating func merge(_ other: Sketch, _ merging: (inout Entry, Entry) -> Void) {
        if other.bound < bound {
            bound = other.bound
            entries = entries.filter { $0.key <= other.bound }
        }
        for (hash, entry) in other.entries {
            add(hash, entry) { merging(&$0, entry) }
        }
    }

    /// Drops the entry with the greatest hash.
    ///
    /// That is rare: of random hashes, fewer and fewer are among the least.
    private mutating func dropLast() {
        guard let last = entries.keys.max(), last > 0 else { return }
        entries[last] = nil
        bound = last - 1
    }
}
