/// The division of an identifier into words: `userIDFirst` consists of `user`, `ID` and `First`.
///
/// Only ASCII is recognized; any other byte is treated as a lowercase letter.
package enum NamingWords {
    /// Returns whether the byte separates words.
    static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: " ")
    }

    static func isUpper(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    static func isLower(_ byte: UInt8) -> Bool {
        !isUpper(byte) && !isDigit(byte) && !isSeparator(byte)
    }

    static func lowered(_ byte: UInt8) -> UInt8 { isUpper(byte) ? byte | 0x20 : byte }

    /// Returns the words of an identifier, in their original spelling.
    ///
    /// The acronyms are given in lower case. A run of capitals that consists of several acronyms is
    /// split.
    package static func split(_ text: String, acronyms: Set<String> = []) -> [String] {
        let bytes = Array(text.utf8)
        var words: [String] = []
        var start = 0
        for end in 1...max(1, bytes.count)
        where end >= bytes.count || isSeparator(bytes[end]) || isBoundary(end, in: bytes) {
            while start < min(end, bytes.count), isSeparator(bytes[start]) { start += 1 }
            if start < min(end, bytes.count) {
                let word = String(decoding: bytes[start..<end], as: UTF8.self)
                words += acronymRun(word, of: acronyms) ?? [word]
            }
            start = end
        }
        return words
    }

    /// Returns whether a new word begins at the index without a separator before it.
    private static func isBoundary(_ index: Int, in bytes: [UInt8]) -> Bool {
        guard index > 0, isUpper(bytes[index]), !isSeparator(bytes[index - 1]) else { return false }
        guard isUpper(bytes[index - 1]) else { return true }
        guard index + 1 < bytes.count, isLower(bytes[index + 1]) else { return false }
        return !endsPluralRun(index, in: bytes)
    }

    /// Returns whether the capital at the index ends a run that is followed only by the `s` of a
    /// plural (`IDs`).
    private static func endsPluralRun(_ index: Int, in bytes: [UInt8]) -> Bool {
        guard bytes[index + 1] == UInt8(ascii: "s") else { return false }
        return index + 2 == bytes.count || !isLower(bytes[index + 2])
    }

    /// Returns the acronyms in a run of capitals, or nil if it does not consist of several
    /// acronyms.
    private static func acronymRun(_ word: String, of acronyms: Set<String>) -> [String]? {
        guard word.utf8.count > 3, word.utf8.allSatisfy(isUpper) else { return nil }
        if acronyms.contains(word.lowercased()) { return nil }
        for length in 1..<word.utf8.count {
            let head = String(word.prefix(length))
            guard acronyms.contains(head.lowercased()) else { continue }
            let tail = String(word.dropFirst(length))
            if acronyms.contains(tail.lowercased()) { return [head, tail] }
            if let rest = acronymRun(tail, of: acronyms) { return [head] + rest }
        }
        return nil
    }
}
