import Foundation
import HTTPTypes

/// How long a service asked to wait, in seconds or until a date.
enum RetryAfter {
    static func wait(in fields: HTTPFields, now: Date) -> Duration? {
        guard let text = fields[.retryAfter]?.trimmingCharacters(in: .whitespaces) else {
            return nil
        }
        if let seconds = Int(text) {
            return .seconds(min(max(0, seconds), 1_000_000_000))
        }
        return HTTPDate.date(text).map { .seconds(max(0, $0.timeIntervalSince(now))) }
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
