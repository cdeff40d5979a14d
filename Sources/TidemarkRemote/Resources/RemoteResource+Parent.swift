/// Resources with a parent in their path, which have a list for each row of the parent's entity.
extension RemoteResource {
    /// The key paths in braces in the path, in order: `[["post"]]` for `posts/{post}/comments`.
    ///
    /// Each starts with the name of a to-one relationship of ``entity``.
    package var parentKeys: [[String]] {
        pieces.compactMap { piece in
            guard case .key(let names) = piece else { return nil }
            return names.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// Whether the resource has a list for each row of a parent.
    package var hasParent: Bool { !parentKeys.isEmpty }

    /// Returns the resource of one parent: each key path in braces is replaced by a value,
    /// percent-encoded as one path segment.
    ///
    /// - Parameter values: The values, in the order of ``parentKeys``.
    /// - Returns: The resource; nil if a value cannot be a path segment. An empty one, `.` and `..`
    ///   would lead to another list.
    package func filled(with values: [String]) -> RemoteResource? {
        var rest = values[...]
        var filled = self
        filled.path = ""
        for piece in pieces {
            switch piece {
            case .text(let text): filled.path += text
            case .key:
                guard let value = rest.popFirst(), !["", ".", ".."].contains(value) else {
                    return nil
                }
                filled.path += Self.segment(value)
            }
        }
        return filled
    }

    /// A part of a path.
    private enum Piece {
        case text(Substring)
        /// The text between braces.
        case key(Substring)
    }

    private var pieces: [Piece] {
        var pieces: [Piece] = []
        var rest = path[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            pieces.append(.text(rest[..<start]))
            pieces.append(.key(rest[rest.index(after: start)..<end]))
            rest = rest[rest.index(after: end)...]
        }
        return pieces + [.text(rest)]
    }

    /// Percent-encodes all characters but the unreserved ones.
    ///
    /// Source: RFC 3986, 2.3.
    private static func segment(_ value: String) -> String {
        var text = ""
        for byte in value.utf8 {
            let isUnreserved =
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                    UInt8(ascii: "_"), UInt8(ascii: "~"):
                    true
                default: false
                }
            if isUnreserved {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
            }
        }
        return text
    }
}
