/// Functions that find words and calls in a line, as whole tokens.
enum Words {
    /// Returns whether a line contains a text that is neither part of a longer word nor a member
    /// after a dot.
    static func has(_ text: String, in line: String) -> Bool {
        occurrences(of: text, in: line).contains { occurrence in
            guard let before = occurrence.before else { return true }
            return before != UInt8(ascii: ".")
        }
    }

    /// Returns whether a line contains a whole word, regardless of case.
    static func containsWord(_ word: String, in line: String) -> Bool {
        !occurrences(of: word.lowercased(), in: line.lowercased()).isEmpty
    }

    /// Returns the words of a line that begin with a prefix.
    static func beginning(with prefix: String, in line: String) -> [Substring] {
        line.split { !isWord($0) }.filter { $0.hasPrefix(prefix) }
    }

    private static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    private static func occurrences(
        of text: String,
        in line: String
    ) -> [(before: UInt8?, after: UInt8?)] {
        guard line.contains(text) else { return [] }
        let (text, line) = (Array(text.utf8), Array(line.utf8))
        guard let first = text.first, let last = text.last else { return [] }
        return (0...(line.count - text.count)).compactMap { start in
            let end = start + text.count
            guard line[start] == first, line[start..<end].elementsEqual(text) else { return nil }
            let before = start > 0 ? line[start - 1] : nil
            let after = end < line.count ? line[end] : nil
            if isWord(first), let before, isWord(before) { return nil }
            if isWord(last), let after, isWord(after) { return nil }
            return (before, after)
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte >= 0x80 || (0x30...0x39).contains(byte)
            || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
