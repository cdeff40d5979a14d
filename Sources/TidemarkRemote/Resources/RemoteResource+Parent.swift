/// Resources with a parent in their path: one list for each row of the parent's entity.
extension RemoteResource {
    /// The key paths in braces in the path, in its order: `[["post"]]` for `posts/{post}/comments`.
    ///
    /// Each begins with the name of a to-one relationship of ``entity``.
    package var parentKeys: [[String]] {
        pieces.compactMap { piece in
            guard case .key(let names) = piece else { return nil }
            return names.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// Whether there is one list for each row of a parent.
    package var hasParent: Bool { !parentKeys.isEmpty }

    /// The resource of one parent: its path has the values in place of the braces, each
    /// percent-encoded as one segment.
    ///
    /// - Parameter values: The values, in the order of ``parentKeys``.
    /// - Returns: The resource; nil where a value cannot be a segment of a path. An empty one, `.`
    ///   and `..` would lead to another list.
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
        /// What is between braces.
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

    /// A value in which everything but the unreserved characters is percent-encoded.
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
