import Foundation
import HTTPTypes

/// Dates as header fields tell them.
///
/// Source: RFC 9110, “Date/Time Formats”.
enum HTTPDate {
    /// The date that a text tells in the form that services have to write; nil where it is none.
    static func date(_ text: String) -> Date? {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.date(from: text)
    }

    /// When a service answered by its own clock, in microseconds since 1970: the end of the second
    /// that it tells.
    static func answered(_ fields: HTTPFields) -> Int64? {
        fields[.date].flatMap(date).flatMap { date in
            Int64(exactly: (date.timeIntervalSince1970 + 1).rounded(.down)).map { $0 * 1_000_000 }
        }
    }
}
