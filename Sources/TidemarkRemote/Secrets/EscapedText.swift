/// A text that is searched for secrets, with the offset of each byte in the original text.
///
/// A service may repeat a secret percent-encoded, or escaped for HTML or JSON. Decoding the whole
/// text, once and twice, reduces all of these spellings to a plain comparison.
struct EscapedText {
    /// A kind of escape sequence.
    ///
    /// Each kind is decoded separately: an escape sequence of one kind may be a part of the secret
    /// in another, such as `%Aa` in JSON text.
    enum Escapes: CaseIterable {
        /// Percent-encoding, as in URLs.
        case percent
        /// HTML character references.
        case html
        /// Escape sequences of JSON strings.
        case json
    }

    private let bytes: [UInt8]

    /// The offset of each byte in the original text, followed by the offset of its end.
    private let offsets: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        offsets = Array(0...bytes.count)
    }

    private init(_ bytes: [UInt8], at offsets: [Int]) {
        self.bytes = bytes
        self.offsets = offsets
    }

    /// Returns the text with the escape sequences of one kind decoded.
    func decoding(_ escapes: Escapes) -> EscapedText {
        var (plain, origins): ([UInt8], [Int]) = ([], [])
        var index = 0
        while index < bytes.count {
            let unit = escape(escapes, at: index) ?? ([bytes[index]], 1)
            plain += unit.bytes
            origins += unit.bytes.map { _ in offsets[index] }
            index += unit.length
        }
        return EscapedText(plain, at: origins + [offsets[bytes.count]])
    }

    // MARK: Searching

    /// Returns the ranges of the original text that contain a secret exactly.
    func occurrences(of secret: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = 0
        while index + secret.count <= bytes.count {
            if bytes[index] == secret[0], bytes[index...].starts(with: secret) {
                found.append(offsets[index]..<offsets[index + secret.count])
                index += secret.count
            } else {
                index += 1
            }
        }
        return found
    }

    /// Returns the ranges of the original text that contain a secret, or its beginning, ignoring
    /// case.
    ///
    /// - Parameters:
    ///   - secret: The secret.
    ///   - least: The number of leading bytes of the secret that count as a match, because a
    ///     service may truncate what it repeats.
    ///   - isCut: Whether the text was truncated. Its end then counts as a match if it may be the
    ///     beginning of the secret.
    /// - Returns: The ranges in the original text.
    func matches(of secret: [UInt8], least: Int, isCut: Bool) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = 0
        while index < bytes.count {
            let count = agreement(with: secret, at: index)
            let isWhole = count == secret.count
            let isAtEnd = isCut && count > 0 && index + count == bytes.count
            if isWhole || count >= least || isAtEnd {
                found.append(offsets[index]..<offsets[index + count])
                index += count
            } else {
                index += 1
            }
        }
        return found
    }

    /// Returns the number of leading bytes of a secret that are found at an index.
    private func agreement(with secret: [UInt8], at index: Int) -> Int {
        var count = 0
        while count < secret.count, index + count < bytes.count,
            Self.matches(secret[count], bytes[index + count])
        {
            count += 1
        }
        return count
    }

    /// Returns whether a byte of a secret may be repeated as another one: in the other case, or as
    /// a plus sign for a space, as in form encoding.
    private static func matches(_ secret: UInt8, _ byte: UInt8) -> Bool {
        func lowered(_ byte: UInt8) -> UInt8 {
            (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
        }
        return lowered(byte) == lowered(secret)
            || secret == UInt8(ascii: " ") && byte == UInt8(ascii: "+")
    }

    // MARK: Escapes

    private typealias Unit = (bytes: [UInt8], length: Int)

    private func escape(_ escapes: Escapes, at index: Int) -> Unit? {
        switch (bytes[index], escapes) {
        case (UInt8(ascii: "%"), .percent):
            return number(index + 1, digits: 2, radix: 16).map { ([UInt8($0)], 3) }
        case (UInt8(ascii: "&"), .html): return reference(at: index)
        case (UInt8(ascii: "\\"), .json): return reversedSolidus(at: index)
        default: return nil
        }
    }

    private func number(_ start: Int, digits: Int, radix: Int) -> UInt32? {
        guard start + digits <= bytes.count else { return nil }
        let text = bytes[start..<start + digits]
        let isPlain = text.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
        return isPlain ? UInt32(String(decoding: text, as: UTF8.self), radix: radix) : nil
    }

    /// Decodes an HTML character reference: `&amp;`, `&#38;`, `&#x26;`.
    private func reference(at index: Int) -> Unit? {
        let rest = bytes[(index + 1)...].prefix(Self.longestReference)
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")), end > index + 1 else { return nil }
        let length = end + 1 - index
        if let named = Self.references[String(decoding: bytes[index + 1..<end], as: UTF8.self)] {
            return ([named], length)
        }
        guard bytes[index + 1] == UInt8(ascii: "#") else { return nil }
        let isHex = end > index + 2 && bytes[index + 2] | 0x20 == UInt8(ascii: "x")
        let start = index + (isHex ? 3 : 2)
        guard start < end,
            let scalar = number(start, digits: end - start, radix: isHex ? 16 : 10)
                .flatMap(UnicodeScalar.init)
        else { return nil }
        return (Array(String(scalar).utf8), length)
    }

    private static let longestReference = 10
    private static let references: [String: UInt8] = [
        "amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27,
    ]

    /// Decodes a JSON escape sequence: `\"`, `\n`, `\u0026`, or two of the latter for a surrogate
    /// pair.
    private func reversedSolidus(at index: Int) -> Unit? {
        guard index + 1 < bytes.count else { return nil }
        if let plain = Self.solidi[bytes[index + 1]] { return ([plain], 2) }
        guard let first = codeUnit(at: index) else { return nil }
        if let scalar = UnicodeScalar(first) { return (Array(String(scalar).utf8), 6) }
        guard let second = codeUnit(at: index + 6) else { return nil }
        let pair = String(decoding: [UInt16(first), UInt16(second)], as: UTF16.self)
        return (Array(pair.utf8), 12)
    }

    private func codeUnit(at index: Int) -> UInt32? {
        guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        else { return nil }
        return number(index + 2, digits: 4, radix: 16)
    }

    private static let solidi: [UInt8: UInt8] = [
        UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F,
        UInt8(ascii: "'"): 0x27, UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C,
        UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]
}
