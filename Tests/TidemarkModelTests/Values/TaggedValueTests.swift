import Testing
import TidemarkJSON
import TidemarkTestSupport

@testable import TidemarkModel

struct TaggedValueTests {
    private static let id = "6F9619FF-8B86-D011-B42D-00C04FC964FF"

    private static func read(_ json: String, _ type: AttributeType) throws -> Value {
        try JSONDocument(json).withRoot { try Value(tagged: $0, type: type) }
    }

    @Test(
        arguments: [
            (.null, .date, "null"), (.null, .binary, "null"), (.integer(-5), .integer64, "-5"),
            (.double(0.1), .double, "0.1"), (.boolean(true), .boolean, "true"),
            (.string("a\"b"), .string, #""a\"b""#),
            (.decimal("12.2"), .decimal, #"{"$decimal":"12.2"}"#),
            (.date(1_392_336_000), .date, #"{"$date":"2014-02-14T00:00:00.000Z"}"#),
            (.date(0.000001), .date, #"{"$date":"1970-01-01T00:00:00.000001Z"}"#),
            (.date(1e300), .date, #"{"$date":1e+300}"#),
            (.uuid(id), .uuid, "{\"$uuid\":\"\(id)\"}"),
            (.uri("https://example.com/a"), .uri, #"{"$url":"https://example.com/a"}"#),
            (.binary([0, 255, 16]), .binary, #"{"$binary":"AP8Q"}"#),
            (.binary([1]), .transformable, #"{"$binary":"AQ=="}"#),
            (.binary([]), .binary, #"{"$binary":""}"#),
            (.json(#"{"$date":1.50}"#), .json, #"{"$date":1.50}"#),
        ] as [(Value, AttributeType, String)]
    )
    func `values round-trip through their tagged text`(
        _ value: Value,
        _ type: AttributeType,
        _ json: String
    ) throws {
        var writer = JSONWriter()
        writer.tagged(value)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == json)
        #expect(try Self.read(json, type) == value)
    }

    @Test(
        arguments: [
            (#""2014-02-14""#, .date, .date(1_392_336_000)), ("12.20", .decimal, .decimal("12.2")),
            (#"{"$decimal":12.20}"#, .decimal, .decimal("12.2")), (#""\u0061""#, .uri, .uri("a")),
            (#"{"$date":null}"#, .date, .null), ("3", .string, .string("3")),
        ] as [(String, AttributeType, Value)]
    )
    func `accepts plain values where the type is unambiguous`(
        _ json: String,
        _ type: AttributeType,
        _ value: Value
    ) throws {
        #expect(try Self.read(json, type) == value)
    }

    @Test(
        arguments: [
            (#"{"$uuid":"x"}"#, .date, .otherType(.date)), (#"{"$uuid":"x"}"#, .uuid, .notAUUID),
            (#"{"$date":"soon"}"#, .date, .notADate), (#"{"$binary":"*"}"#, .binary, .notBase64),
            (#""AQ==""#, .binary, .otherType(.binary)),
            (#"{"$decimal":"1"}"#, .string, .otherType(.string)),
            (#"{"$date":"2014-02-14","x":1}"#, .date, .notADate), ("{}", .string, .notAText),
            (#"{"$date":true}"#, .date, .notADate),
        ] as [(String, AttributeType, CoercionFailure)]
    )
    func `rejects other tags and other values`(
        _ json: String,
        _ type: AttributeType,
        _ failure: CoercionFailure
    ) throws {
        #expect(throws: failure) { try Self.read(json, type) }
    }

    @Test func `stored values are read back unchanged`() {
        let arena = ValueArena()
        let values: [(Value, AttributeType)] = [
            (.null, .string), (.integer(1), .integer16), (.boolean(true), .boolean),
            (.double(1), .double), (.date(1), .date), (.decimal("1"), .decimal),
            (.string(""), .string), (.uuid(Self.id), .uuid), (.uri("a"), .uri), (.json("1"), .json),
            (.binary([]), .binary), (.binary([1]), .transformable),
        ]
        for (value, type) in values {
            #expect(Value(value.stored(in: arena), type: type) == value)
        }
    }
}
