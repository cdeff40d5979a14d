import Testing
import TidemarkTestSupport

@testable import TidemarkJSON

struct JSONDocumentTests {
    @Test(arguments: [
        ("", "line 1, column 1: unexpected end of input"),
        ("   ", "line 1, column 4: unexpected end of input"),
        ("[1,\n 2,]", "line 2, column 4: expected a value"),
        ("{\"a\":1,}", "line 1, column 8: expected a name in quotation marks"),
        ("{\"a\" 1}", "line 1, column 6: expected a colon"),
        ("{\"a\":1 \"b\":2}", "line 1, column 8: expected a comma or a closing brace"),
        ("[1 2]", "line 1, column 4: expected a comma or a closing bracket"),
        ("[\"äöü\", x]", "line 1, column 9: expected a value"),
        ("[01]", "line 1, column 3: a number cannot have leading zeros"),
        ("[-]", "line 1, column 3: expected a digit"),
        ("[1.]", "line 1, column 4: expected a digit"),
        ("[1e+]", "line 1, column 5: expected a digit"),
        ("[\"\t\"]", "line 1, column 3: a control character in a string must be escaped"),
        ("[\"\\x\"]", "line 1, column 3: unknown escape in a string"),
        ("[\"\\u12g4\"]", "line 1, column 3: expected four hexadecimal digits"),
        ("[\"\\uD800\"]", "line 1, column 3: half of a surrogate pair in a string"),
        ("[\"\\uDC00\\uD800\"]", "line 1, column 3: half of a surrogate pair in a string"),
        ("[\"\\uD800\\u0041\"]", "line 1, column 3: half of a surrogate pair in a string"),
        ("[1] x", "line 1, column 5: expected the end of the input after the value"),
        ("[\"abc", "line 1, column 6: unexpected end of input"),
        ("[[[", "line 1, column 4: unexpected end of input"),
        ("{\"a\":tru}", "line 1, column 6: expected a value"),
        ("[NaN]", "line 1, column 2: expected a value"),
        ("[+1]", "line 1, column 2: expected a value"),
        ("[1}", "line 1, column 3: expected a comma or a closing bracket"),
        ("\u{FEFF}[,]", "line 1, column 2: expected a value"),
        ("\u{A0}[]", "line 1, column 1: expected a value"),
    ])
    func `reports the error and its position`(_ text: String, _ errorMessage: String) {
        #expect(JSONDocument.errorMessage(Array(text.utf8)) == errorMessage)
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0xAF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80],
            [0xE2, 0x82], [0xF0, 0x80, 0x80, 0xAF], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80],
            [0xFF],
        ] as [[UInt8]]
    )
    func `rejects malformed UTF-8`(_ bytes: [UInt8]) {
        let text = Array("[\"".utf8) + bytes + Array("\"]".utf8)
        #expect(JSONDocument.errorMessage(text) == "line 1, column 3: not valid UTF-8")
        #expect(JSONDocument.errorMessage(Array("[\"".utf8) + bytes) != "")
    }

    @Test func `rejects a zero byte at any position`() {
        #expect(JSONDocument.errorMessage([0]) == "line 1, column 1: expected a value")
        #expect(JSONDocument.errorMessage(Array("[1]\0".utf8)).contains("end of the input"))
        #expect(JSONDocument.errorMessage(Array("[\"a\0b\"]".utf8)).contains("control character"))
        #expect(JSONDocument.errorMessage(Array("[1,\0]".utf8)).contains("expected a value"))
    }

    @Test func `rejects a hundred thousand opening brackets`() {
        for opening in ["[", "{\"a\":"] {
            let text = Array(String(repeating: opening, count: 100_000).utf8)
            #expect(JSONDocument.errorMessage(text).hasSuffix("nested deeper than 256 levels"))
        }
    }

    @Test func `allows exactly the depth of the limit`() throws {
        var limits = JSONLimits()
        limits.depth = 3
        #expect(JSONDocument.errorMessage(Array("[[[]],{\"a\":[]}]".utf8), limits: limits) == "")
        let errorMessage = JSONDocument.errorMessage(Array("[[[[]]]]".utf8), limits: limits)
        #expect(errorMessage == "line 1, column 4: nested deeper than 3 levels")
    }

    @Test func `reads a string of ten million bytes`() throws {
        let long = String(repeating: "0123456789", count: 1_000_000)
        let document = try JSONDocument("[\"\(long)\"]")
        document.withRoot { root in
            #expect(root.elements.map(\.text.count) == [10_000_000])
        }
    }

    @Test(
        arguments: [
            ("[]", [], []), ("{}", [], ["{}"]),
            ("[1, [2], {\"a\" : 3}]", [], ["1", "[2]", "{\"a\":3}"]),
            ("{\"a\":{\"b\":[1,2]}}", "a.b", ["1", "2"]), ("{\"a\":{\"b\":{}}}", "a.b", ["{}"]),
            ("{\"a\":[1],\"a\":[2]}", "a", ["2"]), ("{\"\\u0061\":[1]}", "a", ["1"]),
            ("\u{FEFF} [null] ", [], ["null"]),
        ] as [(String, JSONPath, [String])]
    )
    func `finds the items at a path`(_ text: String, _ path: JSONPath, _ items: [String]) throws {
        var found = try JSONDocument(text).items(at: path)
        #expect(try found.texts() == items)
    }

    @Test(
        arguments: [
            ("3", [], "expected an array or an object, found a number"),
            ("[]", "a", "there is no list at `a`: the document is an array, not an object"),
            ("{}", "results", "there is no list at `results`: `results` is missing"),
            ("{\"a\":{\"c\":1}}", "a.b", "there is no list at `a.b`: `a.b` is missing"),
            ("{\"a\":null}", "a", "expected an array or an object at `a`, found null"),
            ("{\"a\":\"x\"}", "a.b", "there is no list at `a.b`: `a` is a string, not an object"),
            (
                "{\"a\":{\"b\":true}}", "a.b",
                "expected an array or an object at `a.b`, found a boolean"
            ),
        ] as [(String, JSONPath, String)]
    )
    func `reports why a path has no items`(
        _ text: String,
        _ path: JSONPath,
        _ errorMessage: String
    ) throws {
        let document = try JSONDocument(text)
        let error = #expect(throws: JSONItemsError.self) { try document.items(at: path) }
        #expect(error?.description == errorMessage)
        var reader = JSONItemReader(Array(text.utf8), root: path, window: 4)
        let second = #expect(throws: JSONItemsError.self) { try reader.next { _ in } }
        #expect(second?.description == errorMessage)
    }
}
