import Testing

@testable import TidemarkModel

/// Texts and JSON in the form in which a service stores what it was sent.
struct StoredTextTests {
    @Test(arguments: [
        (" a \n", "a"), ("a\nb\nc", "a\r\nb\rc"), ("<b> & '\"", "&lt;b&gt; &amp; &#39;&quot;"),
        ("a & b", "a &#38; b"), ("a & b", "a &#x26; b"), ("a & b", "a &#X26; b"),
        ("a & b", "a &#038; b"), ("&", " &amp;\r\n"), ("caf\u{E9}", "cafe\u{301}"),
        ("a", "a&nbsp;"), ("", " \t\n"), ("\u{1F600}", "&#x1F600;"), ("A", "A"),
    ])
    func `a text is that of the service, and the other way round`(one: String, other: String) {
        #expect(one.isStoredForm(of: other))
        #expect(other.isStoredForm(of: one))
    }

    @Test func `a text with a character reference may be escaped, too`() {
        #expect("&amp;lt;".isStoredForm(of: "&lt;"))
        #expect("&lt;".isStoredForm(of: "<"))
        #expect(!"&amp;lt;".isStoredForm(of: "<"))
    }

    @Test(arguments: [
        ("a b", "a  b"), ("a", "A"), ("a", "b"), ("a\nb", "a b"), ("", "a"), ("é", "e"),
        ("&", "&amp"), ("&", "&#-38;"), ("&", "&#x110000;"), ("&", "&#xD800;"), ("&", "&;"),
        ("&", "&#;"), ("&", "&unknown;"), ("&", "&#0000000000038;"),
    ])
    func `other texts are not`(one: String, other: String) {
        #expect(!one.isStoredForm(of: other))
        #expect(!other.isStoredForm(of: one))
    }

    @Test func `a long text of ampersands is read once`() {
        let text = String(repeating: "&", count: 100_000)
        #expect(text.isStoredForm(of: text + " "))
        #expect(!text.isStoredForm(of: text + "&"))
    }

    @Test(arguments: [
        ("{\"a\":1,\"b\":[2]}", "{\"b\":[2.0],\"a\":1e0}", true), ("[1,2]", "[2,1]", false),
        ("[]", "{}", false), ("[1]", "[1,1]", false), ("{\"a\":null}", "{}", false),
        ("\"a\"", "\"a\"", true), ("\"1\"", "1", false), ("0.10", "0.1", true),
        ("{\"a\":1,\"a\":2}", "{\"a\":2}", true), ("{", "{", true), ("{", "[", false),
        ("true", "false", false), ("12345678901234567890123", "12345678901234567890124", false),
    ])
    func `JSON is compared by value`(one: String, other: String, expected: Bool) {
        let comparison = ValueComparison(type: .json, form: nil)
        #expect(comparison.isEqual(sent: .json(one), received: .json(other)) == expected)
    }

    @Test func `JSON that is nested deeply is compared without a deep stack`() {
        let depth = 400
        let open = String(repeating: "[", count: depth)
        let close = String(repeating: "]", count: depth)
        let comparison = ValueComparison(type: .json, form: nil)
        let (one, other) = (Value.json(open + "1" + close), Value.json(open + "1.0" + close))
        #expect(comparison.isEqual(sent: one, received: other))
    }
}
