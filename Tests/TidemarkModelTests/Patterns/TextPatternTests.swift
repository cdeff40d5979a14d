import Foundation
import Testing

@testable import TidemarkModel

struct TextPatternTests {
    @Test(arguments: [
        ("(", "a parenthesis is not closed, at its character 2."),
        (")", "a closing parenthesis has no opening one, at its character 1."),
        ("[a", "a set is not closed"), ("[]", "a set is not closed"), ("[z-a]", "upside down"),
        ("[[a]]", "a set within a set"), ("[a&&b]", "&& in a set"), ("*", "nothing to repeat"),
        ("a|*", "nothing to repeat before *, at its character 3."), ("a**", "is repeated"),
        ("a*+", "a + behind a repetition"), ("a{", "{ must be followed by a number"),
        ("a{2,1}", "less than the first"), ("a{1", "the numbers must be followed by }"),
        ("a{99999}", "1000 rep"),
        ("(a)\\1", "\\1 is not supported"), ("(?=a)", "(?…) is not supported"),
        ("(?i)a", "(?…) is not supported"), ("a\\", "\\ must be followed by a character"),
        ("\\q", "\\q is not supported"), ("\\u12", "4 hexadecimal digits"),
        ("\\p{Foo}", "general categories"), ("\\pL", "\\p must be followed by {"),
        ("((((a{100}){100}){100}){100})", "more than 5000 steps"),
        ("(((){1000}){1000}){1000}", "more than 5000 steps"),
        (String(repeating: "(", count: 60), "nested deeper than 50"),
    ])
    func `rejects a malformed or unsupported pattern`(_ pattern: String, _ message: String) throws {
        let error = #expect(throws: PatternError.self) {
            try TextPattern(pattern, syntax: .regularExpression, folding: [])
        }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        "(a+)+$", "(a|a)*", "(a|aa)+b?", "(.*)*x?", "((a*)*)*", "(a?){500}a{0,1000}", "(()|a)*",
        ".*.*.*.*.*.*.*.*.*.*x?", "([a-z]+)*", "(\\w*\\w*\\w*)*",
    ])
    func `no pattern causes exponential backtracking`(_ pattern: String) throws {
        let compiled = try TextPattern(pattern, syntax: .regularExpression, folding: [])
        let text = String(repeating: "a", count: 600)
        #expect(try compiled.matches(text))
        #expect(try !compiled.matches(text + "\n"))
    }

    @Test func `wildcards do not cause exponential backtracking`() throws {
        let pattern = String(repeating: "*a", count: 500) + "*b"
        let compiled = try TextPattern(pattern, syntax: .wildcards, folding: [])
        #expect(try !compiled.matches(String(repeating: "a", count: 1_000)))
        #expect(try compiled.matches(String(repeating: "a", count: 1_000) + "b"))
    }

    @Test func `a text that is too long for its pattern is an error`() throws {
        let compiled = try TextPattern("(a{0,100}){0,3}", syntax: .regularExpression, folding: [])
        let error = #expect(throws: PatternError.self) {
            try compiled.matches(String(repeating: "a", count: 200), workLimit: 10_000)
        }
        #expect(error?.message == "The text is too long for this pattern.")
    }

    @Test(arguments: [
        ("", ["": true, "a": false]), ("a", ["a": true, "ab": false, "ba": false, "": false]),
        ("a|", ["a": true, "": true, "b": false]), ("(?:ab|a)(c|bcd)", ["abcd": true, "ac": true]),
        ("a.c", ["abc": true, "a\nc": false, "a\u{2028}c": false, "aéc": true, "aec": true]),
        ("a{2,3}", ["a": false, "aa": true, "aaa": true, "aaaa": false]),
        ("a{2}", ["aa": true, "aaa": false]), ("a{2,}", ["a": false, "aaaaa": true]),
        ("a*?b+?c??", ["abb": true, "bc": true, "ac": false]), ("^a$", ["a": true, "a\n": false]),
        ("a$\\n", ["a\n": true]), ("\\ba\\b.*", ["a b": true, "ab": false]),
        ("a\\Bb", ["ab": true]), ("\\Aa\\z", ["a": true]),
        ("[a-cé^-]+", ["abcé-^": true, "d": false]),
        ("[^a-c]", ["d": true, "a": false, "\n": true]),
        ("[]a]+", ["]a": true]), ("[\\d\\]\\\\]+", ["1]\\": true, "a": false]),
        ("[^\\D5]+", ["1234": true, "5": false]), ("\\d+", ["12": true, "٣": true, "a": false]),
        ("\\w\\W\\s\\S\\D", ["é- ab": true, "-- ab": false]),
        ("\\p{L}\\P{Lu}", ["Aa": true, "AA": false]),
        ("\\x41\\u00e9\\.\\/\\-", ["Aé./-": true]), ("a\\{2\\}", ["a{2}": true]),
        ("\\t\\n\\r", ["\t\n\r": true]), ("👨‍👩‍👧.", ["👨‍👩‍👧x": true]),
    ])
    func `matches whole texts`(_ pattern: String, _ texts: [String: Bool]) throws {
        let compiled = try TextPattern(pattern, syntax: .regularExpression, folding: [])
        for (text, fits) in texts {
            #expect(try compiled.matches(text) == fits, "\(text)")
        }
    }

    private static let letters: [(TextFolding, String, String, Bool)] = [
        (.caseInsensitive, "straße", "STRASSE", true), (.caseInsensitive, "ΣΑΣ", "σας", true),
        (.caseInsensitive, "İ", "i", false), (.caseInsensitive, "ı", "i", false),
        (.caseInsensitive, "\u{212A}", "k", true),
        (.caseInsensitive, "é", "É", true), (.caseInsensitive, "é", "e", false),
        (.diacriticInsensitive, "é", "e", true),
        (.diacriticInsensitive, "e\u{301}", "é", true), (.diacriticInsensitive, "É", "e", false),
        (.diacriticInsensitive, "ø", "o", false), (.diacriticInsensitive, "が", "か", false),
        (.diacriticInsensitive, "각", "가", false),
        ([.caseInsensitive, .diacriticInsensitive], "ǅ", "ǆ", true),
        ([.caseInsensitive, .diacriticInsensitive], "ÅNGSTRÖM", "angstrom", true),
        ([.caseInsensitive, .diacriticInsensitive], "İ", "i", true),
        ([.caseInsensitive, .diacriticInsensitive], "ﬃ", "FFI", true),
        (.caseInsensitive, "ẞ", "ss", true),
    ]

    @Test(arguments: letters)
    func `folds case and diacritics in every language`(
        _ folding: TextFolding,
        _ left: String,
        _ right: String,
        _ matches: Bool
    ) throws {
        #expect((folding.fold(left) == folding.fold(right)) == matches)
        #expect(folding.fold(folding.fold(left)) == folding.fold(left))
        let pattern = try TextPattern(left, syntax: .wildcards, folding: folding)
        #expect(try pattern.matches(right) == matches)
    }

    @Test func `a character set ignores case and diacritics too`() throws {
        let cases = try TextPattern(
            "[A-F]+[^x]",
            syntax: .regularExpression,
            folding: .caseInsensitive
        )
        #expect(try cases.matches("AbCdz"))
        #expect(try !cases.matches("abX"))
        let both = try TextPattern(
            "[É]",
            syntax: .regularExpression,
            folding: [.caseInsensitive, .diacriticInsensitive]
        )
        #expect(try both.matches("e"))
    }
}
