import TidemarkModel

/// The name of a file in an ``AssetFolder``: the digest of its content, and an extension.
///
/// Nothing else is ever a part of a path, whatever a service or a row contains.
struct AssetName: Hashable, Sendable {
    /// The scheme of URLs of files that the service does not have yet.
    static let scheme = "tidemark-asset"

    /// The SHA-256 digest in 64 lowercase hexadecimal digits.
    let digest: String

    /// The extension, by which apps recognize the type.
    let suffix: String

    var fileName: String { "\(digest).\(suffix)" }

    /// The value of an attribute until the file is uploaded.
    var reference: String { "\(Self.scheme):\(fileName)" }

    /// Creates the name of a file of a media type.
    init(digest: String, type: String?) {
        self.digest = digest
        suffix = MediaType.suffix(of: type)
    }

    /// Reads the value of an attribute; nil if it does not name a file of this device.
    init?(reference: String) {
        guard reference.hasPrefix("\(Self.scheme):") else { return nil }
        let parts = reference.dropFirst(Self.scheme.utf8.count + 1)
            .split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 2 * ContentHash.byteCount,
            parts[0].utf8.allSatisfy(Self.isDigit), MediaType.isSuffix(parts[1])
        else { return nil }
        digest = String(parts[0])
        suffix = String(parts[1])
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}

/// The extensions of files, and their media types.
enum MediaType {
    /// The type of a file of which nothing is known (RFC 2046, 4.5.1).
    static let unknown = "application/octet-stream"

    private static let unknownSuffix = "bin"

    private static let suffixes = [
        "application/json": "json", "application/pdf": "pdf", "application/zip": "zip",
        "audio/mp4": "m4a", "audio/mpeg": "mp3", "audio/wav": "wav", "image/avif": "avif",
        "image/gif": "gif", "image/heic": "heic", "image/jpeg": "jpg", "image/png": "png",
        "image/svg+xml": "svg", "image/tiff": "tiff", "image/webp": "webp", "text/csv": "csv",
        "text/html": "html", "text/plain": "txt", "video/mp4": "mp4", "video/quicktime": "mov",
    ]

    private static let types = Dictionary(
        suffixes.map { ($1, $0) } + [("jpeg", "image/jpeg"), ("htm", "text/html")],
        uniquingKeysWith: { first, _ in first }
    )

    /// Returns the extension of a type, which may have parameters; `bin` for an unknown one.
    static func suffix(of type: String?) -> String {
        let name = type.map { $0.prefix { $0 != ";" }.filter { $0 != " " }.lowercased() }
        return name.flatMap { suffixes[$0] } ?? unknownSuffix
    }

    /// Returns the type of an extension; nil for an unknown one.
    static func type(of suffix: String) -> String? { types[suffix.lowercased()] }

    /// Returns whether a text is the extension of a stored file.
    static func isSuffix(_ text: Substring) -> Bool {
        text == unknownSuffix || suffixes.values.contains(String(text))
    }
}
