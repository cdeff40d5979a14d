import HTTPTypes
import TidemarkModel

/// When a service answered, by its own clock.
///
/// Source: RFC 9110, “Date”.
struct HTTPDate: Hashable, Sendable {
    /// The beginning of the second in which it answered, in microseconds since 1970.
    let second: Int64

    /// The date of an answer; nil where it tells none.
    init?(_ fields: HTTPFields) {
        guard let second = fields[.date].flatMap(DateFormat.rfc1123.microseconds) else {
            return nil
        }
        self.second = second
    }

    /// Whether the answer cannot show this change yet: its time is to come.
    func isBefore(_ stamp: ChangeStamp) -> Bool {
        stamp.isLater(than: second + 1_000_000)
    }

    /// Whether no change can be given the time of a cursor any more.
    func isPast(_ cursor: String?) -> Bool {
        cursor.flatMap { ChangeStamp($0) }?.isOver(at: second) ?? false
    }
}
