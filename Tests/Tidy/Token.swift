/// A word or a punctuation character of code.
struct Token: Sendable {
    let text: String

    /// The line, counted from 0.
    let line: Int

    var isWord: Bool { text.utf8.first.map(Token.isWord) ?? false }

    /// Returns the tokens of a text without comments and literals; an arrow is one token.
    static func all(in code: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        var (position, line) = (0, 0)
        while position < code.count {
            let start = position
            position += 1
            switch code[start] {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: " "): break
            case let byte:
                if isWord(byte) {
                    while position < code.count, isWord(code[position]) { position += 1 }
                } else if code[start...].starts(with: "->".utf8) {
                    position += 1
                }
                let text = String(decoding: code[start..<position], as: UTF8.self)
                tokens.append(Token(text: text, line: line))
            }
        }
        return tokens
    }

    static func isWord(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte >= 0x80 || (0x30...0x39).contains(byte)
            || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
