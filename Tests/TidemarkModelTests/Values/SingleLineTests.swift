import Testing

@testable import TidemarkModel

struct SingleLineTests {
    @Test(arguments: [
        ("a\u{1B}[31mb", "a [31mb"), ("a\u{9B}2Jb", "a 2Jb"), ("\u{7}\0\u{8}\u{7F}", "    "),
        ("a\rb\tc", "a b c"), ("a\r\nb\nc", "a  b c"), ("e\u{301} 😀", "e\u{301} 😀"), ("", ""),
        ("a\u{202E}b\u{2066}c\u{200F}d", "a b c d"), ("a\u{2028}b\u{2029}c\u{85}d", "a b c d"),
        ("a\u{FEFF}\u{AD}b", "a  b"), ("👩\u{200D}🔬", "👩\u{200D}🔬"), ("a\u{E0041}b", "a b"),
    ])
    func `an untrusted text becomes one line without control characters`(
        text: String,
        shown: String
    ) {
        #expect(text.singleLine() == shown)
    }

    @Test func `a line is truncated by its number of scalars`() {
        #expect("abcdef".singleLine(limit: 6) == "abcdef")
        #expect("abcdefg".singleLine(limit: 6) == "abcde…")
        let marks = "a" + String(repeating: "\u{301}", count: 200_000)
        #expect(marks.singleLine(limit: 80).unicodeScalars.count == 80)
        #expect("ab".singleLine(limit: 1) == "…")
    }
}
