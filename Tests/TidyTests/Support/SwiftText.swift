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

    let bytes: [UInt8]
    private(set) var kinds: [Kind]

    init(_ text: String) {
        bytes = Array(text.utf8)
        kinds = Array(repeating: .code, count: bytes.count)
        var scan = Scan(bytes: bytes)
        while scan.offset < bytes.count {
            let start = scan.offset
            let kind = scan.step()
            for index in start..<min(scan.offset, bytes.count) { kinds[index] = kind }
        }
    }

    /// Returns the text with all bytes of other kinds replaced by spaces.
    ///
    /// If only code is wanted, names between backticks are replaced by `x`, so that a declaration
    /// still has a name.
    func only(_ wanted: Kind...) -> [UInt8] {
        zip(bytes, kinds).map { byte, kind in
            if byte == UInt8(ascii: "\n") || wanted.contains(kind) { return byte }
            return kind == .name && wanted == [.code] ? UInt8(ascii: "x") : UInt8(ascii: " ")
        }
    }
}

/// A scanner that advances through a text by a few bytes of one kind at a time.
private struct Scan {
    let bytes: [UInt8]
    var offset = 0
    private var modes: [Mode] = [.code(parentheses: 0)]

    private enum Mode {
        case code(parentheses: Int)
        case literal(hashes: Int, quotes: Int)
    }

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func step() -> SwiftText.Kind {
        switch modes[modes.count - 1] {
        case .code(let parentheses): stepInCode(parentheses)
        case .literal(let hashes, let quotes): stepInLiteral(hashes, quotes)
        }
    }

    private mutating func stepInCode(_ parentheses: Int) -> SwiftText.Kind {
        if follows("//") { return skip(to: "\n", .comment) }
        if follows("/*") { return skipBlockComment() }
        if follows("`") {
            offset += 1
            _ = skip(to: "`", .name)
            offset += 1
            return .name
        }
        if let literal = literalStart() {
            offset += literal.hashes + literal.quotes
            modes.append(.literal(hashes: literal.hashes, quotes: literal.quotes))
            return .literal
        }
        count(parentheses)
        offset += 1
        return .code
    }

    /// Tracks a parenthesis; the one that ends an interpolation returns to the enclosing literal.
    private mutating func count(_ parentheses: Int) {
        if follows("(") {
            modes[modes.count - 1] = .code(parentheses: parentheses + 1)
        } else if follows(")") {
            if parentheses == 0, modes.count > 1 {
                modes.removeLast()
            } else {
                modes[modes.count - 1] = .code(parentheses: parentheses - 1)
            }
        }
    }

    private mutating func stepInLiteral(_ hashes: Int, _ quotes: Int) -> SwiftText.Kind {
        let hashMarks = String(repeating: "#", count: hashes)
        if follows("\\\(hashMarks)(") {
            offset += 2 + hashes
            modes.append(.code(parentheses: 0))
        } else if follows("\\\(hashMarks)") {
            offset += 2 + hashes
        } else if follows("\(String(repeating: "\"", count: quotes))\(hashMarks)") {
            offset += quotes + hashes
            modes.removeLast()
        } else {
            if quotes == 1, follows("\n") { modes.removeLast() }
            offset += 1
        }
        return .literal
    }

    private func literalStart() -> (hashes: Int, quotes: Int)? {
        var end = offset
        while end < bytes.count, bytes[end] == UInt8(ascii: "#") { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return nil }
        // Three quotation marks open a multi-line literal only if a line break follows them.
        let following = bytes[end...].dropFirst(3).first { $0 != UInt8(ascii: " ") }
        let isLong = bytes[end...].starts(with: "\"\"\"".utf8) && following == UInt8(ascii: "\n")
        return (end - offset, isLong ? 3 : 1)
    }

    private mutating func skipBlockComment() -> SwiftText.Kind {
        var depth = 0
        repeat {
            if follows("/*") {
                depth += 1
                offset += 2
            } else if follows("*/") {
                depth -= 1
                offset += 2
            } else {
                offset += 1
            }
        } while depth > 0 && offset < bytes.count
        return .comment
    }

    private mutating func skip(to end: Character, _ kind: SwiftText.Kind) -> SwiftText.Kind {
        while offset < bytes.count, !follows(String(end)) { offset += 1 }
        return kind
    }

    private func follows(_ text: String) -> Bool {
        bytes[min(offset, bytes.count)...].starts(with: text.utf8)
    }
}
