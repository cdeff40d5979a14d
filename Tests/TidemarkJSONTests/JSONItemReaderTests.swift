import Testing
import TidemarkTestSupport

@testable import TidemarkJSON

struct JSONItemReaderTests {
    static let text = #"""
        { "count": 2, "skip": [[], {}, {"a": [1, {"b": "\"]"}]}, -1.5e+3, "é😀\u00e9"], "data": {
        "results": [ {"id":1,"name":"é\n"} , 123, true , "x" , null,[[ ]] ],
        "more": {"x": [1 , 2]} },
        "next": "https://example.com/?a=[" }
        """#
    static let items = [#"{"id":1,"name":"é\n"}"#, "123", "true", #""x""#, "null", "[[]]"]

    @Test func `reads the same items wherever the text is split`() throws {
        let bytes = Array(Self.text.utf8)
        for window in 1...(bytes.count + 1) {
            var reader = JSONItemReader(bytes, root: "data.results", window: window)
            #expect(try reader.texts() == Self.items, "windows of \(window)")
        }
        for chunkSize in 1...bytes.count {
            var reader = JSONItemReader(
                bytes,
                root: "data.results",
                window: 16,
                chunkSize: chunkSize
            )
            #expect(try reader.texts() == Self.items, "chunks of \(chunkSize)")
        }
    }

    @Test func `rejects every truncated text`() {
        let bytes = Array(Self.text.utf8)
        for count in 0..<bytes.count {
            var reader = JSONItemReader(Array(bytes[..<count]), root: "data.results", window: 8)
            #expect(throws: JSONError.self, "\(count) bytes") { try reader.texts() }
        }
    }

    @Test(arguments: [
        ("[1,2", 2, "line 1, column 5: unexpected end of input"),
        ("[1,2]\n x", 2, "line 2, column 2: expected the end of the input after the value"),
        ("[1,\n\n  tru]", 1, "line 3, column 3: expected a value"),
        ("[1,]", 1, "line 1, column 4: expected a value"),
        ("[1 2]", 1, "line 1, column 4: expected a comma or a closing bracket"),
        ("{\"é\":1}}", 1, "line 1, column 8: expected the end of the input after the value"),
        ("", 0, "line 1, column 1: unexpected end of input"),
    ])
    func `reports the position of an error in the whole text`(
        _ text: String,
        _ read: Int,
        _ errorMessage: String
    ) {
        for window in [1, 2, 3, 100] {
            var reader = JSONItemReader(Array(text.utf8), window: window)
            var count = 0
            let error = #expect(throws: JSONError.self) {
                while try reader.next({ _ in count += 1 }) {}
            }
            #expect(error?.description == errorMessage)
            #expect(count == read)
        }
    }

    @Test func `rejects a path that occurs twice`() {
        var reader = JSONItemReader(Array(#"{"a":[1],"b":2,"a":[3]}"#.utf8), root: "a")
        #expect(throws: JSONItemsError.self) { try reader.texts() }
    }

    @Test func `rejects an item beyond the limit and skips a member of any length`() throws {
        var limits = JSONLimits()
        limits.itemBytes = 1000
        let long = "[" + String(repeating: "1234567,", count: 1000) + "1]"
        var reader = JSONItemReader(
            Array("{\"skip\":\(long),\"a\":[1]}".utf8),
            root: "a",
            limits: limits,
            window: 64
        )
        #expect(try reader.texts() == ["1"])
        for window in [64, 100_000] {
            var second = JSONItemReader(
                Array("[1,\(long)]".utf8),
                limits: limits,
                window: window
            )
            let error = #expect(throws: JSONError.self) { try second.texts() }
            #expect(error?.description == "line 1, column 4: one item has more than 1000 bytes")
        }
    }

    @Test func `rejects excessive depth in items and in skipped members`() {
        let deep = String(repeating: "[", count: 100_000)
        for text in ["[1,\(deep)", "{\"skip\":\(deep)", deep] {
            let root: JSONPath = text.hasPrefix("{") ? "a" : []
            var reader = JSONItemReader(Array(text.utf8), root: root)
            let error = #expect(throws: JSONError.self) { try reader.texts() }
            #expect(error?.message == "nested deeper than 256 levels")
        }
    }

    @Test func `counts the depth of an item from the start of the text`() throws {
        var limits = JSONLimits()
        limits.depth = 3
        for (text, isFine) in [
            (#"{"a":[[]]}"#, true), (#"{"a":[[[]]]}"#, false), (#"{"b":[[]],"a":[]}"#, true),
            (#"{"b":[[[]]],"a":[]}"#, false),
        ] {
            let bytes = Array(text.utf8)
            #expect(JSONDocument.errorMessage(bytes, limits: limits).isEmpty == isFine)
            let result = ConformanceTests.result(
                JSONItemReader(bytes, root: "a", limits: limits)
            )
            #expect((result == nil) == isFine, "\(text)")
        }
    }

    @Test func `rethrows the errors of the source and of the body`() {
        struct Broken: Error {}
        var reader = JSONItemReader { _ in throw Broken() }
        #expect(throws: Broken.self) { try reader.next { _ in } }
        var second = JSONItemReader(Array("[1]".utf8))
        #expect(throws: Broken.self) { try second.next { _ in throw Broken() } }
    }

    @Test func `returns false at the end, also when called again`() throws {
        var reader = JSONItemReader(Array(" {\"a\": 1} ".utf8))
        #expect(try reader.texts() == ["{\"a\":1}"])
        #expect(try reader.next { _ in } == false)
    }
}
