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
        if entries.count >= limit * 2 { prune() }
    }

    /// Adds everything that another has sampled.
    mutating func merge(_ other: Sketch, _ merging: (inout Entry, Entry) -> Void) {
        bound = min(bound, other.bound)
        for (hash, entry) in other.entries {
            add(hash, entry) { merging(&$0, entry) }
        }
        prune()
    }

    /// Drops what the sample has too much.
    mutating func prune() {
        if entries.count > limit {
            bound = min(bound, entries.keys.sorted()[limit - 1])
        }
        if bound < .max {
            entries = entries.filter { $0.key <= bound }
        }
    }
}
