import Testing

@testable import TidemarkCLI

struct HarmlessTextTests {
    @Test(arguments: [
        ("a\u{1B}[31mb", "a [31mb"), ("a\u{9B}2Jb", "a 2Jb"), ("\u{7}\0\u{8}", "   "),
        ("a\rb\tc", "a b c"), ("a\r\nb", "a \nb"), ("e\u{301} 😀\nb", "e\u{301} 😀\nb"), ("", ""),
    ])
    func `a text from elsewhere cannot steer the terminal`(text: String, shown: String) {
        #expect(text.harmless == shown)
    }

    @Test func `a line from elsewhere stays one, however long it is`() {
        let long = String(repeating: "x", count: 1_000)
        #expect("a\nb\r\n\u{1B}[2Jc\(long)".unbroken == "a b   [2Jc\(long)")
    }
}
