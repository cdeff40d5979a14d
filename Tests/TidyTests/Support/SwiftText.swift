/// A Swift text, each byte of which is known to be code, comment or literal.
///
/// The rules look at one kind at a time: what a comment or a literal says is no call, and what code
/// calls is no prose.
struct SwiftText {
    enum Kind {
        case code
        /// What stands between back-ticks: an identifier, whatever it is made of.
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
        while scan.place < bytes.count {
            let start = scan.place
            let kind = scan.step()
            for index in start..<min(scan.place, bytes.count) { kinds[index] = kind }
        }
    }

    /// The text, with everything of other kinds blank; names between back-ticks become `x`.
    func only(_ wanted: Kind) -> [UInt8] {
        zip(bytes, kinds).map { byte, kind in
            if byte == UInt8(ascii: "\n") || kind == wanted { return byte }
            return kind == .name && wanted == .code ? UInt8(ascii: "x") : UInt8(ascii: " ")
        }
    }
}

/// Goes through a text, a few bytes of one kind at a time.
private struct Scan {
    let bytes: [UInt8]
    var place = 0
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
            place += 1
            _ = skip(to: "`", .name)
            place += 1
            return .name
        }
        if let literal = literalStart() {
            place += literal.hashes + literal.quotes
            modes.append(.literal(hashes: literal.hashes, quotes: literal.quotes))
            return .literal
        }
        count(parentheses)
        place += 1
        return .code
    }

    /// Notes a parenthesis; the one that ends an interpolation gives back to the literal around it.
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
        let marks = String(repeating: "#", count: hashes)
        if follows("\\\(marks)(") {
            place += 2 + hashes
            modes.append(.code(parentheses: 0))
        } else if follows("\\\(marks)") {
            place += 2 + hashes
        } else if follows("\(String(repeating: "\"", count: quotes))\(marks)") {
            place += quotes + hashes
            modes.removeLast()
        } else {
            if quotes == 1, follows("\n") { modes.removeLast() }
            place += 1
        }
        return .literal
    }

    private func literalStart() -> (hashes: Int, quotes: Int)? {
        var end = place
        while end < bytes.count, bytes[end] == UInt8(ascii: "#") { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return nil }
        // Three quotes open a literal of several lines only where their line ends behind them.
        let behind = bytes[end...].dropFirst(3).first { $0 != UInt8(ascii: " ") }
        let isLong = bytes[end...].starts(with: "\"\"\"".utf8) && behind == UInt8(ascii: "\n")
        return (end - place, isLong ? 3 : 1)
    }

    private mutating func skipBlockComment() -> SwiftText.Kind {
        var depth = 0
        repeat {
            if follows("/*") {
                depth += 1
                place += 2
            } else if follows("*/") {
                depth -= 1
                place += 2
            } else {
                place += 1
            }
        } while depth > 0 && place < bytes.count
        return .comment
    }

    private mutating func skip(to end: Character, _ kind: SwiftText.Kind) -> SwiftText.Kind {
        while place < bytes.count, !follows(String(end)) { place += 1 }
        return kind
    }

    private func follows(_ text: String) -> Bool {
        bytes[min(place, bytes.count)...].starts(with: text.utf8)
    }
}
