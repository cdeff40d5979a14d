/// A function, initializer, deinitializer or subscript with a body, and its number of lines.
struct FunctionBody {
    let line: Int
    let lineCount: Int

    /// Returns the functions of a file, including nested ones.
    static func all(in file: SourceFile) -> [FunctionBody] {
        let code = Array(file.code.joined(separator: "\n").utf8)
        var found: [FunctionBody] = []
        var line = 0
        for offset in code.indices {
            if code[offset] == UInt8(ascii: "\n") { line += 1 }
            guard let word = word(at: offset, in: code), keywords.contains(word),
                offset == 0 || code[offset - 1] != UInt8(ascii: "."),
                let start = bodyStart(after: offset + word.utf8.count, in: code),
                let end = bodyEnd(from: start, in: code)
            else { continue }
            let breaks = code[offset...end].count { $0 == UInt8(ascii: "\n") }
            found.append(FunctionBody(line: line, lineCount: breaks + 1))
        }
        return found
    }

    private static let keywords = ["func", "init", "deinit", "subscript"]

    /// The keywords that begin another declaration, so that a function before them has no body.
    private static let others = keywords + ["var", "let", "case", "static", "associatedtype"]

    private static func word(at offset: Int, in code: [UInt8]) -> String? {
        guard isLetter(code[offset]), offset == 0 || !isLetter(code[offset - 1]) else { return nil }
        return String(decoding: code[offset...].prefix { isLetter($0) }, as: UTF8.self)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || byte == UInt8(ascii: "_")
            || (0x30...0x39).contains(byte)
    }

    private static func bodyStart(after start: Int, in code: [UInt8]) -> Int? {
        var depth = 0
        for offset in start..<max(start, code.count) {
            switch code[offset] {
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "{") where depth == 0: return offset
            case UInt8(ascii: "}") where depth == 0: return nil
            default:
                if depth == 0, let word = word(at: offset, in: code), others.contains(word) {
                    return nil
                }
            }
            if depth < 0 { return nil }
        }
        return nil
    }

    private static func bodyEnd(from start: Int, in code: [UInt8]) -> Int? {
        var depth = 0
        for offset in start..<code.count {
            if code[offset] == UInt8(ascii: "{") { depth += 1 }
            if code[offset] == UInt8(ascii: "}") { depth -= 1 }
            if depth == 0 { return offset }
        }
        return nil
    }
}
