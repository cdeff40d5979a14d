/// A parser for the regular expressions that can be matched without backtracking.
///
/// It supports `.` `[…]` `(…)` `(?:…)` `|` `*` `+` `?` `{2,5}` `^` `$` `\d` `\w` `\s` `\b`
/// `\p{Lu}`, their negations and character escapes. Constructs that require backtracking, such as
/// `\1` and `(?=…)`, are rejected.
struct PatternParser {
    private let text: [Unicode.Scalar]
    private let folding: TextFolding
    private var offset = 0
    private var nesting = 0

    /// The maximum nesting of groups.
    ///
    /// The parser and the compiler recurse for each level.
    private static let deepest = 50

    /// The maximum count of a quantifier.
    ///
    /// Repetitions are expanded into steps.
    private static let mostRepetitions = 1_000

    init(_ text: String, folding: TextFolding) {
        self.text = Array(text.unicodeScalars)
        self.folding = folding
    }

    mutating func parse() throws(PatternError) -> PatternNode {
        let node = try choice()
        guard scalar == nil else { throw fault("a closing parenthesis has no opening one") }
        return node
    }

    private var scalar: Unicode.Scalar? { offset < text.count ? text[offset] : nil }

    private mutating func skip(_ expected: Unicode.Scalar) -> Bool {
        guard scalar == expected else { return false }
        offset += 1
        return true
    }

    private mutating func take() -> Unicode.Scalar? {
        guard let scalar else { return nil }
        offset += 1
        return scalar
    }

    private func fault(_ message: String) -> PatternError {
        PatternError(message: "\(message), at its character \(min(offset, text.count) + 1).")
    }

    // MARK: Structure

    private mutating func choice() throws(PatternError) -> PatternNode {
        var parts = [try sequence()]
        while skip("|") { parts.append(try sequence()) }
        return parts.count == 1 ? parts[0] : .choice(parts)
    }

    private mutating func sequence() throws(PatternError) -> PatternNode {
        var parts: [PatternNode] = []
        while let scalar, scalar != "|", scalar != ")" {
            parts.append(try quantified(atom()))
        }
        return .sequence(parts)
    }

    private mutating func atom() throws(PatternError) -> PatternNode {
        guard let scalar = take() else { throw fault("something is expected here") }
        switch scalar {
        case ".": return .set(.line)
        case "^": return .assertion(.start)
        case "$": return .assertion(.lastLine)
        case "(": return try group()
        case "[": return .set(try set())
        case "\\": return try escaped()
        case "*", "+", "?", "{":
            offset -= 1
            throw fault("there is nothing to repeat before \(scalar)")
        default: return .literal(scalar, folding: folding)
        }
    }

    private mutating func group() throws(PatternError) -> PatternNode {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= Self.deepest else {
            throw fault("parentheses are nested deeper than \(Self.deepest) levels")
        }
        if skip("?"), !skip(":") {
            throw fault("(?…) is not supported, but for (?:…)")
        }
        let node = try choice()
        guard skip(")") else { throw fault("a parenthesis is not closed") }
        return node
    }

    // MARK: Repetitions

    private mutating func quantified(_ node: PatternNode) throws(PatternError) -> PatternNode {
        var result = node
        switch scalar {
        case "*": result = .repeated(node, 0, upTo: nil)
        case "+": result = .repeated(node, 1, upTo: nil)
        case "?": result = .repeated(node, 0, upTo: 1)
        case "{":
            offset += 1
            return try endOfQuantifier(bounded(node))
        default: return node
        }
        offset += 1
        return try endOfQuantifier(result)
    }

    /// Consumes a modifier after a quantifier.
    ///
    /// Greedy and lazy quantifiers match the same whole texts.
    private mutating func endOfQuantifier(_ node: PatternNode) throws(PatternError) -> PatternNode {
        if skip("?") { return node }
        guard scalar != "+" else { throw fault("a + behind a repetition is not supported") }
        guard scalar != "*", scalar != "{" else { throw fault("a repetition is repeated") }
        return node
    }

    private mutating func bounded(_ node: PatternNode) throws(PatternError) -> PatternNode {
        guard let least = number() else { throw fault("{ must be followed by a number") }
        var most: Int? = least
        if skip(",") { most = number() }
        guard skip("}") else { throw fault("the numbers must be followed by }") }
        guard most.map({ $0 >= least }) ?? true else {
            throw fault("the second number is less than the first")
        }
        guard max(least, most ?? 0) <= Self.mostRepetitions else {
            throw fault("more than \(Self.mostRepetitions) repetitions are not supported")
        }
        return .repeated(node, least, upTo: most)
    }

