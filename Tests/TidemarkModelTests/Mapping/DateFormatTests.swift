import Testing
import TidemarkJSON

@testable import TidemarkModel

struct DateFormatTests {
    static let second: Int64 = 1_000_000

    /// The moment 2016-01-09T12:40:08Z.
    static let moment: Int64 = 1_452_343_208 * second

    @Test(arguments: [
        "", "2014-01", "2014-1-2", "2014-13-01", "2014-00-01", "2014-01-32", "2014-01-00",
        "2014-02-29", "2014-02-30", "1900-02-29", "2014-04-31", "02014-01-01", "-2014-01-01",
        "2014-01-02T", "2014-01-02T10", "2014-01-02T10:", "2014-01-02T25:00:00",
        "2014-01-02T24:00:00", "2014-01-02T10:60:00", "2014-01-02T10:00:61", "2014-01-02T10:00:60Z",
        "2016-12-31T23:59:60+01:00", "2014-01-02T10:00:00.", "2014-01-02T10:00:00.Z",
        "2014-01-02T10:00:00.1234567890Z", "2014-01-02T10:00:00+24:00", "2014-01-02T10:00:00+01:60",
        "2014-01-02T10:00:00+1", "2014-01-02T10:00:00+01:", "2014-01-02T10:00:00ZZ",
        "2014-01-02T10:00:00 ", "2014-01-02  10:00:00", "2014-01-02x10:00:00", " 2014-01-02",
        "2014-01-02Z", "2014/01/02", "12/12/2018", "20140102T1", "20140102T101112x",
        "abc", "now", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37",
        "Xxx, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
        "Sun, 31 Feb 1994 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT",
        "/Date(abc)/", "/Date()/", "/Date(1", "/Date(1)", "/Date(1)/x", "/Date(1+07)/ ", "/",
        "1,358", "1e400", "99999999999999999999999", "-", "--1", "NaN", "٢٠١٤-٠١-٠٢",
    ])
    func `rejects a text that is not a date`(_ text: String) {
        #expect(DateFormat.automatic.microseconds(from: text) == nil)
    }

