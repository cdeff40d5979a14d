import TidemarkModel

/// A file of a fake service.
package struct FakeFile: Hashable, Sendable {
    /// The content.
    package var bytes: [UInt8]

    /// The media type.
    package var type: String

    /// The strong entity tag.
    var entityTag: String {
        var hash = ContentHash()
        hash.update(bytes)
        return "\"\(hash.hexadecimal.prefix(16))\""
    }
}
