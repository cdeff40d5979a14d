/// A text file of the project, in the views that rules examine.
struct SourceFile: Sendable {
    /// The path relative to the project's folder.
    let path: String

    /// The unchanged lines.
    let lines: [String]

    /// The lines without comments and literals; equal to ``lines`` if the file is not Swift.
    let code: [String]

    /// The text of the comments; equal to ``lines`` if the file is not Swift.
    let comments: [String]

    /// The text of comments, literals and names between backticks, which are sentences in tests;
    /// the lines without inline code if the file is not Swift.
    let prose: [String]

    /// The declarations; none if the file is not Swift.
    let outline: Outline

    /// The number of columns of each line, except for those within literals.
    let columns: [Int]

    init(path: String, text: String) {
        self.path = path
        lines = Self.lines(Array(text.utf8))
        guard path.hasSuffix(".swift") else {
            (code, comments) = (lines, lines)
            // In Python, `is` compares with None.
            prose = lines.map { $0.replacing(/`[^`]*`|is[ ]None/, with: "") }
            columns = lines.map(\.count)
            outline = Outline([])
            return
        }
        let swift = SwiftText(text)
        let bytes = swift.only(.code)
        code = Self.lines(bytes)
        outline = Outline(bytes)
        comments = Self.lines(swift.only(.comment))
        prose = Self.lines(swift.only(.comment, .literal, .name))
        columns = Self.lines(swift.withoutLiterals).map(\.unicodeScalars.count)
    }

    /// The components of the path.
    var parts: [Substring] { path.split(separator: "/") }

    /// The file's name without its extension.
    var name: String { String((parts.last ?? "").prefix { $0 != "." }) }

    /// The target that the file belongs to; nil outside of `Sources` and `Tests`.
    var target: String? {
        parts.count > 2 && (parts[0] == "Sources" || parts[0] == "Tests") ? String(parts[1]) : nil
    }

    /// Returns a finding at a line, counted from 0.
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
