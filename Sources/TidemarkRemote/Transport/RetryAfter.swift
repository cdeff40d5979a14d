import Foundation
import HTTPTypes
import TidemarkModel

/// How long a service asked to wait, in seconds or until a date.
enum RetryAfter {
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

    /// How long a service wants to be left alone, whether it has answered or not.
    static func pause(in fields: HTTPFields, now: Date) -> Duration? {
        if let name = HTTPField.Name("Backoff"), let text = fields[name],
            let seconds = Int(text.trimmingCharacters(in: .whitespaces))
        {
            return .seconds(min(max(0, seconds), 1_000_000_000))
        }
        return wait(in: fields, now: now)
    }
}
