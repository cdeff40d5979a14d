/// A 64-bit FNV-1a hash of content, equal in every process and on every machine.
///
/// It detects changes of content, for which `Hasher` is unsuitable because its seed differs in each
/// process. It is not cryptographic: collisions are easy to construct.
package struct Fingerprint: Hashable, Sendable {
    /// The hash.
    ///
    /// Its initial value is the FNV offset basis for 64 bits.
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Creates the fingerprint of no content.
    package init() {}

    /// Creates the fingerprint of the given bytes.
    package init(_ bytes: some Sequence<UInt8>) {
        add(bytes)
    }

    /// Appends content to the content hashed so far.
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        var hash = value
        // The multiplier is the FNV prime for 64 bits.
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3 }
        value = hash
    }

    /// The hash as 16 hexadecimal digits.
    package var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
