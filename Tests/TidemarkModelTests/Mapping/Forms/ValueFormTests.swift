import Testing
import TidemarkJSON

@testable import TidemarkModel

/// The forms in which a service writes values, and requests in the same forms.
struct ValueFormTests {
    private func form(_ json: String, _ type: AttributeType) throws -> ValueForm? {
        try JSONDocument(Array(json.utf8)).withRoot { ValueForm(of: $0, type: type) }
    }

    private func text(_ value: WrittenValue?) -> String? {
        switch value {
        case .string(let text): "\"\(text)\""
        case .raw(let text): text
        case nil: nil
        }
    }

    @Test(arguments: [
        ("7", AttributeType.integer64, "number"), (#""7""#, .integer64, "text:0"),
        (#""7.00""#, .integer64, "text:2"), ("12.5", .decimal, "number"),
        (#""12.50""#, .decimal, "text:2"), (#""1e-7""#, .double, "text:0"),
        (#""1.25e3""#, .double, "text:2"), ("true", .boolean, "flag:true"),
        ("false", .boolean, "flag:true"), ("0", .boolean, "flag:1"),
        (#""0""#, .boolean, #"flag:"1""#), (#""true""#, .boolean, #"flag:"true""#),
        (#""FALSE""#, .boolean, #"flag:"TRUE""#), (#""No""#, .boolean, #"flag:"Yes""#),
        ("12345", .string, "number"), (#""12345""#, .string, "text"),
        (#""2026-01-02""#, .date, "date:yyyy-MM-dd"),
        (#""2026-01-02T03:04Z""#, .date, "date:yyyy-MM-dd'T'HH:mmXXX"),
        (#""2026-01-02T03:04:05Z""#, .date, "date:yyyy-MM-dd'T'HH:mm:ssXXX"),
        (#""2026-01-02T03:04:05.123456Z""#, .date, "date:yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX"),
        (#""2026-01-02 03:04:05""#, .date, "date:yyyy-MM-dd HH:mm:ss"),
        (#""2026-01-02T03:04:05+02:00""#, .date, "date:yyyy-MM-dd'T'HH:mm:ssxxx 120"),
        (#""2026-01-02T03:04:05-0330""#, .date, "date:yyyy-MM-dd'T'HH:mm:ssxx -210"),
        (#""2026-01-02T03:04:05+00""#, .date, "date:yyyy-MM-dd'T'HH:mm:ssx"),
        (#""20260102T030405Z""#, .date, "date:yyyyMMdd'T'HHmmssXXX"),
        (#""20260102""#, .date, "date:yyyyMMdd"), ("20260102", .date, "date:yyyyMMdd as number"),
        (#""20260102030405""#, .date, "date:yyyyMMddHHmmss"),
        ("1452343208", .date, "date:seconds as number"),
        (#""1452343208""#, .date, "date:seconds"),
        ("1452343208.25", .date, "date:seconds.SS as number"),
        ("1452343208250", .date, "date:milliseconds as number"),
        ("-1", .date, "date:seconds as number"),
        (#""Sun, 06 Nov 1994 08:49:37 GMT""#, .date, "date:rfc1123"),
        (#""\/Date(1198908717056)\/""#, .date, "date:/Date(milliseconds)/"),
    ])
    func `a value shows its form, which a store contains as text`(
        json: String,
        type: AttributeType,
        expected: String
    ) throws {
        let form = try form(json, type)
        #expect(form?.stored == expected)
        #expect(ValueForm(stored: expected) == form)
    }

    @Test(arguments: [
        ("null", AttributeType.decimal), ("true", .integer64), ("[1]", .decimal), ("{}", .date),
        (#""2016""#, .date), (#""Sun, 06 Nov 1994 08:49:37 EST""#, .date), (#""x""#, .boolean),
        (#""b7e0b3a1-6a0c-4b0e-9c7b-0b1a2c3d4e5f""#, .uuid), ("{}", .json),
    ])
    func `a value that has no form of its own shows none`(
        json: String,
        type: AttributeType
    ) throws {
        #expect(try form(json, type) == nil)
    }

    @Test(arguments: [
        "", "numbers", "text:", "text:-1", "text:x", "text:999999999999999999999", "date:",
        "date:yyyy",
        "date:yyyy-MM-dd'T'", "date:yyyy-MM-dd'T'HH:mm:ss.",
        "date:yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSSS",
        "date:yyyy-MM-dd'T'HH:mmXXX 9999", "date:yyyy-MM-dd'T'HH:mmXXX 1 2", "date:hours",
        "flags:true",
    ])
    func `a text of no known form is ignored`(text: String) {
        #expect(ValueForm(stored: text) == nil)
    }

    @Test(arguments: [
        ("number", Value.integer(9), nil), ("text:0", .integer(9), #""9""#),
        ("text:2", .integer(9), #""9.00""#), ("text:2", .decimal("13.5"), #""13.50""#),
        ("text:2", .decimal("13.505"), #""13.505""#), ("text:0", .decimal("0.75"), #""0.75""#),
        ("text:2", .decimal("1e5"), #""100000.00""#), ("text:2", .decimal("+1.5E1"), #""15.00""#),
        ("text:2", .decimal("1.500"), #""1.500""#), ("text:0", .decimal("1e-2"), #""0.01""#),
        ("text", .decimal("1e5"), #""100000""#), ("text:2", .decimal("1,5"), nil),
        ("text:2", .decimal("1,500"), nil), ("text:2", .decimal(""), nil),
        ("text:2", .decimal("abc"), nil), ("text", .decimal("abc"), nil),
        ("text:1", .double(0.75), #""0.75""#),
        ("text:0", .double(1e20), #""100000000000000000000""#),
        ("text:2", .double(-0.5), #""-0.50""#), ("text:0", .double(.infinity), nil),
        ("flag:1", .boolean(false), "0"), ("flag:1", .boolean(true), "1"),
        (#"flag:"1""#, .boolean(false), #""0""#), (#"flag:"True""#, .boolean(false), #""False""#),
        (#"flag:"yes""#, .boolean(true), #""yes""#), ("flag:true", .boolean(true), "true"),
        ("flag:1", .integer(5), nil), ("number", .string("13"), "13"),
        ("number", .string("007"), nil), ("number", .string("1,358"), nil),
        ("number", .string("1.50"), "1.50"), ("number", .string("x"), nil),
        ("number", .string("+1"), nil), ("number", .string("-"), nil),
        ("number", .string(".5"), nil), ("text", .integer(4), #""4""#),
        ("text", .string("a"), nil),
    ])
    func `a value is written in the form, and loses nothing`(
        form: String,
        value: Value,
        expected: String?
    ) throws {
        let form = try #require(ValueForm(stored: form))
        #expect(text(form.written(value)) == expected)
    }

    /// The moment 2026-02-03T00:00:00Z.
    private static let day = 1_770_076_800.0

    @Test(arguments: [
        ("yyyy-MM-dd", 0.0, #""2026-02-03""#),
        ("yyyy-MM-dd", 3_600, #""2026-02-03T01:00:00Z""#),
        ("yyyy-MM-dd", 0.5, #""2026-02-03T00:00:00.500Z""#),
        ("yyyyMMdd as number", 0, "20260203"),
        ("yyyyMMdd as number", 60, #""20260203T000100Z""#),
        ("yyyy-MM-dd'T'HH:mmXXX", 60, #""2026-02-03T00:01Z""#),
        ("yyyy-MM-dd'T'HH:mmXXX", 61, #""2026-02-03T00:01:01Z""#),
        ("yyyy-MM-dd'T'HH:mm:ssXXX", 0, #""2026-02-03T00:00:00Z""#),
        ("yyyy-MM-dd'T'HH:mm:ssXXX", 0.25, #""2026-02-03T00:00:00.250Z""#),
        ("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", 0, #""2026-02-03T00:00:00.000Z""#),
        ("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", 0.123456, #""2026-02-03T00:00:00.123456Z""#),
        ("yyyy-MM-dd'T'HH:mm:ss.SXXX", 0.5, #""2026-02-03T00:00:00.5Z""#),
        ("yyyy-MM-dd'T'HH:mm:ss.SXXX", 0.25, #""2026-02-03T00:00:00.250Z""#),
        ("yyyy-MM-dd'T'HH:mm:ss.SSSSSSSXXX", 0.5, #""2026-02-03T00:00:00.5000000Z""#),
        ("yyyy-MM-dd'T'HH:mm:ssxxx", 0, #""2026-02-03T00:00:00+00:00""#),
        ("yyyy-MM-dd'T'HH:mm:ssxxx 120", 0, #""2026-02-03T02:00:00+02:00""#),
        ("yyyy-MM-dd'T'HH:mm:ssxx -210", 0, #""2026-02-02T20:30:00-0330""#),
        ("yyyy-MM-dd HH:mm:ss", 0, #""2026-02-03 00:00:00""#),
        ("yyyyMMddHHmmss", 1, #""20260203000001""#),
        ("seconds as number", 0, "1770076800"), ("seconds", 0, #""1770076800""#),
        ("seconds as number", 0.5, "1770076800.5"),
        ("milliseconds as number", 0.5, "1770076800500"),
        ("rfc1123", 0, #""Tue, 03 Feb 2026 00:00:00 GMT""#),
        ("rfc1123", 0.5, #""2026-02-03T00:00:00.500Z""#),
        ("/Date(milliseconds)/", 0.5, #""\/Date(1770076800500)\/""#),
        ("/Date(milliseconds)/", 0.000001, #""2026-02-03T00:00:00.000001Z""#),
    ])
    func `a date is written in the form, or in the next finer one that loses nothing`(
        form: String,
        seconds: Double,
        expected: String
    ) throws {
        let form = try #require(ValueForm(stored: "date:\(form)"))
        let written = text(form.written(.date(Self.day + seconds)))
        #expect(written == expected)
        // What was written is read as the same date.
        let value = try JSONDocument(Array((written ?? "").utf8)).withRoot { node in
            DateFormat.automatic.microseconds(
                from: node.kind == .string
                    ? node.string : String(decoding: node.source, as: UTF8.self)
            )
        }
        #expect(value == DateFormat.microseconds(fromSeconds: Self.day + seconds))
    }

    @Test func `a date before the year 1 is written in UTC, whatever the zone of the service is`()
        throws
    {
        let form = try #require(ValueForm(stored: "date:yyyy-MM-dd'T'HH:mm:ssxxx -60"))
        let first = DateFormat.seconds(fromMicroseconds: CivilTime.range.lowerBound)
        #expect(text(form.written(.date(first))) == #""0000-01-01T00:00:00+00:00""#)
        #expect(form.written(.date(-1e12)) == nil)
    }

    @Test(arguments: [
        ("text:1", "text:3", "text:3"), ("text:2", "text:0", "text:2"),
        ("number", "text:2", "number"), ("text:2", "number", "number"),
        ("number", "text", "text"), ("text", "number", "text"),
        (#"flag:"1""#, "flag:1", "flag:1"), ("flag:true", #"flag:"1""#, "flag:true"),
        ("date:yyyy-MM-dd", "date:yyyy-MM-dd'T'HH:mm:ssXXX", "date:yyyy-MM-dd'T'HH:mm:ssXXX"),
        ("date:yyyy-MM-dd'T'HH:mm:ssXXX", "date:yyyy-MM-dd", "date:yyyy-MM-dd'T'HH:mm:ssXXX"),
        (
            "date:yyyy-MM-dd'T'HH:mm:ssXXX", "date:yyyy-MM-dd'T'HH:mm:ss.SSXXX",
            "date:yyyy-MM-dd'T'HH:mm:ss.SSXXX"
        ),
        (
            "date:yyyy-MM-dd'T'HH:mm:ssxxx 60", "date:yyyy-MM-dd'T'HH:mm:ssxxx 120",
            "date:yyyy-MM-dd'T'HH:mm:ssxxx"
        ),
        (
            "date:yyyy-MM-dd'T'HH:mm:ssXXX", "date:yyyy-MM-dd'T'HH:mm:ssxxx 120",
            "date:yyyy-MM-dd'T'HH:mm:ssXXX"
        ),
        (
            "date:yyyy-MM-dd'T'HH:mm:ss", "date:yyyy-MM-dd'T'HH:mm:ssxxx 120",
            "date:yyyy-MM-dd'T'HH:mm:ssxxx 120"
        ),
        ("date:seconds as number", "date:milliseconds as number", "date:milliseconds as number"),
        ("date:milliseconds as number", "date:seconds as number", "date:milliseconds as number"),
        ("members:all", "members:some", "members:some"),
        ("members:all", "members:all", "members:all"),
        ("key:author_id", "number", "number"), ("url:whole", "number", "number"),
    ])
    func `the form of two values is the finer one`(one: String, other: String, both: String) throws
    {
        let form = try #require(ValueForm(stored: one))
        #expect(form.joined(with: try #require(ValueForm(stored: other))).stored == both)
        #expect(form.joined(with: form) == form)
    }

    @Test(arguments: [
        // An object, all objects, the object as it is changed.
        ("text:0", "number", "text:0"), ("number", "text:2", "number"),
        ("text:1", "text:3", "text:3"), ("text:3", "text:1", "text:3"),
        ("flag:1", "flag:true", "flag:1"),
        ("date:yyyy-MM-dd", "date:yyyy-MM-dd'T'HH:mm:ssXXX", "date:yyyy-MM-dd'T'HH:mm:ssXXX"),
        ("date:yyyy-MM-dd'T'HH:mm:ssXXX", "date:yyyy-MM-dd", "date:yyyy-MM-dd'T'HH:mm:ssXXX"),
        (
            "date:yyyy-MM-dd'T'HH:mm:ssxxx 60", "date:yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
            "date:yyyy-MM-dd'T'HH:mm:ss.SSSxxx 60"
        ),
        ("date:seconds as number", "date:yyyy-MM-dd'T'HH:mm:ssXXX", "date:seconds as number"),
        ("url:whole/", "number", "url:whole/"),
    ])
    func `an object is changed as it is written itself`(
        own: String,
        stored: String,
        expected: String
    ) throws {
        let own = try #require(ValueForm(stored: own))
        #expect(own.outranking(try #require(ValueForm(stored: stored))).stored == expected)
    }

    @Test(arguments: [
        ("4", true, "number"), (#""4""#, true, "text"), (#""k4""#, false, "text"),
        (#""https://a.example/people/4""#, true, "url:whole"),
        (#""https://a.example/people/4/""#, true, "url:whole/"),
        (#""/people/4/?a=b""#, true, "url:path/"), (#""//a.example/people/4""#, true, "url:whole"),
        (#""https://a.example/people/4""#, false, "text"),
    ])
    func `a reference shows its form`(json: String, isNumeric: Bool, expected: String) throws {
        let form = try JSONDocument(Array(json.utf8)).withRoot {
            ValueForm(ofReference: $0, isNumeric: isNumeric)
        }
        #expect(form?.stored == expected)
        #expect(ValueForm(stored: expected) == form)
    }
}
