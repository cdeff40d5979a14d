/// The time or version of an object's last change, as written by the service.
///
/// Services print less precision than they store: a change in the same printed unit may be later
/// than the stamp. Request changes from one unit before a stamp (``earlier``), or some are missed.
package struct ChangeStamp: Hashable, Sendable {
    /// The stamp as written by the service.
    package let text: String

    /// The position among the stamps of the same service: the number, or microseconds since 1970.
    private let position: Int64

    /// The distance to the next stamp that the service can write, in the unit of `position`.
    private let unit: Int64

    /// Whether the stamp is a number, which may be a time or a version counter.
    private let isNumber: Bool

    /// Parses a stamp: an integer, or a date in a format that `DateFormat.automatic` recognizes.
    ///
    /// Returns nil if the text is neither.
    package init?(_ text: String) {
        self.text = text
        if let number = Int64(text) {
            position = number
            unit = 1
            isNumber = true
            return
        }
        guard let moment = DateFormat.automatic.microseconds(from: text) else { return nil }
        position = moment
        unit = Self.unit(ofDigits: Self.fractionDigits(in: text))
        isNumber = false
    }

    /// The stamp one printed unit before this one, or the stamp itself if that cannot be
    /// represented.
    package var earlier: ChangeStamp {
        let (position, isBeyond) = position.subtractingReportingOverflow(unit)
        return isBeyond ? self : moved(to: position)
    }

    /// Returns the stamp that is a duration before this one.
    ///
    /// Returns the stamp itself if it is a version counter, or if the earlier stamp cannot be
    /// represented.
    package func earlier(by duration: Duration) -> ChangeStamp {
        let microseconds = Int64(min(max(0, duration / .microseconds(1)), 1e18))
        guard isNumber else { return moved(to: position - microseconds) }
        let unit = Self.microseconds(of: position)
        return unit == 0 ? self : moved(to: position - microseconds / unit)
    }

    private func moved(to position: Int64) -> ChangeStamp {
        if isNumber { return ChangeStamp("\(position)") ?? self }
        let format = DateFormat.iso8601(unit == 1_000_000 ? .never : .always)
        return ChangeStamp(format.string(from: position)) ?? self
    }

    /// Returns whether the stamp is a time after another time.
    ///
    /// - Parameter moment: The other time, in microseconds since 1970.
    /// - Returns: False for every number, because a number may be a version counter.
    package func isLater(than moment: Int64) -> Bool {
        !isNumber && position > moment
    }

    /// Returns whether the time that the stamp denotes has passed, so that no further change can
    /// receive the same stamp.
    ///
    /// - Parameter moment: The current time, in microseconds since 1970.
    /// - Returns: True for a version counter, because each of its values is used only once.
    package func isOver(at moment: Int64) -> Bool {
        guard isNumber else { return position + duration <= moment }
        let unit = Self.microseconds(of: position)
        return unit == 0 || (position + 1) * unit <= moment
    }

    /// The duration for which changes receive this stamp, in microseconds.
    ///
    /// It is a day for a date without a time, a minute for a time without seconds, and otherwise
    /// one printed unit.
    private var duration: Int64 {
        // The colon of a zone such as `+02:00` does not count as one of the time.
        let zone = text.utf8.suffix(6)
        let hasZone = zone.first.map { "+-".utf8.contains($0) } == true
        let clock = hasZone ? text.utf8.dropLast(6) : text.utf8[...]
        switch clock.count(where: { $0 == UInt8(ascii: ":") }) {
        case 0: return 86_400_000_000
        case 1: return 60_000_000
        default: return unit
        }
    }

    /// Returns the unit of a number in microseconds.
    ///
    /// Its magnitude determines whether it counts seconds, milliseconds or microseconds since 1970.
    /// Any other number is a version counter: the unit is 0.
    private static func microseconds(of number: Int64) -> Int64 {
        // From 2001 to 5138 for seconds, from 1973 to 5138 for milliseconds and microseconds.
        switch number {
        case 1_000_000_000..<100_000_000_000: 1_000_000
        case 100_000_000_000..<100_000_000_000_000: 1_000
        case 100_000_000_000_000..<100_000_000_000_000_000: 1
        default: 0
        }
    }

    private static func fractionDigits(in text: String) -> Int {
        guard let point = text.utf8.lastIndex(of: UInt8(ascii: ".")) else { return 0 }
        return text.utf8[point...].dropFirst().prefix { (0x30...0x39).contains($0) }.count
    }

    private static func unit(ofDigits count: Int) -> Int64 {
        (0..<max(0, 6 - count)).reduce(1) { unit, _ in unit * 10 }
    }
}

extension ChangeStamp: Comparable {
    /// Returns whether one stamp is before another stamp of the same service.
    package static func < (one: ChangeStamp, other: ChangeStamp) -> Bool {
        one.position < other.position
    }
}
