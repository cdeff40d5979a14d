import Foundation
import HTTPTypes
import TidemarkModel

/// The delay that a service requests, in seconds or as a date.
enum RetryAfter {
    /// Returns the delay in `Retry-After`; nil if the field is absent or invalid.
    static func wait(in fields: HTTPFields, now: Date) -> Duration? {
        guard let text = fields[.retryAfter]?.trimmingCharacters(in: .whitespaces) else {
            return nil
        }
        if let seconds = Int(text) {
            return .seconds(min(max(0, seconds), 1_000_000_000))
        }
        guard let date = DateFormat.rfc1123.microseconds(from: text) else { return nil }
        return .seconds(max(0, Double(date) / 1e6 - now.timeIntervalSince1970))
    }

    /// Returns the pause that a service requests for all further requests, in `Backoff` or
    /// `Retry-After`.
    static func pause(in fields: HTTPFields, now: Date) -> Duration? {
        if let name = HTTPField.Name("Backoff"), let text = fields[name],
            let seconds = Int(text.trimmingCharacters(in: .whitespaces))
        {
            return .seconds(min(max(0, seconds), 1_000_000_000))
        }
        return wait(in: fields, now: now)
    }
}
