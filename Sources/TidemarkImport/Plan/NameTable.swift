import TidemarkModel

/// A hash table from JSON names, in UTF-8, to what their values are stored in.
///
/// Keys are compared as bytes, so that reading a member of an object allocates no string.
struct NameTable: Sendable {
    /// The target of a name's value.
    ///
    /// A negative number means no target.
    ///
    /// All properties are trivial types, so that reading the members of an object retains nothing.
    struct Target: Sendable {
        /// The slot, and the rank of the name: of several names for one slot, the one with the
        /// lowest rank wins.
        var slot: Int32 = -1
        var slotRank: Int32 = 0

        /// The relationship, and the rank of the name.
        var relationship: Int32 = -1
        var relationshipRank: Int32 = 0

        /// The index of the part of the destination's key that the value is; negative for a name of
        /// objects.
        var part: Int32 = -1

        /// The index in ``nested`` of the table of the names inside the value.
        var nested: Int32 = -1

        /// Whether members of the value that no key path contains are ignored.
        var isIgnored = false

        /// Whether a key path of the same slot or to-one relationship leads through the value.
        ///
        /// An object, or an array if the path contains an index, is then not a value itself.
        var leadsToItself = false

        /// Whether the value is stored, or key paths lead through it.
        var isMapped: Bool { slot >= 0 || relationship >= 0 || nested >= 0 }

        /// Whether the value is only an intermediate step of key paths.
        var isPassage: Bool { nested >= 0 && slot < 0 && relationship < 0 && !isIgnored }
    }

    /// The names in UTF-8.
    private(set) var names: [[UInt8]] = []

    /// The target of each name.
    private(set) var targets: [Target] = []

    /// The tables of the names inside objects.
    private(set) var nested: [NameTable] = []

    /// The number of this table among all nested tables; see ``numberNested(toOne:)``.
    private(set) var number = 0

    /// The number of nested tables, at any depth; see ``numberNested(toOne:)``.
    private(set) var nestedCount = 0

    /// Whether key paths lead through elements of an array, so that a name may be an index.
    private(set) var hasIndexes = false

    /// Open addressing: indexes in ``names``, or -1.
    ///
    /// The number of buckets is a power of two, and at least half of them are empty, which keeps
    /// searches short.
    private var buckets: [Int32] = Array(repeating: -1, count: 8)

    /// Returns the index of a name; nil if it is unknown.
    func index(of name: UnsafeRawBufferPointer) -> Int? {
        var bucket = Self.hash(name) & (buckets.count - 1)
        while buckets[bucket] >= 0 {
            let index = Int(buckets[bucket])
            if names[index].elementsEqual(name) { return index }
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        return nil
    }

    /// Adds a path with its target.
    mutating func add(_ path: ArraySlice<String>, target: Target) {
        guard let name = path.first else { return }
        let index = indexOrAdd(Array(name.utf8))
        guard path.count > 1 else {
            // A longer path with the same first step may have been added before.
            let known = targets[index]
            targets[index] = target
            targets[index].nested = known.nested
            targets[index].isIgnored = known.isIgnored
            return
        }
        if targets[index].nested < 0 {
            targets[index].nested = Int32(nested.count)
            nested.append(NameTable())
        }
        nested[Int(targets[index].nested)].add(path.dropFirst(), target: target)
    }

    /// Adds a path without a target: its value is known and not stored.
    mutating func addKnown(_ path: ArraySlice<String>) {
        guard let name = path.first else { return }
        let index = Array(name.utf8).withUnsafeBytes(self.index(of:))
        if path.count > 1, let index, targets[index].nested >= 0 {
            nested[Int(targets[index].nested)].addKnown(path.dropFirst())
        } else if path.count > 1 || index == nil {
            add(path, target: Target())
        }
    }

    /// Adds a path without a target, and all members below it.
    mutating func addIgnored(_ path: ArraySlice<String>) {
        addKnown(path)
        guard let name = path.first,
            let index = Array(name.utf8).withUnsafeBytes(self.index(of:))
        else { return }
        if path.count > 1 {
            nested[Int(targets[index].nested)].addIgnored(path.dropFirst())
        } else {
            targets[index].isIgnored = true
        }
    }

    /// Adds a path after the nested tables were numbered.
    ///
    /// Creates no nested table, because a frame has memory only for those that were numbered. Below
    /// a name without one, all members are accepted.
    mutating func addKnownLater(_ path: ArraySlice<String>) {
        guard let first = path.first else { return }
        let index = indexOrAdd(Array(first.utf8))
        guard targets[index].nested >= 0 else { return }
        nested[Int(targets[index].nested)].addKnownLater(path.dropFirst())
    }

    /// Gives each nested table a unique number, from 0.
    ///
    /// - Parameter toOne: The indexes of the to-one relationships.
    mutating func numberNested(toOne: Set<Int32>) {
        var count = 0
        numberNested(from: &count, toOne: toOne)
        nestedCount = count
    }

    /// Returns whether a name of this table, or of a nested one, has the same target.
    private func leads(to target: Target, toOne: Set<Int32>) -> Bool {
        targets.contains { inner in
            inner.slot >= 0 && inner.slot == target.slot
                || toOne.contains(inner.relationship) && inner.relationship == target.relationship
        } || nested.contains { $0.leads(to: target, toOne: toOne) }
    }

    /// Returns the position in an array that a name specifies; nil for any other name.
    func arrayIndex(ofName index: Int) -> Int? {
        let isNumber = names[index].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }
        return isNumber ? Int(String(decoding: names[index], as: UTF8.self)) : nil
    }

    private mutating func numberNested(from count: inout Int, toOne: Set<Int32>) {
        hasIndexes = names.indices.contains { arrayIndex(ofName: $0) != nil }
        for index in targets.indices where targets[index].nested >= 0 {
            targets[index].leadsToItself =
                nested[Int(targets[index].nested)].leads(to: targets[index], toOne: toOne)
        }
        for index in nested.indices {
            nested[index].number = count
            count += 1
            nested[index].numberNested(from: &count, toOne: toOne)
        }
    }

    private mutating func indexOrAdd(_ name: [UInt8]) -> Int {
        if let index = name.withUnsafeBytes(self.index(of:)) { return index }
        names.append(name)
        targets.append(Target())
        if names.count * 2 > buckets.count {
            buckets = Array(repeating: -1, count: buckets.count * 2)
            for index in names.indices { occupy(index) }
        } else {
            occupy(names.count - 1)
        }
        return names.count - 1
    }

    private mutating func occupy(_ index: Int) {
        var bucket = names[index].withUnsafeBytes(Self.hash) & (buckets.count - 1)
        while buckets[bucket] >= 0 {
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        buckets[bucket] = Int32(index)
    }

    /// Returns the FNV-1a hash of a name.
    ///
    /// Names are short.
    private static func hash(_ name: UnsafeRawBufferPointer) -> Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        // Shifted, because an `Int` must not become negative.
        return Int(truncatingIfNeeded: hash >> 1)
    }
}
