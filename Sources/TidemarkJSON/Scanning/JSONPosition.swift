/// A position in a text.
///
/// Lines and columns are counted from 1, columns in characters.
struct JSONPosition {
    var line = 1
    var column = 1
    var offset = 0

    /// Advances past the given bytes of the text.
    mutating func advance(over bytes: UnsafeBufferPointer<UInt8>) {
        offset += bytes.count
        let lines = Self.count(bytes, where: Self.isLineFeed)
        guard lines > 0 else {
            column += bytes.count - Self.count(bytes, where: Self.isContinuation)
            return
        }
        line += lines
        let last = bytes.lastIndex(of: ASCII.lineFeed) ?? 0
        let rest = UnsafeBufferPointer(rebasing: bytes[(last + 1)...])
        column = 1 + rest.count - Self.count(rest, where: Self.isContinuation)
    }

    private static var ones: UInt64 { 0x0101_0101_0101_0101 }

    /// Returns a word with 1 in each byte that is a line feed.
    @inline(__always)
    private static func isLineFeed(_ word: UInt64) -> UInt64 {
        let low = ones &* 0x7F
        let other = word ^ (ones &* 0x0A)
        return (~(((other & low) &+ low) | other | low)) >> 7
    }

    /// Returns a word with 1 in each byte that continues a multi-byte UTF-8 sequence.
    @inline(__always)
    private static func isContinuation(_ word: UInt64) -> UInt64 {
        (word >> 7) & ~(word >> 6) & ones
    }

    /// Returns the number of bytes for which the test returns 1.
    ///
    /// Eight bytes are tested at a time.
    @inline(__always)
    private static func count(
        _ bytes: UnsafeBufferPointer<UInt8>,
        where test: (UInt64) -> UInt64
    ) -> Int {
        guard let start = bytes.baseAddress else { return 0 }
        let words = bytes.count / 8
        var total = 0
        var word = 0
        while word < words {
            // After 255 words, a byte of the sum could overflow.
            let end = min(words, word &+ 255)
            var sum: UInt64 = 0
            while word < end {
                let raw = UnsafeRawPointer(start + word &* 8)
                sum &+= test(raw.loadUnaligned(as: UInt64.self))
                word &+= 1
            }
            let low: UInt64 = 0x00FF_00FF_00FF_00FF
            let pairs = (sum & low) &+ ((sum >> 8) & low)
            total &+= Int((pairs &* 0x0001_0001_0001_0001) >> 48)
        }
        for offset in (words * 8)..<bytes.count {
            total &+= Int(test(UInt64(bytes[offset])) & 1)
        }
        return total
    }
}
