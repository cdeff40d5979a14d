import Foundation

/// A growing buffer of tokens.
///
/// The owner must call ``deallocate()``.
struct JSONTape {
    private(set) var base: UnsafeMutablePointer<JSONToken>
    private(set) var capacity: Int
    var count = 0

    /// The maximum number of tokens.
    ///
    /// One byte of JSON can need a token of 16 bytes, so the length of the text does not limit the
    /// memory.
    private let limit: Int

    /// The reason why the last ``reserveTwo()`` failed.
    private(set) var shortage = JSONFault.Reason.itemTokens

    init(capacity: Int, limit: Int) {
        // `reserveTwo` makes room for two tokens, of which the last value needs only one.
        self.limit = min(max(limit, 16), Int(UInt32.max) - 1) + 1
        self.capacity = min(max(capacity, 16), self.limit)
        // Some platforms import the result as an optional. An allocation failure is not recoverable
        // here.
        // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
        let room: UnsafeMutableRawPointer! = malloc(
            self.capacity * MemoryLayout<JSONToken>.stride
        )
        base = room.bindMemory(to: JSONToken.self, capacity: self.capacity)
    }

    /// Makes room for two more tokens.
    ///
    /// Returns false on failure; see ``shortage``.
    @inline(__always)
    mutating func reserveTwo() -> Bool {
        count &+ 2 <= capacity || grow()
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
    private mutating func grow() -> Bool {
        let wider = min(capacity * 2, limit)
        guard count + 2 <= wider else { return false }
        // `realloc` moves large buffers without a second copy: peak memory is the new size, not the
        // sum of both.
        guard let larger = realloc(base, wider * MemoryLayout<JSONToken>.stride) else {
            shortage = .memory
            return false
        }
        base = larger.bindMemory(to: JSONToken.self, capacity: wider)
        capacity = wider
        return true
    }

    func deallocate() {
        free(base)
    }
}
