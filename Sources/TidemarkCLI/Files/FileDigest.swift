/// A SHA-256 digest, used to detect whether a file has changed.
///
/// Source: FIPS 180-4, “Secure Hash Standard”, sections 4.1.2, 4.2.2, 5.3.3 and 6.2.
struct FileDigest: Hashable, CustomStringConvertible {
    /// The digest in hexadecimal digits.
    let description: String

    init(_ bytes: some Collection<UInt8>) {
        var state = Self.primes.prefix(8).map { Self.fraction($0.squareRoot()) }
        let constants = Self.primes.map { Self.fraction(Self.cubeRoot($0)) }
        var message = Array(bytes)
        let length = UInt64(message.count) * 8
        message.append(0x80)
        message += Array(repeating: 0, count: (120 - message.count % 64) % 64)
        message += (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
        for start in stride(from: 0, to: message.count, by: 64) {
            Self.take(message[start..<(start + 64)], constants, &state)
        }
        description = state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }
        .joined()
    }

    private static func take(
        _ block: ArraySlice<UInt8>,
        _ constants: [UInt32],
        _ state: inout [UInt32]
    ) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { place in
            block[place..<(place + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let first = early.turned(7) ^ early.turned(18) ^ early >> 3
            let second = late.turned(17) ^ late.turned(19) ^ late >> 10
            words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
        }
        var work = state
        for index in 0..<64 {
            let (a, b, c) = (work[0], work[1], work[2])
            let (e, f, g) = (work[4], work[5], work[6])
            let choice = e & f ^ ~e & g
            let majority = a & b ^ a & c ^ b & c
            let mixed =
                work[7] &+ (e.turned(6) ^ e.turned(11) ^ e.turned(25)) &+ choice
                &+ constants[index] &+ words[index]
            let sum = (a.turned(2) ^ a.turned(13) ^ a.turned(22)) &+ majority
            work = [mixed &+ sum, a, b, c, work[3] &+ mixed, e, f, g]
        }
        for index in state.indices { state[index] &+= work[index] }
    }

    /// The first 64 prime numbers.
    ///
    /// The constants of SHA-256 are derived from their roots.
    private static let primes: [Double] = (2..<312)
        .filter { number in !(2..<number).contains { number % $0 == 0 } }
        .map { Double($0) }

    /// Returns the first 32 bits of the fractional part.
    private static func fraction(_ number: Double) -> UInt32 {
        UInt32((number - number.rounded(.down)) * 4_294_967_296)
    }

    /// Computes the cube root with Newton's method, which converges to the nearest double.
    private static func cubeRoot(_ number: Double) -> Double {
        var root = number / 2
        for _ in 0..<100 { root -= (root * root * root - number) / (3 * root * root) }
        return root
    }
}

extension UInt32 {
    fileprivate func turned(_ count: UInt32) -> UInt32 {
        self >> count | self << (32 - count)
    }
}
