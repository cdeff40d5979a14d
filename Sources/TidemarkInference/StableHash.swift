import TidemarkJSON
import TidemarkModel

/// Hashes that are equal in every process, unlike those of the standard library.
///
/// Samples are chosen by hash. With seeded hashes, the inferred model could differ between runs.
enum StableHash {
    /// Returns the FNV-1a hash of some bytes, with its bits mixed.
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        mixed(Fingerprint(bytes).value)
    }

    /// Returns the hash of a string's UTF-8.
    static func of(_ text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { of(UnsafeRawBufferPointer($0)) }
    }

    /// Returns the hash of a value as a key, or nil for a value that cannot be a key.
    ///
    /// `1`, `"1"` and `https://host/people/1/` have the same hash.
    static func ofKey(_ node: JSONNode) -> UInt64? {
        switch node.kind {
        case .number:
            return node.integer.map { of("\($0)") }
        case .string:
            guard !node.text.isEmpty, node.text.count <= keyLimit else { return nil }
            guard node.isComplex else { return ofKey(node.text) }
            var text = node.string
            return text.withUTF8 { ofKey(UnsafeRawBufferPointer($0)) }
        case .object, .array, .true, .false, .null:
            return nil
        }
    }

    /// The maximum length of a string that can be a key, in bytes.
    private static let keyLimit = 500

    private static func ofKey(_ text: UnsafeRawBufferPointer) -> UInt64 {
        of(ResourcePath.lastComponent(text) ?? text)
    }

    /// Distributes the entropy of some bits over all of them, with the finalizer of MurmurHash3.
    static func mixed(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ (value >> 33)) &* 0xff51_afd7_ed55_8ccd
        value = (value ^ (value >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        return value ^ (value >> 33)
    }
}