    @Test(
        arguments: [
            ("2014-01-02", 1_388_620_800_000_000), ("1970-01-01", 0),
            ("1969-12-31", -86_400_000_000),
            ("0000-01-01", -62_167_219_200_000_000), ("2000-02-29", 951_782_400_000_000),
            ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
            ("2016-01-09T12:40:08Z", moment), ("2016-01-09t12:40:08z", moment),
            ("2016-01-09 12:40:08", moment), ("2016-01-09T12:40:08", moment),
            ("2016-01-09 12:40:08 UTC", moment), ("2016-01-09 14:40:08 +0200", moment),
            ("2016-01-09T12:40Z", moment - 8 * second), ("20160109T124008Z", moment),
            ("20160109T124008.5+0000", moment + 500_000), ("20160109T1240", moment - 8 * second),
            ("2016-01-09T14:40:08+02:00", moment), ("2016-01-09T14:40:08+0200", moment),
            ("2016-01-09T14:40:08+02", moment), ("2016-01-09T05:40:08-07:00", moment),
            ("2016-01-09T05:40:08-0700", moment), ("2016-01-09T12:40:08-00:00", moment),
            ("2016-01-09T18:25:08.123+05:45", moment + 123_000),
            ("2016-01-09T14:40:08.123+0200", moment + 123_000),
            ("2016-01-09T05:40:08.123-0700", moment + 123_000),
            ("2016-01-09T12:40:08.2Z", moment + 200_000),
            ("2016-01-09T12:40:08,2Z", moment + 200_000),
            ("2016-01-09T12:40:08.12", moment + 120_000),
            ("2016-01-09T12:40:08.07Z", moment + 70_000),
            ("2016-01-09T12:40:08.1234Z", moment + 123_400),
            ("2016-01-09T12:40:08.12345Z", moment + 123_450),
            ("2016-01-09T12:40:08.123456Z", moment + 123_456),
            ("2016-01-09T12:40:08.1234564Z", moment + 123_456),
            ("2016-01-09T12:40:08.1234565Z", moment + 123_457),
            ("2016-01-09T12:40:08.123456789Z", moment + 123_457),
            ("2016-01-09T12:40:08.999999999Z", moment + second),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000_000),
            ("2017-01-01T00:59:60+01:00", 1_483_228_800_000_000),
            ("Sat, 09 Jan 2016 12:40:08 GMT", moment), ("Sat, 9 Jan 2016 14:40:08 +0200", moment),
            ("09 Jan 2016 12:40:08 UT", moment), ("Saturday, 09 Jan 2016 07:40:08 EST", moment),
            ("Sat, 09 Jan 2016 05:40:08 PDT", moment),
            ("9 jan 2016 12:40 gmt", moment - 8 * second),
            ("1452343208", moment), ("1452343208000", moment), ("1452343208000000", moment),
            ("1452343208.5", moment + 500_000), ("1452343208123.4567", moment + 123_457),
            ("-1", -second), ("-0.5", -500_000), ("0", 0), ("1.5e9", 1_500_000_000 * second),
            ("99999999999", 99_999_999_999 * second), ("100000000000", 100_000_000 * second),
            ("9999999999999", 9_999_999_999_999_000), ("100000000000000", 100_000_000 * second),
            ("-100000000000", -100_000_000 * second), ("1e-30", 0),
            ("1452343208.00000049999999999999999", moment), ("0.0000005", 1), ("0.00000049", 0),
            ("/Date(1452343208000)/", moment), ("/Date(1452343208000+0700)/", moment),
            ("/Date(-1)/", -1000), ("/Date(0)/", 0),
        ] as [(String, Int64)]
    )
    func `reads every common date format`(_ text: String, _ expected: Int64) {
        #expect(DateFormat.automatic.microseconds(from: text) == expected)
    }

    @Test(
        arguments: [
            ("20160109", "2016-01-09T00:00:00Z"), ("20160229", "2016-02-29T00:00:00Z"),
            ("2014", "2014-01-01T00:00:00Z"), ("0001", "0001-01-01T00:00:00Z"),
            ("20160109124008", "2016-01-09T12:40:08Z"),
            ("20160109124008.5", "2016-01-09T12:40:08.500Z"),
            ("20160109124008.1234567891", "2016-01-09T12:40:08.123457Z"),
            ("2016.0", "2016-01-01T00:00:00Z"), ("20160109.00", "2016-01-09T00:00:00Z"),
            ("20161309124008", nil), ("20161350000000", nil), ("99999999999999", nil),
            ("00001452343208", nil), ("20161350000000.5", nil), ("20150229", nil),
            ("20161301", nil), ("20160100", nil), ("99999999", nil), ("00000000", nil),
            ("0000", nil), ("201601", nil), ("160109", nil), ("2016109", nil), ("12345", nil),
            ("2016.5", nil), ("201601.0", nil), ("20160109.5", nil), ("2.016e3", nil),
            ("2.0160109E7", nil), ("2016.", nil), ("2016.0.0", nil),
            ("1441843200", "2015-09-10T00:00:00Z"), ("123", "1970-01-01T00:02:03Z"),
            ("123.5", "1970-01-01T00:02:03.500Z"), ("-2014", "1969-12-31T23:26:26Z"),
        ] as [(String, String?)]
    )
    func `reads four to eight or fourteen digits as a calendar date, or not at all`(
        _ digits: String,
        _ date: String?
    ) throws {
        let moment = DateFormat.automatic.microseconds(from: digits)
        #expect(moment.map { DateFormat.automatic.string(from: $0) } == date)
        // An explicit format replaces the detection.
        guard digits.count < 10, let seconds = Int64(digits) else { return }
        #expect(try DateFormat("seconds").microseconds(from: digits) == seconds * Self.second)
    }

    @Test(
        arguments: [
            ("seconds", "200000000000", 200_000_000_000 * second), ("milliseconds", "1000", second),
            ("microseconds", "1000", 1000), ("milliseconds", "2016-01-09T12:40:08Z", moment),
            ("seconds", "1e20", nil), ("dd.MM.yyyy HH:mm:ss", "09.01.2016 12:40:08", moment),
            ("d.M.y H:m:s", "9.1.2016 12:40:8", moment),
            ("yyyyMMddHHmmssSSS", "20160109124008250", moment + 250_000),
            ("yyyyMMdd", "20160109", moment - 45_608 * second),
            ("yy-MM-dd", "16-01-09", moment - 45_608 * second),
            ("yy", "69", -31_536_000 * second), ("yy", "68", 3_092_601_600 * second),
            ("EEE MMM dd HH:mm:ss Z yyyy", "Sat Jan 09 14:40:08 +0200 2016", moment),
            ("EEEE, d MMMM yyyy, h:mm:ss a", "Saturday, 9 January 2016, 12:40:08 PM", moment),
            ("h a", "12 am", 0), ("h a", "12 PM", 43_200 * second),
            ("h a", "1 pm", 46_800 * second),
            ("h a", "0 am", nil), ("h a", "13 pm", nil), ("h a", "1 xm", nil),
            ("yyyy-MM-dd'T'HH:mm:ssXXX", "2016-01-09T14:40:08+02:00", moment),
            ("yyyy-MM-dd'T'HH:mm:ssX", "2016-01-09T12:40:08Z", moment),
            ("yyyy-MM-dd'T'HH:mm:ssxx", "2016-01-09T12:40:08Z", nil),
            ("yyyy-MM-dd HH:mm:ss ZZZZ", "2016-01-09 13:40:08 GMT+01:00", moment),
            ("yyyy-MM-dd HH:mm:ss ZZZZ", "2016-01-09 12:40:08 GMT", moment),
            ("H 'o''clock' ''", "1 o'clock '", 3600 * second), ("yyyy-MM-dd", "2016-02-30", nil),
            ("yyyy-MM-dd", "2016-01-09 ", nil), ("yyyy-MM-dd", "", nil), ("MMM", "Juny", nil),
            ("HH:mm", "24:00", nil), ("yyyy年M月d日", "2016年1月9日", moment - 45_608 * second),
        ] as [(String, String, Int64?)]
    )
    func `reads dates in the format of a model`(
        _ format: String,
        _ text: String,
        _ expected: Int64?
    ) throws {
        #expect(try DateFormat(format).microseconds(from: text) == expected)
    }

    @Test(arguments: [
        "", "'", "yyyy-'x", "''", "...", "QQ", "yyyyy", "ddd", "zzzz", "w", "k", "SSSSSSSSSS", "B",
        "second",
    ])
    func `rejects an unsupported format`(_ format: String) {
        #expect(throws: ModelError.self) { try DateFormat(format) }
    }

    @Test(
        arguments: [
            (.iso8601(.never), "2016-01-09T12:40:08Z"), (.automatic, "2016-01-09T12:40:08.120Z"),
            (.iso8601(.always), "2016-01-09T12:40:08.120Z"),
            (.rfc1123, "Sat, 09 Jan 2016 12:40:08 GMT"),
        ] as [(DateFormat, String)]
    )
    func `writes ISO 8601 and RFC 1123 dates`(_ format: DateFormat, _ text: String) {
        #expect(format.string(from: Self.moment + 120_000) == text)
    }

    @Test(arguments: [
        ("seconds", "1452343208.12345"), ("milliseconds", "1452343208123.45"),
        ("microseconds", "1452343208123450"),
        ("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2016-01-09T18:25:08.123+05:45"),
        ("yy/M/d h:mm a", "16/1/9 6:25 PM"), ("EEEE E MMMM MMM LL", "Saturday Sat January Jan 01"),
        ("Z ZZZZ ZZZZZ X XX XXX x", "+0545 GMT+05:45 +05:45 +0545 +0545 +05:45 +0545"),
        ("SSSSSSSSS S", "123450000 1"), ("'it''s' H", "it's 18"),
    ])
    func `writes dates in the format of a model, in a time zone`(
        _ format: String,
        _ text: String
    ) throws {
        let zone = 5 * 3600 + 45 * 60
        #expect(try DateFormat(format).string(from: Self.moment + 123_450, offset: zone) == text)
    }

    @Test func `writes dates before 1970 and offsets of whole hours`() throws {
        #expect(DateFormat.automatic.string(from: -1) == "1969-12-31T23:59:59.999999Z")
        #expect(DateFormat.automatic.string(from: 0, offset: -3600) == "1969-12-31T23:00:00-01:00")
        #expect(try DateFormat("seconds").string(from: -1_500_000) == "-1.5")
        #expect(try DateFormat("h a X x").string(from: 0) == "12 AM Z +00")
        var writer = JSONWriter()
        writer.beginArray()
        try DateFormat("seconds").write(1_500_000, into: &writer)
        DateFormat.automatic.write(0, into: &writer)
        writer.endArray()
        #expect(writer.bytes == Array(#"[1.5,"1970-01-01T00:00:00Z"]"#.utf8))
    }

    @Test func `reads dates from JSON values of services`() throws {
        try CoercionTests.check(
            Attribute("d", .date),
            [
                ("null", "NULL"), ("20160109", "1452297600.0"),
                ("20150229", CoercionTests.notDate), ("1452343208", "1452343208.0"),
                ("1452343208.5", "1452343208.5"),
                (#""1452343208""#, "1452343208.0"), (#""\/Date(1452343208000)\/""#, "1452343208.0"),
                (#"{"__type":"Date","iso":"2016-01-09T12:40:08.000Z"}"#, "1452343208.0"),
                (#"{"__type":"Bytes","iso":"2016-01-09T12:40:08.000Z"}"#, CoercionTests.notDate),
                (#"{"__type":"Date","iso":1}"#, CoercionTests.notDate),
                ("{}", CoercionTests.notDate),
                ("true", CoercionTests.notDate), ("[]", CoercionTests.notDate),
                (#""""#, CoercionTests.notDate), ("1e300", CoercionTests.notDate),
            ]
        )
        try CoercionTests.check(
            Attribute("d", .date, dateFormat: "yyyyMMdd"),
            [("20160109", "1452297600.0"), (#""2016-01-09""#, CoercionTests.notDate)]
        )
    }
}
