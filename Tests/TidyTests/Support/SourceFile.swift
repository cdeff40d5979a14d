/// A text file of the project, in the views that the rules look at.
struct SourceFile: Sendable {
    /// The path below the project's folder.
    let path: String

    /// The lines as they are.
    let lines: [String]

    /// The lines without comments and literals; the same as ``lines`` where the file is not Swift.
    let code: [String]

    /// What the comments say.
    let comments: [String]

    /// The columns of each line, those within literals left out.
    let columns: [Int]

    init(path: String, text: String) {
        self.path = path
        lines = Self.lines(Array(text.utf8))
        guard path.hasSuffix(".swift") else {
            (code, comments) = (lines, lines)
            columns = lines.map(\.count)
            return
        }
        let swift = SwiftText(text)
        code = Self.lines(swift.only(.code))
        comments = Self.lines(swift.only(.comment))
        var counts = [0]
        for (byte, kind) in zip(swift.bytes, swift.kinds) {
            if byte == UInt8(ascii: "\n") {
                counts.append(0)
            } else if kind != .literal, byte & 0xC0 != 0x80 {
                counts[counts.count - 1] += 1
            }
        }
        columns = Array(counts.prefix(lines.count))
    }

    /// The folders on the way to the file, and its name.
    var parts: [Substring] { path.split(separator: "/") }

    /// The file's name without its ending.
    var name: String { String((parts.last ?? "").prefix { $0 != "." }) }

    /// The target that the file belongs to; nil outside of `Sources` and `Tests`.
    var target: String? {
        parts.count > 2 && (parts[0] == "Sources" || parts[0] == "Tests") ? String(parts[1]) : nil
    }

    /// A finding at a line, counted from 0.
    func finding(_ line: Int, _ message: String) -> Finding {
        Finding(path: path, line: line + 1, message: message)
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}
