import Testing

@testable import TidemarkModel

struct CoercionTests {
    static let notWhole = "The value is not a whole number."
    static let notNumber = "The value is not a number."
    static let notDate = "The value is not a date in a known form."

    static func check(
        _ attribute: Attribute,
        _ table: [(String, String)],
        asKey: Bool = false,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let coercion = try Coercion(attribute)
        for (json, expected) in table {
            #expect(
                try coercion.outcome(of: json, asKey: asKey) == expected,
                "\(json)",
                sourceLocation: location
            )
        }
    }

    @Test func `whole numbers convert exactly or are rejected`() throws {
        try Self.check(
            Attribute("n", .integer64),
            [
                ("null", "NULL"), ("0", "0"), ("-0", "0"), ("42", "42"), ("-7", "-7"),
                ("12.0", "12"), ("1e3", "1000"), ("1.5e1", "15"), ("100e-2", "1"),
                ("9223372036854775807", "9223372036854775807"),
                ("-9223372036854775808", "-9223372036854775808"),
                ("9223372036854775808", "The value does not fit into 64 bits."),
                ("12345678901234567890", "The value does not fit into 64 bits."),
                ("1e400", "The value does not fit into 64 bits."),
                ("1e999999999999999999999", "The value does not fit into 64 bits."),
                ("0e999999999999999999999", "0"), ("1e-1", Self.notWhole), ("1.5", Self.notWhole),
                ("0.99999999999999999999999", Self.notWhole), ("1e-400", Self.notWhole),
                ("999999999999999999", "999999999999999999"),
                ("-99999999999999999", "-99999999999999999"),
                ("true", Self.notNumber), ("[]", Self.notNumber), ("{\"a\":1}", Self.notNumber),
            ]
        )
    }

    @Test func `numeric strings are numbers`() throws {
        try Self.check(
            Attribute("n", .integer64),
            [
                (#""42""#, "42"), (#""-42""#, "-42"), (#""+42""#, "42"), (#""007""#, "7"),
                (#""12.0""#, "12"), (#""1e3""#, "1000"), (#""1,358""#, "1358"),
                (#""12,345,678""#, "12345678"), (#""-1,000""#, "-1000"), (#""1,358.0""#, "1358"),
                (#""\u0034\u0032""#, "42"), (#""""#, Self.notNumber), (#"" 42""#, Self.notNumber),
                (#""42 ""#, Self.notNumber), (#""4 2""#, Self.notNumber),
                (#""abc""#, Self.notNumber),
                (#""1,35""#, Self.notNumber), (#""1,3580""#, Self.notNumber),
                (#""1358,000""#, Self.notNumber), (#"",358""#, Self.notNumber),
                (#""0,358""#, Self.notNumber), (#""1,358,00""#, Self.notNumber),
                (#""1,""#, Self.notNumber), (#""1,358e2""#, Self.notNumber),
                (#""1.5,000""#, Self.notNumber), (#""0x10""#, Self.notNumber),
                (#""1.""#, Self.notNumber), (#"".5""#, Self.notNumber), (#""1e""#, Self.notNumber),
                (#""--1""#, Self.notNumber), (#""-""#, Self.notNumber), (#""NaN""#, Self.notNumber),
                (#""1.5""#, Self.notWhole),
            ]
        )
    }

    @Test func `16-bit and 32-bit integers have their own range`() throws {
        try Self.check(
            Attribute("n", .integer16),
            [
                ("32767", "32767"), ("-32768", "-32768"),
                ("32768", "The value does not fit into 16 bits."),
                ("-32769", "The value does not fit into 16 bits."),
                ("3.2768e4", "The value does not fit into 16 bits."),
            ]
        )
        try Self.check(
            Attribute("n", .integer32),
            [
                ("2147483647", "2147483647"), ("-2147483648", "-2147483648"),
                ("2147483648", "The value does not fit into 32 bits."),
                (#""2,147,483,648""#, "The value does not fit into 32 bits."),
            ]
        )
    }

    @Test func `doubles are rounded once`() throws {
        try Self.check(
            Attribute("n", .double),
            [
                ("0", "0.0"), ("-0", "-0.0"), ("-0.0", "-0.0"), ("1", "1.0"), ("0.1", "0.1"),
                ("96.90406502940995", "96.90406502940995"), ("1e22", "1e+22"), ("1e23", "1e+23"),
                ("9007199254740993", "9007199254740992.0"),
                ("9007199254740993.0000000000001", "9.007199254740994e+15"),
                ("1.7976931348623157e308", "1.7976931348623157e+308"),
                ("5e-324", "5e-324"), ("1e-400", "0.0"), ("-1e-400", "-0.0"),
                ("1e400", "The value is out of the range of type double."),
                (#""1,358.5""#, "1358.5"),
                (#""1,234,567,890,123,456,789,012.5""#, "1.2345678901234568e+21"),
                (#""x""#, Self.notNumber), ("false", Self.notNumber),
            ]
        )
    }

    @Test func `floats are rounded to single precision`() throws {
        try Self.check(
            Attribute("n", .float),
            [
                ("0.1", "\(Double(Float(0.1)))"), ("16777217", "16777216.0"),
                ("1.00000017881393432617187499", "1.0000001192092896"),
                ("1.00000017881393432617187500", "1.000000238418579"),
                ("1.00000017881393432617187501", "1.000000238418579"),
                ("3.5e38", "The value is out of the range of type float."),
                ("1e-60", "0.0"),
            ]
        )
    }

    @Test func `equal decimals have the same text`() throws {
        let longest = String(repeating: "9", count: 38)
        try Self.check(
            Attribute("n", .decimal),
            [
                ("12.20", "'12.2'"), (#""12.2""#, "'12.2'"), ("-0", "'0'"), ("0.000", "'0'"),
                ("1e3", "'1000'"), ("1.5E-3", "'0.0015'"), ("-0.50", "'-0.5'"), ("100", "'100'"),
                (#""+007.10""#, "'7.1'"), (#""1,358.20""#, "'1358.2'"), ("0.1", "'0.1'"),
                (longest, "'\(longest)'"), ("0.\(longest)", "'0.\(longest)'"),
                (
                    "1234567890123456789.1234567890123456789",
                    "'1234567890123456789.1234567890123456789'"
                ),
                ("\(longest)0", "'\(longest)0'"),
                ("\(longest)1", "The value has more than 38 digits."),
                ("1e127", "'1\(String(repeating: "0", count: 127))'"),
                ("1e128", "The value is out of the range of type decimal."),
                ("1e-128", "'0.\(String(repeating: "0", count: 127))1'"),
                ("1e-129", "The value is out of the range of type decimal."),
                ("true", Self.notNumber), (#""1.2.3""#, Self.notNumber),
            ]
        )
    }

    @Test func `booleans are true and false, one and zero, yes and no`() throws {
        let neither = "The value is neither true nor false."
        try Self.check(
            Attribute("b", .boolean),
            [
                ("true", "1"), ("false", "0"), ("1", "1"), ("0", "0"), ("1.0", "1"),
                (#""true""#, "1"), (#""FALSE""#, "0"), (#""Yes""#, "1"), (#""no""#, "0"),
                (#""1""#, "1"), (#""0""#, "0"), ("2", neither), ("-1", neither), (#""t""#, neither),
                (#""on""#, neither), (#""""#, neither), ("[true]", neither),
            ]
        )
        #expect(try Coercion(Attribute("b", .boolean)).outcome(of: "0.5") == Self.notWhole)
    }

    @Test func `strings accept the text of any scalar`() throws {
        try Self.check(
            Attribute("s", .string),
            [
                (#""a\nb""#, "'a\nb'"), (#""""#, "''"), ("12", "'12'"), ("1.50", "'1.50'"),
                ("1e3", "'1e3'"), ("true", "'true'"), ("null", "NULL"),
                (
                    #""a\u0000b""#,
                    "The value contains the character U+0000, which no text in a store can hold."
                ),
                ("[]", "The value is not a text."), ("{}", "The value is not a text."),
            ]
        )
    }

    @Test func `UUIDs and URIs are validated`() throws {
        let id = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
        let notUUID = "The value is not a UUID."
        try Self.check(
            Attribute("u", .uuid),
            [
                ("\"\(id)\"", "'\(id)'"), ("\"\(id.lowercased())\"", "'\(id)'"),
                ("\"\(id.replacing("-", with: ""))\"", notUUID), ("\"{\(id)}\"", notUUID),
                ("\"\(id.dropLast())G\"", notUUID), (#""""#, notUUID), ("1", notUUID),
            ]
        )
        let notURI = "The value is not a URI."
        try Self.check(
            Attribute("u", .uri),
            [
                (#""https:\/\/example.com\/é""#, "'https://example.com/é'"), (#""a""#, "'a'"),
                (#""""#, notURI), (#""a b""#, notURI), (#""a\nb""#, notURI), ("1", notURI),
                (
                    #""a\u0000""#,
                    "The value contains the character U+0000, which no text in a store can hold."
                ),
            ]
        )
    }

    @Test func `binary and JSON attributes keep any value`() throws {
        try Self.check(
            Attribute("j", .json),
            [
                ("[ 1.50, {\"a\" : \"\\u0000 b\"} ]", "'[1.50,{\"a\":\"\\u0000 b\"}]'"),
                ("\"x\"", "'\"x\"'"), ("12", "'12'"), ("null", "NULL"),
            ]
        )
        try Self.check(
            Attribute("b", .binary),
            [("[ 1 ]", "x\(Array("[1]".utf8))"), ("\"\"", "x\([34, 34])")]
        )
        let not = "The value is not base64."
        try Self.check(
            Attribute("b", .binary, encoding: .base64),
            [
                (#""""#, "x[]"), (#""AA==""#, "x[0]"), (#""AA""#, "x[0]"),
                (#""AAEC""#, "x[0, 1, 2]"),
                (#""_-8=""#, "x[255, 239]"), (#""\/+8""#, "x[255, 239]"),
                (#""AA\nEC\r\n""#, "x[0, 1, 2]"),
                (#"{"__type":"Bytes","base64":"AAE="}"#, "x[0, 1]"),
                (#""A""#, not), (#""AB==""#, not), (#""AA=""#, not), (#""AA=A""#, not),
                (#""AAEC=""#, not), (#""AA===""#, not), (#""A A""#, not), ("1", not), ("{}", not),
            ]
        )
    }

    @Test func `a transformable value is left to its transformer`() throws {
        try Self.check(
            Attribute("t", .transformable),
            [("[1]", "ignored"), ("null", "NULL"), ("1", "ignored")]
        )
    }

    @Test func `texts that mean null become null`() throws {
        try Self.check(
            Attribute("n", .integer16, nullValues: ["unknown", "n/a", "-1", "é"]),
            [
                (#""unknown""#, "NULL"), (#""n\/a""#, "NULL"), ("-1", "NULL"),
                (#""\u00e9""#, "NULL"),
                (#""Unknown""#, Self.notNumber), ("1", "1"),
            ]
        )
    }

    @Test func `a message contains the value only if it is passed`() {
        #expect(CoercionFailure.notANumber.sentence("n/a") == "`n/a` is not a number.")
        #expect(CoercionFailure.notANumber.description == Self.notNumber)
    }

    @Test func `rejects a date format or a default value that is invalid`() {
        #expect(throws: ModelError.self) {
            try Coercion(Attribute("d", .date, dateFormat: "yyyy-QQ"))
        }
        #expect(throws: ModelError.self) {
            try Coercion(Attribute("n", .integer16, defaultValue: .integer(70_000)))
        }
    }
}