    private mutating func number() -> Int? {
        var result: Int?
        while let scalar, ("0"..."9").contains(scalar) {
            // Capped, so that many digits cannot overflow.
            result = min((result ?? 0) * 10 + Int(scalar.value - 0x30), 1_000_000)
            offset += 1
        }
        return result
    }

    // MARK: Escapes

    private mutating func escaped() throws(PatternError) -> PatternNode {
        if let (isNegated, content) = try characterClass() {
            return .set(ScalarSet(classes: [(isNegated, content)]))
        }
        switch scalar {
        case "b": return assertion(.wordBoundary)
        case "B": return assertion(.noWordBoundary)
        case "A": return assertion(.start)
        case "z": return assertion(.end)
        case "Z": return assertion(.lastLine)
        default: return .literal(try character(), folding: folding)
        }
    }

    private mutating func assertion(_ assertion: PatternAssertion) -> PatternNode {
        offset += 1
        return .assertion(assertion)
    }

    private mutating func characterClass() throws(PatternError) -> (Bool, ScalarClass)? {
        guard let scalar else { return nil }
        let content: ScalarClass
        switch scalar {
        case "d", "D": content = .digit
        case "w", "W": content = .word
        case "s", "S": content = .space
        case "p", "P":
            offset += 1
            return (scalar == "P", try category())
        default: return nil
        }
        offset += 1
        // The capital letter negates the class: `\D` is the opposite of `\d`.
        return (scalar.properties.isUppercase, content)
    }

    private mutating func category() throws(PatternError) -> ScalarClass {
        guard skip("{") else { throw fault("\\p must be followed by {") }
        var name = String.UnicodeScalarView()
        while let scalar, scalar != "}", name.count < 3 {
            name.append(scalar)
            offset += 1
        }
        guard skip("}"), Unicode.GeneralCategory.isKnown(String(name)) else {
            throw fault("\\p{…} knows general categories by their letters, such as L or Lu")
        }
        return .category(String(name))
    }

    /// Parses an escape and returns the character that it denotes.
    private mutating func character() throws(PatternError) -> Unicode.Scalar {
        guard let scalar = take() else { throw fault("\\ must be followed by a character") }
        switch scalar {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "f": return "\u{C}"
        case "a": return "\u{7}"
        case "e": return "\u{1B}"
        case "x": return try hexadecimal(2)
        case "u": return try hexadecimal(4)
        default:
            guard !scalar.properties.isAlphabetic, !("0"..."9").contains(scalar) else {
                throw fault("\\\(scalar) is not supported")
            }
            return scalar
        }
    }

    private mutating func hexadecimal(_ count: Int) throws(PatternError) -> Unicode.Scalar {
        let digits = text[offset...].prefix(count)
        let isWhole = digits.count == count && digits.allSatisfy(\.properties.isASCIIHexDigit)
        let code = UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
        guard isWhole, let code, let scalar = Unicode.Scalar(code) else {
            throw fault("\(count) hexadecimal digits of a character are expected here")
        }
        offset += count
        return scalar
    }

    // MARK: Sets

    private mutating func set() throws(PatternError) -> ScalarSet {
        var set = ScalarSet(foldsCases: folding.contains(.caseInsensitive))
        set.isNegated = skip("^")
        var isFirst = true
        while isFirst || scalar != "]" {
            isFirst = false
            if skip("\\") {
                if let found = try characterClass() {
                    set.classes.append((found.0, found.1))
                    continue
                }
                offset -= 1
            }
            let low = try member()
            var high = low
            if scalar == "-", offset + 1 < text.count, text[offset + 1] != "]" {
                offset += 1
                high = try member()
            }
            guard low <= high else { throw fault("the range is upside down") }
            set.ranges.append(low...high)
            for scalar in [low, high] { set.add(scalar, foldedBy: folding) }
        }
        offset += 1
        return set
    }

    private mutating func member() throws(PatternError) -> Unicode.Scalar {
        guard let scalar = take() else { throw fault("a set is not closed") }
        switch scalar {
        case "\\": return try character()
        case "[":
            throw fault("a set within a set is not supported; write \\[ for the bracket")
        case "&" where self.scalar == "&": throw fault("&& in a set is not supported")
        default: return scalar
        }
    }
}

extension ScalarSet {
    /// Adds the folded form of a character if it is a single character.
    fileprivate mutating func add(_ scalar: Unicode.Scalar, foldedBy folding: TextFolding) {
        let folded = folding.fold(String(scalar)).unicodeScalars
        if folded.count == 1, let first = folded.first { ranges.append(first...first) }
    }
}
