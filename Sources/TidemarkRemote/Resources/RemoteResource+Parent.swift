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
                filled.path += value.utf8.percentEncoded
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
        // By bytes, which is several times as fast as by characters.
        while let start = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
            let end = rest[start...].utf8.firstIndex(of: UInt8(ascii: "}"))
        {
            pieces.append(.text(rest[..<start]))
            pieces.append(.key(rest[rest.index(after: start)..<end]))
            rest = rest[rest.index(after: end)...]
        }
        return pieces + [.text(rest)]
    }
}
