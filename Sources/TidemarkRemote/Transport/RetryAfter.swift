import Foundation
import HTTPTypes
import TidemarkModel

/// The delay that a service requests, in seconds or as a date.
///
/// It is a value of a service: a date in a wrong year, or one of a clock that is wrong, must not
/// postpone anything for longer than `Limits.http.pause`.
enum RetryAfter {
    /// Returns the delay in `Retry-After`; nil if the field is absent or invalid.
    ///
    /// - Parameters:
    ///   - fields: The header fields of a response.
    ///   - now: The current time, with which a date is compared.
    ///   - limit: The longest delay; a longer one counts as this.
    /// - Returns: The delay.
    static func wait(in fields: HTTPFields, now: Date, atMost limit: Duration) -> Duration? {
        let field = fields[.retryAfter]?.trimmingCharacters(in: .whitespaces)
        if let seconds = seconds(in: field, atMost: limit) { return seconds }
        // RFC 9110, 10.2.3: a delay in seconds, or a date. One that has passed causes no delay.
        guard let date = field.flatMap(DateFormat.rfc1123.microseconds) else { return nil }
        return min(limit, .seconds(max(0, Double(date) / 1e6 - now.timeIntervalSince1970)))
    }

    /// Returns the delay after which a request that has failed may be sent again: that in
    /// `Retry-After`, or the time until the rate limit is reset; nil if the fields contain neither.
    static func delay(in fields: HTTPFields, now: Date, atMost limit: Duration) -> Duration? {
        wait(in: fields, now: now, atMost: limit)
            ?? RateLimit.wait(in: fields, now: now, atMost: limit)
    }

    private static func seconds(in field: String?, atMost limit: Duration) -> Duration? {
        field.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
            .map { min(limit, .seconds(max(0, $0))) }
    }

    /// Returns the pause that a service requests for all further requests, in `Backoff` or
    /// `Retry-After`.
    static func pause(in fields: HTTPFields, now: Date, atMost limit: Duration) -> Duration? {
        seconds(in: fields[named: "Backoff"], atMost: limit)
            ?? wait(in: fields, now: now, atMost: limit)
    }
}
