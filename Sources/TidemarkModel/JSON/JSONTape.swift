/// Room for tokens that grows; whoever owns it frees it.
struct JSONTape {
    private(set) var base: UnsafeMutablePointer<JSONToken>
    private(set) var capacity: Int
    var count = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 16)
        base = .allocate(capacity: self.capacity)
    }

    /// Makes sure that two more tokens have room.
    @inline(__always)
    mutating func reserveTwo() {
        if count &+ 2 > capacity { grow() }
    }

    @inline(__always)
    mutating func append(_ kind: JSONKind, start: Int, length: Int, isComplex: Bool = false) {
        base[count] = JSONToken(
            start: UInt32(truncatingIfNeeded: start),
            length: UInt32(truncatingIfNeeded: length),
            next: UInt32(truncatingIfNeeded: count &+ 1),
            kind: kind,
            isComplex: isComplex
        )
        count &+= 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<JSONToken>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
        capacity *= 2
    }

    func deallocate() {
        base.deallocate()
    }
}
