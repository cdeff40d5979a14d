/// Splits the text of a predicate into tokens.
///
/// The unit is the Unicode scalar, not the character: a quote ends a text even if a combining mark
/// follows it.
struct PredicateLexer {
    private let text: [Unicode.Scalar]
    private var offset = 0

    private static let pairs: Set<String> = ["&&", "||", "==", "!=", "<>", "<=", "=<", ">=", "=>"]
    private static let signs = Set("<>=!(){}[],.-+*/".unicodeScalars)

    init(_ text: String) {
        self.text = Array(text.unicodeScalars)
    }

    /// Returns all tokens.
    ///
    /// The last one is ``PredicateToken/Kind/end``.
    static func tokens(of text: String) throws(PredicateFault) -> [PredicateToken] {
        var lexer = PredicateLexer(text)
        var tokens: [PredicateToken] = []
        repeat {
            tokens.append(try lexer.next())
        } while tokens.last?.kind != .end
        return tokens
    }

    /// Returns whether a text is a number in the syntax of predicates, with an optional minus sign.
    static func isNumber(_ text: String) -> Bool {
        var lexer = PredicateLexer(text)
        if lexer.scalar == "-" { lexer.offset += 1 }
        return lexer.readNumber() && lexer.offset == lexer.text.count
    }

    /// Returns whether a text is a name in the syntax of predicates.
    static func isName(_ text: Substring) -> Bool {
        let scalars = text.unicodeScalars
        return scalars.first.map(isLetter) == true
            && scalars.allSatisfy { isLetter($0) || isDigit($0) }
    }

    private var scalar: Unicode.Scalar? { peek(0) }

    private var location: TextLocation { TextLocation(offset: offset) }

    private func peek(_ distance: Int) -> Unicode.Scalar? {
        offset + distance < text.count ? text[offset + distance] : nil
    }

    private mutating func next() throws(PredicateFault) -> PredicateToken {
        while let scalar, scalar.properties.isWhitespace { offset += 1 }
        let location = location
        guard let scalar else { return PredicateToken(kind: .end, location: location) }
        return PredicateToken(kind: try kind(of: scalar), location: location)
    }

    private mutating func kind(
        of scalar: Unicode.Scalar
    ) throws(PredicateFault) -> PredicateToken.Kind {
        switch scalar {
        case "\"", "'": return .text(try quoted(by: scalar))
        case "#": return .name(try word(after: scalar))
        case "@": return .collection(try word(after: scalar))
        case "$": return .variable(try word(after: scalar))
        case "%": return try argument()
        default: break
        }
        if Self.isLetter(scalar) { return .word(word()) }
        if Self.isDigit(scalar) || scalar == "." && peek(1).map(Self.isDigit) == true {
            return .number(try number())
        }
        return .symbol(try symbol(scalar))
    }

    private mutating func symbol(_ scalar: Unicode.Scalar) throws(PredicateFault) -> String {
        let pair = peek(1).map { "\(scalar)\($0)" }
        if let pair, Self.pairs.contains(pair) {
            offset += 2
            return pair
        }
        guard Self.signs.contains(scalar) else { throw unexpected(scalar) }
        offset += 1
        return String(scalar)
    }

    // MARK: Words

    private mutating func word() -> String {
        let start = offset
        while let scalar, Self.isLetter(scalar) || Self.isDigit(scalar) { offset += 1 }
        return string(from: start)
    }

    private mutating func word(after mark: Unicode.Scalar) throws(PredicateFault) -> String {
        offset += 1
        guard let scalar, Self.isLetter(scalar) else {
            throw PredicateFault("\(mark) must be followed by a name", at: location)
        }
        return word()
    }

    private mutating func argument() throws(PredicateFault) -> PredicateToken.Kind {
        let start = location
        offset += 1
        guard let letter = scalar, letter == "@" || letter == "K" else {
            throw PredicateFault(
                "% can be followed by @ or K only",
                at: start,
                hint: "Write %@ for a value of any type, and %K for a key path."
            )
        }
        offset += 1
        return .argument(letter)
    }

    // MARK: Numbers

    private mutating func number() throws(PredicateFault) -> String {
        let start = offset
        let isNumber = readNumber()
        // `12abc` and `1.2.3` are errors, not two tokens each.
        guard isNumber, scalar.map({ Self.isLetter($0) || $0 == "." }) != true else {
            throw PredicateFault(
                "This is not a number",
                at: TextLocation(offset: start),
                hint: "Numbers are written 12, 1.5 or 1e6; strings are quoted."
            )
        }
        return string(from: start)
    }

    /// Advances past digits, a fraction and an exponent, and returns whether they form a number.
    private mutating func readNumber() -> Bool {
        let hasWhole = readDigits()
        var hasFraction = false
        if scalar == "." {
            offset += 1
            hasFraction = readDigits()
            guard hasFraction else { return false }
        }
        guard hasWhole || hasFraction else { return false }
        guard scalar == "e" || scalar == "E" else { return true }
        offset += 1
        if scalar == "+" || scalar == "-" { offset += 1 }
        return readDigits()
    }

    private mutating func readDigits() -> Bool {
        let start = offset
        while let scalar, Self.isDigit(scalar) { offset += 1 }
        return offset > start
    }

    // MARK: Texts

    private mutating func quoted(by quote: Unicode.Scalar) throws(PredicateFault) -> String {
        let start = location
        var content = String.UnicodeScalarView()
        offset += 1
        while let scalar {
            if scalar == quote {
                offset += 1
                return String(content)
            }
            if scalar == "\\" {
                try appendEscape(to: &content)
            } else {
                content.append(scalar)
                offset += 1
            }
        }
        throw PredicateFault("The text that begins here has no end", at: start)
    }

    /// Appends the character that an escape sequence represents.
    ///
    /// A backslash that does not begin an escape sequence is kept: `"\d+"` and `"\\d+"` are the
    /// same pattern.
    private mutating func appendEscape(
        to content: inout String.UnicodeScalarView
    ) throws(PredicateFault) {
        let start = location
        offset += 2
        switch text.indices.contains(offset - 1) ? text[offset - 1] : nil {
        case "\\": content.append("\\")
        case "\"": content.append("\"")
        case "'": content.append("'")
        case "n": content.append("\n")
        case "r": content.append("\r")
        case "t": content.append("\t")
        case "u":
            let digits = text[offset...].prefix(4)
            let code = UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
            guard digits.count == 4, digits.allSatisfy(\.properties.isASCIIHexDigit),
                let code, let scalar = Unicode.Scalar(code)
            else {
                throw PredicateFault(
                    "\\u must be followed by the four hexadecimal digits of a character",
                    at: start
                )
            }
            content.append(scalar)
            offset += 4
        case let other:
            content.append("\\")
            if let other { content.append(other) }
        }
    }

    // MARK: Characters

    private func string(from start: Int) -> String {
        String(String.UnicodeScalarView(text[start..<offset]))
    }

    private func unexpected(_ scalar: Unicode.Scalar) -> PredicateFault {
        let isCurly = ["“", "”", "„", "‘", "’", "«", "»"].contains(scalar)
        return PredicateFault(
            "A predicate cannot contain this character here",
            at: location,
            hint: isCurly
                ? "Write straight quotes." : "Strings are quoted; names are ASCII letters."
        )
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        ("0"..."9").contains(scalar)
    }
}
