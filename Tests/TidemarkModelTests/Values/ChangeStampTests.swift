import Testing
import TidemarkModel

struct ChangeStampTests {
    /// A stamp, and the stamp that is one printed unit earlier.
    static let stamps = [
        ("5", "4"), ("0", "-1"), ("-5", "-6"), ("1795305651006", "1795305651005"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("2026-11-22T00:22:31Z", "2026-11-22T00:22:30Z"),
        ("2026-11-22 00:22:31", "2026-11-22T00:22:30Z"),
        ("2026-01-01T00:00:00Z", "2025-12-31T23:59:59Z"),
        ("2024-03-01T00:00:00Z", "2024-02-29T23:59:59Z"),
        ("2026-11-22T02:22:31+02:00", "2026-11-22T00:22:30Z"),
        ("2026-11-22T00:22:31.5Z", "2026-11-22T00:22:31.400Z"),
        ("2026-11-22T00:22:31.50Z", "2026-11-22T00:22:31.490Z"),
        ("2026-11-22T00:22:31.194Z", "2026-11-22T00:22:31.193Z"),
        ("2026-11-22T00:22:31.000Z", "2026-11-22T00:22:30.999Z"),
        ("2026-11-22T02:22:31.000+02:00", "2026-11-22T00:22:30.999Z"),
        ("2026-11-22T00:22:31.556107Z", "2026-11-22T00:22:31.556106Z"),
        ("2026-11-22T00:22:31.000000Z", "2026-11-22T00:22:30.999999Z"),
        ("2026-11-22T00:22:31.556001Z", "2026-11-22T00:22:31.556Z"),
        // Digits beyond microseconds are rounded.
        ("2026-11-22T00:22:31.556107999Z", "2026-11-22T00:22:31.556107Z"),
        ("2026-11-22T00:22:31.556107499Z", "2026-11-22T00:22:31.556106Z"),
        ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:36Z"),
        // A date, or a time without seconds, means its first moment.
        ("2026-11-22", "2026-11-21T23:59:59Z"), ("2026-11-22T00:22Z", "2026-11-22T00:21:59Z"),
        // There is no date before the first one.
        ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
    ]

    @Test(arguments: stamps)
    func `the earlier stamp is one printed unit earlier`(
        _ text: String,
        _ earlier: String
    ) throws {
        let stamp = try #require(ChangeStamp(text))
        #expect(stamp.text == text)
        #expect(stamp.earlier.text == earlier)
        #expect(stamp.earlier <= stamp)
    }

    /// A stamp, a number of seconds, and the stamp that much earlier.
    @Test(arguments: [
        ("2026-11-22T00:22:31Z", 0.0, "2026-11-22T00:22:31Z"),
        ("2026-11-22T00:22:31Z", 31, "2026-11-22T00:22:00Z"),
        ("2026-11-22T00:22:31Z", 1_352, "2026-11-21T23:59:59Z"),
        ("2026-11-22T00:22:31.194Z", 0.2, "2026-11-22T00:22:30.994Z"),
        ("2026-11-22T02:22:31+02:00", 31, "2026-11-22T00:22:00Z"),
        ("2026-11-22T00:22:31Z", -5, "2026-11-22T00:22:31Z"),
        ("2026-11-22T00:22:31Z", 1e18, "2026-11-22T00:22:31Z"),
        ("1795305651", 51, "1795305600"), ("1795305651006", 51, "1795305600006"),
        ("1795305651000006", 51, "1795305600000006"),
        ("5", 51, "5"), ("-9223372036854775808", 51, "-9223372036854775808"),
    ])
    func `a stamp moves earlier by a duration if it is a time`(
        _ text: String,
        _ seconds: Double,
        _ earlier: String
    ) throws {
        let stamp = try #require(ChangeStamp(text))
        #expect(stamp.earlier(by: .seconds(seconds)).text == earlier)
    }

    @Test(arguments: [
        "", " ", "x", "null", "NaN", "1e400", "9223372036854775808", "99999999999999999999",
        "2026-13-01T00:00:00Z", "2026-02-30", "2026-11-22T25:00:00Z", "2026-11-22T00:00:00Zx",
        "10000-01-01T00:00:00Z", "2026-11-22T00:22:31.Z", "yesterday", "\u{0}",
        String(repeating: "1", count: 10_000),
        "2026-11-22T00:00:00." + String(repeating: "1", count: 10_000) + "Z",
    ])
    func `a text that is neither a number nor a date is not a stamp`(_ text: String) {
        #expect(ChangeStamp(text) == nil)
    }

    /// Stamps of one service, in ascending order.
    static let orders = [
        ["-3", "0", "9", "10", "1795305651006", "1795305651007"],
        [
            "2025-12-31T23:59:59.999999Z", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.001Z",
            "2026-01-01T00:00:00.5Z", "2026-01-01T00:00:01Z", "2026-01-01T00:00:00-01:00",
            "2026-01-02",
        ],
    ]

    @Test(arguments: orders)
    func `stamps are ordered by value`(_ texts: [String]) throws {
        let stamps = try texts.map { try #require(ChangeStamp($0)) }
        #expect(stamps.shuffled().sorted().map(\.text) == texts)
        for (one, other) in zip(stamps, stamps.dropFirst()) {
            #expect(one < other)
            #expect(!(other < one))
        }
    }

    @Test func `stamps of the same moment are neither before nor after each other`() throws {
        let one = try #require(ChangeStamp("2026-01-01T01:00:00+01:00"))
        let other = try #require(ChangeStamp("2026-01-01T00:00:00.000Z"))
        #expect(!(one < other) && !(other < one))
        #expect(one.earlier < other.earlier)
    }
}
