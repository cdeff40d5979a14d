import Testing
import TidemarkTestSupport

@testable import TidemarkJSON

/// The values that a reader records in addition to items, and its position in the text.
extension JSONItemReaderTests {
    struct RecordedValues: Sendable, CustomTestStringConvertible {
        let text: String
        /// The paths, with dots between the names, and the values that are recorded for them.
        let values: [String: String?]
        var testDescription: String { text }
    }

    static let recordedValues = [
        RecordedValues(text: #"{"n":3,"d":[1]}"#, values: ["n": "3", "d": nil, "x": nil]),
        RecordedValues(text: #"{"d":[1],"n":3}"#, values: ["n": "3"]),
        RecordedValues(
            text: #"{"m":{"a":{"b":"\u00e9\n"}},"d":[{"n":9}],"n":-1.5e3,"t":true,"z":null}"#,
            values: ["m.a.b": #""\u00e9\n""#, "n": "-1.5e3", "t": "true", "z": "null", "m.a": nil]
        ),
        // A name may contain escapes.
        RecordedValues(text: #"{"\u006e":3,"d":[]}"#, values: ["n": "3"]),
        // Neither lists nor items are searched.
        RecordedValues(text: #"{"m":[{"n":1}],"d":[{"n":1}]}"#, values: ["m.n": nil, "d.n": nil]),
        RecordedValues(
            text: #"{"n":{"x":1},"d":[],"m":[2]}"#,
            values: ["n": #"{"x":1}"#, "m": "[2]"]
        ),
        RecordedValues(text: #"{"n":"","d":[]}"#, values: ["n": #""""#]),
        RecordedValues(text: #"{"":3,"d":[]}"#, values: ["": nil]),
    ]

    @Test(arguments: recordedValues)
    func `records values next to the items, wherever the text is split`(
        _ given: RecordedValues
    ) throws {
        let bytes = Array(given.text.utf8)
        for window in 1...(bytes.count + 1) {
            var reader = JSONItemReader(
                bytes,
                root: "d",
                window: window,
                remembering: given.values.keys.map { JSONPath($0) }
            )
            while try reader.next({ _ in }) {}
            for (place, fact) in given.values {
                let found = reader.remembered[JSONPath(place)]
                let text = found?.withRoot { String(decoding: $0.source, as: UTF8.self) }
                #expect(text == fact, "\(place), windows of \(window)")
            }
        }
    }

    @Test(arguments: [#"{"n":1,"n":2,"d":[]}"#, #"{"n":1,"d":[],"n":3}"#])
    func `a path with two values is an error`(_ text: String) {
        var reader = JSONItemReader(Array(text.utf8), root: "d", window: 8, remembering: ["n"])
        #expect(throws: JSONItemsError.self) { while try reader.next({ _ in }) {} }
    }

    @Test func `malformed text is an error, whatever values are recorded`() {
        let text = #"{"n":3,"m":{"a":"b"},"d":[1,{"x":2}],"t":"end"}"#
        let bytes = Array(text.utf8)
        let paths: [JSONPath] = ["n", "m.a", "t"]
        for count in 0..<bytes.count {
            var reader = JSONItemReader(
                Array(bytes[..<count]),
                root: "d",
                window: 8,
                remembering: paths
            )
            #expect(throws: JSONError.self, "\(count) bytes") { try reader.texts() }
        }
        for broken in [
            #"{"n":3x,"d":[]}"#, #"{"n":"\x","d":[]}"#, #"{"d":[],"n":}"#, #"{"d":[],"n" 3}"#,
            #"{"m":{"a":"b"],"d":[]}"#, #"{"d":[],"m":{"a" "b"}}"#, #"{"d":[]} {"n":3}"#,
        ] {
            var reader = JSONItemReader(Array(broken.utf8), root: "d", remembering: paths)
            #expect(throws: JSONError.self, "\(broken)") { try reader.texts() }
        }
    }

    @Test func `a value beyond the size limit is not recorded`() throws {
        for (length, isFact) in [(60_000, true), (70_000, false), (1_000_000, false)] {
            let long = String(repeating: "x", count: length)
            var reader = JSONItemReader(
                Array(#"{"n":"\#(long)","d":[1],"t":2}"#.utf8),
                root: "d",
                remembering: ["n", "t"]
            )
            #expect(try reader.texts() == ["1"])
            #expect((reader.remembered["n"] != nil) == isFact)
            #expect(reader.remembered["t"] != nil)
        }
    }

    @Test func `records a value that is nested 200 levels deep`() throws {
        let depth = 200
        let names = (0..<depth).map { "a\($0)" }
        let text =
            names.map { "{\"\($0)\":" }.joined() + "1" + String(repeating: "}", count: depth)
        var reader = JSONItemReader(
            Array("{\"m\":\(text),\"d\":[]}".utf8),
            root: "d",
            remembering: [JSONPath(["m"] + names)]
        )
        #expect(try reader.texts().isEmpty)
        #expect(reader.remembered.count == 1)
    }

    @Test(arguments: ["", "\u{FEFF}", "  \n"])
    func `the offset is the end of the last item`(_ beginning: String) throws {
        let text = beginning + #"{"n":[0],"d": [ {"a":[1]} , 23,"x" ,[ ] ] ,"t":1}"#
        let bytes = Array(text.utf8)
        for window in [1, 3, 16, 100] {
            var reader = JSONItemReader(bytes, root: "d", window: window)
            #expect(reader.listOffset == nil)
            var ends: [String] = []
            while try reader.next({ _ in }) {
                ends.append(String(decoding: bytes[..<reader.offset].suffix(3), as: UTF8.self))
            }
            #expect(ends == ["1]}", " 23", "\"x\"", "[ ]"])
            let begin = try #require(reader.listOffset)
            #expect(String(decoding: bytes[..<begin].suffix(6), as: UTF8.self) == "\"d\": [")
            #expect(reader.offset == bytes.count)
        }
    }

    @Test(arguments: [#"{"d":{"a":1}}"#, #"{"a":1}"#])
    func `a single object is not a list`(_ text: String) throws {
        var reader = JSONItemReader(Array(text.utf8), root: text.hasPrefix("{\"d") ? "d" : [])
        #expect(try reader.texts() == [#"{"a":1}"#])
        #expect(reader.listOffset == nil)
    }
}
