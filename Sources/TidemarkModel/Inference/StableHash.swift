/// Hashes that are the same in every run, unlike the standard library's: what is sampled by them,
/// and so what is inferred, does not depend on chance.
enum StableHash {
    /// The hash of some bytes: FNV-1a, its bits mixed.
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        mixed(Fingerprint(bytes).value)
    }

    /// The hash of a text in UTF-8.
    static func of(_ text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { of(UnsafeRawBufferPointer($0)) }
    }

    /// The hash that a value has as a key: `1`, `"1"` and `https://host/people/1/` have the same.
    ///
    /// Nil for what cannot be a key.
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

    /// How many bytes a text may have to be a key.
    private static let keyLimit = 500

    private static func ofKey(_ text: UnsafeRawBufferPointer) -> UInt64 {
        of(ResourcePath.lastComponent(text) ?? text)
    }

    /// Spreads what is in some bits over all of them: the finalizer of MurmurHash3.
    static func mixed(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ (value >> 33)) &* 0xff51_afd7_ed55_8ccd
        value = (value ^ (value >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        return value ^ (value >> 33)
    }
}
