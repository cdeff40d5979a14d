import Foundation
import HTTPTypes
import TidemarkModel

/// The limit on the rate of requests, as the header fields of a response report it.
///
/// Sources: RFC 6585, section 4 (429); GitHub REST API, “Rate limits for the REST API”, for 403
/// with `X-RateLimit-Remaining: 0` and for `X-RateLimit-Reset`;
/// draft-ietf-httpapi-ratelimit-headers-07 for the names without a prefix.
enum RateLimit {
    /// Returns whether a response was sent because there were too many requests.
    ///
    /// Some services respond with 403, which otherwise means that the credentials do not permit the
    /// request: with the delay after which it may be sent again, or with the number of requests
    /// that are left.
    static func isReached(_ status: HTTPResponse.Status, _ fields: HTTPFields) -> Bool {
        switch status {
        case .tooManyRequests: true
        case .forbidden: fields[.retryAfter] != nil || isUsedUp(in: fields)
        default: false
        }
    }

    /// Returns the time until requests are permitted again; nil unless none are left.
    ///
    /// - Parameters:
    ///   - fields: The header fields of a response.
    ///   - now: The current time.
    ///   - limit: The longest delay; a longer one counts as this.
    /// - Returns: The delay.
    static func wait(in fields: HTTPFields, now: Date, atMost limit: Duration) -> Duration? {
        guard isUsedUp(in: fields),
            let reset = value(of: "Reset", in: fields).flatMap({ Double($0) }), reset.isFinite
        else { return nil }
        // A time since 1970, in seconds or milliseconds, or a number of seconds from now.
        let seconds =
            switch reset {
            case 1e11...: reset / 1_000 - now.timeIntervalSince1970
            case 1e8...: reset - now.timeIntervalSince1970
            default: reset
            }
        // Compared before the conversion, which traps beyond the range of a duration.
        return seconds < limit / .seconds(1) ? .seconds(max(0, seconds)) : limit
    }

    private static func isUsedUp(in fields: HTTPFields) -> Bool {
        value(of: "Remaining", in: fields).flatMap { Int($0) } == 0
    }

    private static func value(of name: String, in fields: HTTPFields) -> String? {
        ["X-RateLimit-", "RateLimit-", "X-Rate-Limit-"].lazy
            .compactMap { fields[named: $0 + name] }.first?
            .trimmingCharacters(in: .whitespaces)
    }
}
