/// A path with the names of values in braces, such as `posts/{post}/comments`.
struct PathTemplate {
    private var pieces: [Piece]

    private enum Piece {
        case text(Substring)
        /// The text between braces.
        case name(Substring)
    }

    init(_ path: Substring) {
        pieces = []
        append(path)
    }

    /// Appends a path, whose names are replaced as well.
    mutating func append(_ path: Substring) {
        var rest = path
        // By bytes, which is several times as fast as by characters.
        while let start = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
            let end = rest[start...].utf8.firstIndex(of: UInt8(ascii: "}"))
        {
            pieces.append(.text(rest[..<start]))
            pieces.append(.name(rest[rest.index(after: start)..<end]))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { pieces.append(.text(rest)) }
    }

    /// Appends a segment with a value.
    mutating func append(segmentNamed name: String) {
        pieces += [.text("/"), .name(name[...])]
    }

    /// The names, in order.
    var names: [Substring] {
        pieces.compactMap { if case .name(let name) = $0 { name } else { nil } }
    }

    /// Whether the path has a query.
    var hasQuery: Bool {
        pieces.contains { piece in
            if case .text(let text) = piece { text.utf8.contains(UInt8(ascii: "?")) } else { false }
        }
    }

    /// Returns the path with values instead of their names, each percent-encoded as one segment.
    ///
    /// - Parameter value: Returns the value with a name; nil without one.
    /// - Returns: The path; nil if a value is missing or cannot be a segment. An empty one, `.` and
    ///   `..` would lead elsewhere.
    func filled(with value: (Substring) -> String?) -> String? {
        var path = ""
        for piece in pieces {
            switch piece {
            case .text(let text): path += text
            case .name(let name):
                guard let value = value(name), !["", ".", ".."].contains(value) else { return nil }
                path += value.utf8.percentEncoded
            }
        }
        return path
    }
}
