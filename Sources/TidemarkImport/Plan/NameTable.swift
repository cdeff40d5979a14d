import TidemarkModel

/// What JSON names are for, found by their bytes.
struct NameTable: Sendable {
    /// What the value under a name goes to; a number below zero stands for nothing.
    ///
    /// It is plain numbers, so that reading an object's members copies and counts nothing.
    struct Target: Sendable {
        /// The slot, and how good the name is: of several names of one slot the lowest rank wins.
        var slot: Int32 = -1
        var slotRank: Int32 = 0

        /// The relationship that the value speaks of, and how good the name is.
        var relationship: Int32 = -1
        var relationshipRank: Int32 = 0

        /// The part of the destination's key that the value is; below zero where objects stand.
        var part: Int32 = -1

        /// The place of the table for the names inside the value, in ``nested``.
        var nested: Int32 = -1

        /// Whether members of the value that no key path leads to are left out on purpose.
        var isIgnored = false

        /// Whether a key path of the slot or to-one relationship itself leads through the value: an
        /// object, or an array where the path has a position, is no value of it then.
        var leadsToItself = false

        /// Whether a value is nothing by itself, and key paths lead through it.
        var isPassage: Bool { nested >= 0 && slot < 0 && relationship < 0 && !isIgnored }
    }

    /// The names in UTF-8.
    private(set) var names: [[UInt8]] = []

    /// What each is for.
    private(set) var targets: [Target] = []

    /// The tables for the names inside objects.
    private(set) var nested: [NameTable] = []

    /// The number of this table among all that are nested in one; see ``numberNested(toOne:)``.
    private(set) var number = 0

    /// Whether key paths lead through elements of an array: a name is the place of one.
    private(set) var hasIndexes = false

    /// Open addressing: places in ``names``, or -1.
    private var buckets: [Int32] = Array(repeating: -1, count: 8)

    /// The place of a name, if it is known.
    func place(of name: UnsafeRawBufferPointer) -> Int? {
        var bucket = Self.hash(name) & (buckets.count - 1)
        while buckets[bucket] >= 0 {
            let place = Int(buckets[bucket])
            if names[place].elementsEqual(name) { return place }
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        return nil
    }

    /// Adds what a dotted path is for.
    mutating func add(_ path: some StringProtocol, _ target: Target) {
        let dot = path.firstIndex(of: ".")
        let place = placeOrAdd(Array((dot.map { path[..<$0] } ?? path[...]).utf8))
        guard let dot else {
            let known = targets[place]
            targets[place] = target
            targets[place].nested = known.nested
            targets[place].isIgnored = known.isIgnored
            return
        }
        if targets[place].nested < 0 {
            targets[place].nested = Int32(nested.count)
            nested.append(NameTable())
        }
        nested[Int(targets[place].nested)].add(path[path.index(after: dot)...], target)
    }

    /// Makes a dotted path known: its value need not go anywhere.
    mutating func know(_ path: some StringProtocol) {
        let dot = path.firstIndex(of: ".")
        let name = Array((dot.map { path[..<$0] } ?? path[...]).utf8)
        if let dot {
            let rest = path[path.index(after: dot)...]
            guard let place = name.withUnsafeBytes(place(of:)), targets[place].nested >= 0 else {
                return add(path, Target())
            }
            nested[Int(targets[place].nested)].know(rest)
        } else if name.withUnsafeBytes(place(of:)) == nil {
            add(path, Target())
        }
    }

    /// Makes a dotted path known, with everything beneath it.
    mutating func ignore(_ path: some StringProtocol) {
        know(path)
        let dot = path.firstIndex(of: ".")
        let name = Array((dot.map { path[..<$0] } ?? path[...]).utf8)
        guard let place = name.withUnsafeBytes(place(of:)) else { return }
        if let dot {
            nested[Int(targets[place].nested)].ignore(path[path.index(after: dot)...])
        } else {
            targets[place].isIgnored = true
        }
    }

    /// Makes a path known when the nested tables have their numbers: it creates none, so what is
    /// below a name without one is not distinguished.
    mutating func knowMore(_ path: ArraySlice<String>) {
        guard let first = path.first else { return }
        let place = placeOrAdd(Array(first.utf8))
        guard targets[place].nested >= 0 else { return }
        nested[Int(targets[place].nested)].knowMore(path.dropFirst())
    }

    /// Gives each nested table a number of its own, from 0.
    ///
    /// - Parameter toOne: the to-one relationships.
    /// - Returns: how many there are.
    mutating func numberNested(toOne: Set<Int32>) -> Int {
        var count = 0
        numberNested(&count, toOne)
        return count
    }

    /// Whether a name of the table, or of one nested in it, is for what a target is for.
    private func leads(_ target: Target, _ toOne: Set<Int32>) -> Bool {
        targets.contains { inner in
            inner.slot >= 0 && inner.slot == target.slot
                || toOne.contains(inner.relationship) && inner.relationship == target.relationship
        } || nested.contains { $0.leads(target, toOne) }
    }

    /// The place in an array that a name selects; nil for any other name.
    func index(_ place: Int) -> Int? {
        let isNumber = names[place].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }
        return isNumber ? Int(String(decoding: names[place], as: UTF8.self)) : nil
    }

    private mutating func numberNested(_ count: inout Int, _ toOne: Set<Int32>) {
        hasIndexes = names.indices.contains { index($0) != nil }
        for place in targets.indices where targets[place].nested >= 0 {
            targets[place].leadsToItself =
                nested[Int(targets[place].nested)].leads(targets[place], toOne)
        }
        for place in nested.indices {
            nested[place].number = count
            count += 1
            nested[place].numberNested(&count, toOne)
        }
    }

    private mutating func placeOrAdd(_ name: [UInt8]) -> Int {
        if let place = name.withUnsafeBytes(place(of:)) { return place }
        names.append(name)
        targets.append(Target())
        if names.count * 2 > buckets.count {
            buckets = Array(repeating: -1, count: buckets.count * 2)
            for place in names.indices { occupy(place) }
        } else {
            occupy(names.count - 1)
        }
        return names.count - 1
    }

    private mutating func occupy(_ place: Int) {
        var bucket = names[place].withUnsafeBytes(Self.hash) & (buckets.count - 1)
        while buckets[bucket] >= 0 {
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        buckets[bucket] = Int32(place)
    }

    /// FNV-1a: names are short.
    private static func hash(_ name: UnsafeRawBufferPointer) -> Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return Int(truncatingIfNeeded: hash >> 1)
    }
}
