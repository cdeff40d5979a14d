import TidemarkJSON

/// Texts as services store them.
extension String {
    /// Returns whether a service may show this text after another one was sent: they differ in
    /// nothing but what services change when they store a text.
    ///
    /// That is the space around it, the ends of its lines, the Unicode normalization, and
    /// characters of HTML that are escaped, or not any more.
    ///
    /// ```
    /// "a &amp; b".isStoredForm(of: " a & b")    // true
    /// ```
    package func isStoredForm(of sent: String) -> Bool {
        // Swift compares texts by canonical equivalence: NFC and NFD are equal.
        let (own, other) = (trimmedLines, sent.trimmedLines)
        if own == other { return true }
        // Each side is decoded at most once: what was escaped twice is another text.
        let decoded = decodingCharacterReferences.trimmedLines
        let decodedOther = sent.decodingCharacterReferences.trimmedLines
        return decoded == other || own == decodedOther || decoded == decodedOther
    }

    /// Returns whether two JSON texts have the same value, whatever the order of members and the
    /// spelling of numbers.
    func hasSameJSON(as other: String) -> Bool {
        // Within the limits of the import that has stored them.
        var limits = JSONLimits()
        limits.depth = .max
        guard let one = try? JSONDocument(Array(utf8), limits: limits),
            let other = try? JSONDocument(Array(other.utf8), limits: limits)
        else { return false }
        return one.withRoot { one in other.withRoot { one.hasSameValue(as: $0) } }
    }

    /// The text without the space around it, and with one kind of line ends.
    private var trimmedLines: Substring {
        let text = replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        let begun = text.drop(while: \.isWhitespace)
        let end = begun.lastIndex { !$0.isWhitespace }.map(begun.index(after:))
        return begun[..<(end ?? begun.startIndex)]
    }

    /// The text with the characters that character references of HTML mean.
    ///
    /// Source: HTML, 13.5 “Named character references”: of the names, those that functions for
    /// escaping write.
    private var decodingCharacterReferences: String {
        var (rest, text) = (self[...], "")
        while let start = rest.firstIndex(of: "&") {
            text += rest[..<start]
            rest = rest[start...]
            let name = rest.dropFirst().prefix(Self.longestReference).prefix { $0 != ";" }
            guard name.endIndex < rest.endIndex, rest[name.endIndex] == ";",
                let character = Self.character(named: name)
            else {
                text += rest.prefix(1)
                rest = rest.dropFirst()
                continue
            }
            text.unicodeScalars.append(character)
            rest = rest[rest.index(after: name.endIndex)...]
        }
        return text + rest
    }

    /// The length of `#x0010FFFF`.
    private static let longestReference = 10

    private static func character(named name: Substring) -> Unicode.Scalar? {
        if let scalar = characters[String(name)] { return scalar }
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let number = digits.dropFirst(isHexadecimal ? 1 : 0)
        // A sign would be accepted, too.
        guard number.first?.isHexDigit == true else { return nil }
        return UInt32(number, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
    }

    private static let characters: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    ]
}

extension JSONNode {
    /// Returns whether two values are equal: numbers by value, objects in any order of members.
    ///
    /// Of repeated members the last counts.
    fileprivate func hasSameValue(as other: JSONNode) -> Bool {
        // Without recursion: documents may be nested deeper than a stack permits.
        var pairs = [(self, other)]
        while let (one, other) = pairs.popLast() {
            guard one.kind == other.kind else { return false }
            switch one.kind {
            case .null, .true, .false: break
            case .string where one.string == other.string: break
            case .number where one.isSameNumber(as: other): break
            case .string, .number: return false
            case .array:
                let (own, others) = (Array(one.elements), Array(other.elements))
                guard own.count == others.count else { return false }
                pairs += zip(own, others)
            case .object:
                let (own, others) = (one.memberValues, other.memberValues)
                guard own.count == others.count else { return false }
                for (name, value) in own {
                    guard let counterpart = others[name] else { return false }
                    pairs.append((value, counterpart))
                }
            }
        }
        return true
    }

    private var memberValues: [String: JSONNode] {
        Dictionary(members.map { ($0.0.string, $0.1) }, uniquingKeysWith: { _, last in last })
    }

    private func isSameNumber(as other: JSONNode) -> Bool {
        let (own, other) = (
            String(decoding: text, as: UTF8.self), String(decoding: other.text, as: UTF8.self)
        )
        guard own != other else { return true }
        guard let one = DecimalNumber(own), let another = DecimalNumber(other) else { return false }
        return one.isSame(as: another)
    }
}
