import TidemarkModel

/// What JSON names are for, found by their bytes.
///
/// Services send the members of their objects in the same order again and again, so a name is looked for
/// first where it stood last time; the hash is for the rest.
struct NameTable: Sendable {
    /// What a JSON name is for.
    struct Entry: Sendable {
        /// The name in UTF-8.
        let name: [UInt8]
        /// The attribute its value goes to.
        var attribute: AttributeTarget?
        /// The relationship it speaks of.
        var link: LinkTarget?
        /// The place of the table for the names inside its object, in ``nested``.
        var nested: Int?
    }

    /// A slot, and how good the name is: of several names of one slot the lowest rank wins.
    struct AttributeTarget: Sendable {
        let slot: Int
        let rank: Int
    }

    /// A relationship, and how good the name is.
    struct LinkTarget: Sendable {
        let relationship: Int
        /// The part of the destination's key that the value is; nil where objects stand.
        let part: Int?
        let rank: Int
    }

    private(set) var entries: [Entry] = []

    /// The tables for the names inside objects.
    private(set) var nested: [NameTable] = []

    /// Open addressing: places in ``entries``, or -1.
    private var buckets: [Int32] = Array(repeating: -1, count: 8)

    /// The place of a name, if it is known.
    func place(of name: UnsafeRawBufferPointer) -> Int? {
        var bucket = Self.hash(name) & (buckets.count - 1)
        while buckets[bucket] >= 0 {
            let place = Int(buckets[bucket])
            if entries[place].name.holds(name) { return place }
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        return nil
    }

    /// Adds what a dotted path is for.
    mutating func add(
        _ path: some StringProtocol,
        _ attribute: AttributeTarget?,
        _ link: LinkTarget?
    ) {
        let dot = path.firstIndex(of: ".")
        let place = placeOrAdd(Array((dot.map { path[..<$0] } ?? path[...]).utf8))
        guard let dot else {
            entries[place].attribute = attribute
            entries[place].link = link
            return
        }
        let inner = entries[place].nested ?? nested.count
        if inner == nested.count {
            nested.append(NameTable())
            entries[place].nested = inner
        }
        nested[inner].add(path[path.index(after: dot)...], attribute, link)
    }

    private mutating func placeOrAdd(_ name: [UInt8]) -> Int {
        if let place = name.withUnsafeBytes(place(of:)) { return place }
        entries.append(Entry(name: name))
        if entries.count * 2 > buckets.count {
            buckets = Array(repeating: -1, count: buckets.count * 2)
            for place in entries.indices { occupy(place) }
        } else {
            occupy(entries.count - 1)
        }
        return entries.count - 1
    }

    private mutating func occupy(_ place: Int) {
        var bucket = entries[place].name.withUnsafeBytes(Self.hash) & (buckets.count - 1)
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

extension [UInt8] {
    /// Whether these are just the given bytes.
    func holds(_ bytes: UnsafeRawBufferPointer) -> Bool {
        count == bytes.count
            && withUnsafeBytes { own in
                own.elementsEqual(bytes)
            }
    }
}
