/// A Swift text, in which each byte is classified as code, name, comment or literal.
///
/// Rules examine selected kinds only: text in a comment or a literal is not a call, and code is not
/// prose.
struct SwiftText {
    enum Kind {
        case code
        /// An identifier between backticks, which may contain any characters.
        case name
        case comment
        case literal
    }

    /// Bytes of one kind that follow each other.
    private struct Run {
        let kind: Kind
        var range: Range<Int>
    }

    private let bytes: [UInt8]

    /// The whole text; neighbours have different kinds.
    private var runs: [Run] = []

    init(_ text: String) {
        bytes = Array(text.utf8)
        var scan = Scan(bytes: bytes)
        while scan.position < bytes.count {
            let start = scan.position
            let kind = scan.step()
            let end = min(scan.position, bytes.count)
            if let last = runs.last, last.kind == kind {
                runs[runs.count - 1].range = last.range.lowerBound..<end
            } else {
                runs.append(Run(kind: kind, range: start..<end))
            }
        }
    }

    /// Returns the text with all bytes of other kinds replaced by spaces.
    ///
    /// If only code is wanted, names between backticks are replaced by `x`, so that a declaration
    /// still has a name.
    func only(_ wanted: Kind...) -> [UInt8] {
        replacing { kind in
            if wanted.contains(kind) { return nil }
            return kind == .name && wanted == [.code] ? "x" : " "
        }
    }

    /// The text without the bytes of literals, but with their line breaks.
    var withoutLiterals: [UInt8] {
        replacing { $0 == .literal ? "" : nil }
    }

    /// Returns the text with each byte of a kind replaced by a text, unless it is nil; line breaks
    /// are kept.
    private func replacing(_ replacement: (Kind) -> String?) -> [UInt8] {
        // Whole runs are copied, because the tests are built without optimization: the rules read
        // every file of the project.
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for run in runs {
            guard let other = replacement(run.kind) else {
                result += bytes[run.range]
                continue
            }
            let lines = bytes[run.range]
                .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            for (number, line) in lines.enumerated() {
                if number > 0 { result.append(UInt8(ascii: "\n")) }
                result += String(repeating: other, count: line.count).utf8
            }
        }
        return result
    }
}

/// A scanner that advances through a text by a few bytes of one kind at a time.
private struct Scan {
    let bytes: [UInt8]
    var position = 0
    private var modes: [Mode] = [.code(parentheses: 0)]

    private enum Mode {
        case code(parentheses: Int)
        case literal(hashes: Int, quotes: Int)
    }

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func step() -> SwiftText.Kind {
        let start = position
        switch modes[modes.count - 1] {
        case .code(let parentheses):
            advance(to: Self.inCode)
            return position > start ? .code : stepInCode(parentheses)
        case .literal(let hashes, let quotes):
            advance(to: Self.inLiteral)
            return position > start ? .literal : stepInLiteral(hashes, quotes)
        }
    }

    // Tables, because most bytes are compared with nothing else, in a build without optimization.
    private static let inCode = marks("/`\"#()")
    private static let inLiteral = marks("\\\"\n")
    private static let lineBreak = marks("\n")
    private static let backtick = marks("`")

    private static func marks(_ text: String) -> [Bool] {
        let bytes = Set(text.utf8)
        return (UInt8.min...UInt8.max).map(bytes.contains)
    }

    /// Advances to the next byte that a table contains, or to the end.
    private mutating func advance(to marks: [Bool]) {
        while position < bytes.count, !marks[Int(bytes[position])] { position += 1 }
    }

    private mutating func stepInCode(_ parentheses: Int) -> SwiftText.Kind {
        if follows("//") {
            advance(to: Self.lineBreak)
            return .comment
        }
        if follows("/*") { return skipBlockComment() }
        if follows("`") {
            position += 1
            advance(to: Self.backtick)
            position += 1
            return .name
        }
        if let literal = literalStart() {
            position += literal.hashes + literal.quotes
            modes.append(.literal(hashes: literal.hashes, quotes: literal.quotes))
            return .literal
        }
        if follows(")"), parentheses == 0, modes.count > 1 {
            // It ends an interpolation, whose opening parenthesis is part of the literal, too.
            position += 1
            modes.removeLast()
            return .literal
        }
        let change = follows("(") ? 1 : follows(")") ? -1 : 0
        modes[modes.count - 1] = .code(parentheses: parentheses + change)
        position += 1
        return .code
    }

    private mutating func stepInLiteral(_ hashes: Int, _ quotes: Int) -> SwiftText.Kind {
        let marks = String(repeating: "#", count: hashes)
        if follows("\\\(marks)(") {
            position += 2 + hashes
            modes.append(.code(parentheses: 0))
        } else if follows("\\\(marks)") {
            position += 2 + hashes
        } else if follows("\(String(repeating: "\"", count: quotes))\(marks)") {
            position += quotes + hashes
            modes.removeLast()
        } else {
            if quotes == 1, follows("\n") { modes.removeLast() }
            position += 1
        }
        return .literal
    }

    private func literalStart() -> (hashes: Int, quotes: Int)? {
        var end = position
        while end < bytes.count, bytes[end] == UInt8(ascii: "#") { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return nil }
        // Three quotation marks open a multi-line literal only if a line break follows them.
        let next = bytes[end...].dropFirst(3).first { $0 != UInt8(ascii: " ") }
        let isLong = bytes[end...].starts(with: "\"\"\"".utf8) && next == UInt8(ascii: "\n")
        return (end - position, isLong ? 3 : 1)
    }

    private mutating func skipBlockComment() -> SwiftText.Kind {
        var depth = 0
        repeat {
            if follows("/*") {
                depth += 1
                position += 2
            } else if follows("*/") {
                depth -= 1
                position += 2
            } else {
                position += 1
            }
        } while depth > 0 && position < bytes.count
        return .comment
    }

    private func follows(_ text: String) -> Bool {
        bytes[min(position, bytes.count)...].starts(with: text.utf8)
    }
}
