/// A short name for content, the same in every run and on every machine.
///
/// It tells contents apart (FNV-1a), and protects nothing: who wants two with one name finds them.
package struct Fingerprint: Hashable, Sendable {
    /// The hash itself.
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Begins with no content.
    package init() {}

    /// The fingerprint of some content.
    package init(_ bytes: some Sequence<UInt8>) {
        add(bytes)
    }

    /// Adds more content behind what there is.
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        var hash = value
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3 }
        value = hash
    }

    /// Sixteen hexadecimal digits.
    package var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
