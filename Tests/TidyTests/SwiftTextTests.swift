import Testing

@testable import Tidy

/// The separation of code, comments and literals, on which the rules rely.
struct SwiftTextTests {
    @Test(arguments: [
        (#"let a = "b" // c"#, "let a =         ", "            // c"),
        (#"let a = "\(b + "c")d" + e"#, "let a =    b +        + e", ""),
        (##"a(#"b " c"# + "\"")"##, "a(          +     )", ""),
        (#"a /* b /* c */ d */ e"#, "a                   e", "  /* b /* c */ d */  "),
        (#"func `a "b" // c`() {}"#, "func xxxxxxxxxxxx() {}", ""),
        (##"a(#""""#, #""b""#)"##, "a(      ,        )", ""),
        (#"a = "b"#, "a =   ", ""),
        (#"a /* b"#, "a     ", "  /* b"),
        (#""//" + a // "b""#, "     + a       ", "         // \"b\""),
    ])
    func `separates code, comments and literals`(text: String, code: String, comment: String) {
        let swift = SwiftText(text)
        #expect(String(decoding: swift.only(.code), as: UTF8.self) == code)
        let comments = String(decoding: swift.only(.comment), as: UTF8.self)
        #expect(comments == comment || comment.isEmpty && comments.allSatisfy { $0 == " " })
    }

    @Test func `a multi-line literal ends at its three quotation marks`() {
        let text = "let a = \"\"\"\n  b \"c\" // d\n  \"\"\"\nlet e = 1 // f"
        let file = SourceFile(path: "Sources/A/A.swift", text: text)
        #expect(file.code == ["let a =    ", "            ", "     ", "let e = 1     "])
        #expect(file.lines.count == 4)
    }

    @Test func `an unterminated literal ends with its line`() {
        let file = SourceFile(path: "Sources/A/A.swift", text: "let a = \"b\nlet c = 1")
        #expect(file.code[1] == "let c = 1")
    }

    @Test(arguments: [
        ("try! a", "try!", true), ("retry! a", "try!", false), ("x.Date()", "Date()", false),
        ("Date()", "Date()", true), ("myDate()", "Date()", false), ("(Date())", "Date()", true),
        ("as! B", "as!", true), ("alias! B", "as!", false), ("", "as!", false),
    ])
    func `finds whole words`(line: String, word: String, isAvailable: Bool) {
        #expect(Words.has(word, in: line) == isAvailable)
    }
}
