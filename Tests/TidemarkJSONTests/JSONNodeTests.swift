import Testing
import TidemarkTestSupport

@testable import TidemarkJSON

struct JSONNodeTests {
    @Test(arguments: [
        (#""""#, ""), (#""a\"b\\c\/d""#, "a\"b\\c/d"), (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"),
        (#""\u00e9\u20ac""#, "é€"), (#""\uD83D\uDE00x""#, "😀x"), (#""\u0000""#, "\0"),
        (#""é€😀""#, "é€😀"), (#""\uFFFF""#, "\u{FFFF}"), ("12.50", "12.50"), ("true", "true"),
    ])
    func `resolves escapes`(_ json: String, _ text: String) throws {
        #expect(try JSONDocument(json).withRoot { $0.string } == text)
    }

    @Test func `finds the last of several members with a name, escaped or not`() throws {
        let document = try JSONDocument(#"{"a":1,"b":{"c":[2]},"\u0061":3,"":4}"#)
        document.withRoot { root in
            #expect(root.member("a")?.integer == 3)
            #expect(root.member("")?.integer == 4)
            #expect(root.member("z") == nil)
            #expect(root.member("aa") == nil)
            #expect(root.node(at: "b.c")?.compact == "[2]")
            #expect(root.node(at: "b.c.d") == nil)
            #expect(root.node(at: "b.x.c") == nil)
            #expect(root.members.map(\.name.string) == ["a", "b", "a", ""])
        }
    }

    @Test func `has no children unless it is a container`() throws {
        let document = try JSONDocument(#"[1,"a",[],{}]"#)
        document.withRoot { root in
            #expect(
                root.elements.map { Array($0.elements).count + Array($0.members).count } == [
                    0, 0, 0, 0,
                ]
            )
            #expect(Array(root.members).isEmpty)
            #expect(root.elements.map(\.kind) == [.number, .string, .array, .object])
        }
    }

    @Test(arguments: [
        ("[ 1 , 2.50 , \"a \\\" b\" ,\t{ \"k \" :\n[ ] } ]", #"[1,2.50,"a \" b",{"k ":[]}]"#),
        ("  \"a b\"  ", "\"a b\""), ("1e5", "1e5"), ("{\"a\\\\\": 1}", "{\"a\\\\\":1}"),
    ])
    func `drops white space only outside strings`(_ json: String, _ compact: String) throws {
        try JSONDocument(json).withRoot { #expect($0.compact == compact) }
    }

    @Test(
        arguments: [
            ("9223372036854775807", Int64.max), ("-9223372036854775808", .min), ("1e3", 1000),
            ("12.0", 12), ("-0", 0), ("9223372036854775808", nil), ("1.5", nil), ("1e400", nil),
            ("\"1\"", nil),
        ] as [(String, Int64?)]
    )
    func `reads whole numbers`(_ json: String, _ number: Int64?) throws {
        #expect(try JSONDocument(json).withRoot { $0.integer } == number)
    }
}
