import Testing
import TidemarkTestSupport

@testable import TidemarkModel

struct DatePropertyTests {
    /// Calls a closure for each day, counted one by one.
    private static func everyDay(_ body: (Int, Int, Int, Int64) -> Void) {
        var (year, month, day) = (1700, 1, 1)
        var days: Int64 = -98_615
        while year <= 2241 {
            body(year, month, day, days)
            days += 1
            day += 1
            let isLeap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0
            let length = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
            if day > length {
                day = 1
                month += 1
            }
            if month > 12 {
                month = 1
                year += 1
            }
        }
    }

    private static func padded(_ number: Int, _ count: Int = 2) -> String {
        String(repeating: "0", count: max(0, count - "\(number)".count)) + "\(number)"
    }

    @Test func `agrees with a calendar counted day by day`() {
        var failures: [String] = []
        Self.everyDay { year, month, day, days in
            let text = "\(year)-\(Self.padded(month))-\(Self.padded(day))"
            let moment = days * 86_400_000_000
            let weekday = Int((days % 7 + 11) % 7)
            if DateFormat.automatic.microseconds(from: text) != moment
                || DateFormat.automatic.string(from: moment) != text + "T00:00:00Z"
                || CivilTime(microseconds: moment).weekday != weekday
            {
                failures.append(text)
            }
        }
        #expect(failures == [])
    }

    @Test func `keeps every microsecond from 1700 to 2241 as text and as stored value`() {
        for seed in UInt64(1)...20 {
            var generator = SeededGenerator(seed: seed)
            for _ in 0..<2000 {
                let moment = Int64.random(
                    in: -8_520_336_000_000_000...8_583_839_999_999_999,
                    using: &generator
                )
                let minutes = Int.random(in: -1439...1439, using: &generator)
                let text = DateFormat.automatic.string(from: moment, offset: minutes * 60)
                #expect(
                    DateFormat.automatic.microseconds(from: text) == moment,
                    "seed \(seed): \(text)"
                )
                let stored = DateFormat.seconds(fromMicroseconds: moment)
                #expect(
                    DateFormat.microseconds(fromSeconds: stored) == moment,
                    "seed \(seed): \(text)"
                )
                let whole = moment - ((moment % 1_000_000) + 1_000_000) % 1_000_000
                let http = DateFormat.rfc1123.string(from: moment)
                #expect(
                    DateFormat.rfc1123.microseconds(from: http) == whole,
                    "seed \(seed): \(http)"
                )
            }
        }
    }

    @Test func `patterns read back what they write`() throws {
        let formats = try [
            "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX", "yyyyMMddHHmmssSSSSSS",
            "EEEE, d MMMM yyyy h:mm:ss.SSSSSS a ZZZZ", "y/M/d H:m:s.SSSSSS Z",
        ].map { try DateFormat($0) }
        for seed in UInt64(1)...500 {
            var generator = SeededGenerator(seed: seed)
            let moment = Int64.random(
                in: -8_520_336_000_000_000...8_583_839_999_999_999,
                using: &generator
            )
            for format in formats {
                let text = format.string(from: moment)
                #expect(format.microseconds(from: text) == moment, "seed \(seed): \(text)")
            }
        }
    }
}
