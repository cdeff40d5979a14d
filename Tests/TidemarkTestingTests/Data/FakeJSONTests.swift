import Foundation
import Testing
import TidemarkTesting

struct FakeJSONTests {
    @Test(arguments: [
        "", "{", "[1,]", "{\"a\"}", "{\"a\":1,}", "nul", "01x", "\"\\x\"", "\"\\ud800\"",
        "\"\u{1}\"",
        "1 2", "\"a", String(repeating: "[", count: 1_000),
    ])
    func `invalid JSON is rejected`(_ text: String) {
        #expect(throws: FakeServiceError.self) { try FakeJSON(parsing: text.utf8) }
    }

    @Test(arguments: [
        #"{"b":1,"a":[true,false,null,-1.50e3],"":{}}"#, #""a\"\\\n\r\t\u0001é""#, "[]", "12.10",
    ])
    func `parsed JSON is written unchanged`(_ text: String) throws {
        #expect(try FakeJSON(parsing: text.utf8).description == text)
    }

    @Test func `escape sequences are decoded`() throws {
        let json = try FakeJSON(parsing: #""\u0041\ud83d\ude00\/\b\f""#.utf8)
        #expect(json == .string("A😀/\u{8}\u{C}"))
    }

    @Test func `members are changed in place, and added at the end`() {
        var json: FakeJSON = ["a": 1, "b": 2.5]
        json["a"] = "x"
        json["c"] = nil
        json["b"] = nil
        json["d"] = .null
        #expect(json.description == #"{"a":"x","d":null}"#)
    }
}
