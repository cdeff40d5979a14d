import Foundation
import HTTPTypes
import TidemarkModel

/// The delay that a service requests, in seconds or as a date.
enum RetryAfter {
    /// Returns the delay in `Retry-After`; nil if the field is absent or invalid.
    static func wait(in fields: HTTPFields, now: Date) -> Duration? {
        let field = fields[.retryAfter]?.trimmingCharacters(in: .whitespaces)
        if let seconds = seconds(in: field) { return seconds }
        // RFC 9110, 10.2.3: a delay in seconds, or a date. One that has passed causes no delay.
        guard let date = field.flatMap(DateFormat.rfc1123.microseconds) else { return nil }
        return .seconds(max(0, Double(date) / 1e6 - now.timeIntervalSince1970))
    }

    private static func seconds(in field: String?) -> Duration? {
        // Bounded, because the end of the pause is computed from it and must not overflow.
        field.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
            .map { .seconds(min(max(0, $0), 1_000_000_000)) }
    }

    /// Returns the pause that a service requests for all further requests, in `Backoff` or
    /// `Retry-After`.
    static func pause(in fields: HTTPFields, now: Date) -> Duration? {
        seconds(in: fields[named: "Backoff"]) ?? wait(in: fields, now: now)
    }
}
