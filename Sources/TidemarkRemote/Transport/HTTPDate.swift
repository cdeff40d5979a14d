import HTTPTypes
import TidemarkModel

/// The time of a response by the service's clock.
///
/// Source: RFC 9110, “Date”.
struct HTTPDate: Hashable, Sendable {
    /// The start of the second in which the service responded, in microseconds since 1970.
    let second: Int64

    /// Reads the `Date` field; nil if it is absent or invalid.
    init?(_ fields: HTTPFields) {
        guard let second = fields[.date].flatMap(DateFormat.rfc1123.microseconds) else {
            return nil
        }
        self.second = second
    }

    /// Returns whether a stamp is later than the response, so that it lies in the future.
    func isBefore(_ stamp: ChangeStamp) -> Bool {
        stamp.isLater(than: second + 1_000_000)
    }

    /// Returns whether the time of a cursor has passed, so that no later change can have the same
    /// stamp.
    func isPast(_ cursor: String?) -> Bool {
        cursor.flatMap { ChangeStamp($0) }?.isOver(at: second) ?? false
    }
}
