/// When a service changed an object last, in the service's own words.
///
/// Services print less than they store: a change in the same printed unit may be later than the
/// stamp says. Whoever asks for changes since a stamp asks from one unit before it.
public struct ChangeStamp: Hashable, Sendable {
    /// The stamp as the service wrote it.
    public let text: String

    /// Where it stands among the stamps of the same service.
    private let position: Int64

    /// How far the next stamp is that the service could write.
    private let unit: Int64

    /// Whether it is a number, which need not count any time.
    private let isNumber: Bool

    /// Reads a stamp: a whole number, or a date in a form that `DateFormat.automatic` knows; nil
    /// where it is neither.
    public init?(_ text: String) {
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

    /// The stamp one printed unit before this one.
    public var earlier: ChangeStamp {
        let (position, isBeyond) = position.subtractingReportingOverflow(unit)
        return isBeyond ? self : moved(to: position)
    }

    /// The stamp so long before this one; itself where it is a number that counts changes, or where
    /// there is nothing so long before.
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

    /// Whether it tells a time after another one.
    ///
    /// - Parameter moment: The other time, in microseconds since 1970.
    /// - Returns: False for a number too, which need not count any time.
    package func isLater(than moment: Int64) -> Bool {
        !isNumber && position > moment
    }

    /// Whether no change can be given this time any more.
    ///
    /// - Parameter moment: What time it is, in microseconds since 1970.
    /// - Returns: True for a number too that counts changes, each of which has its own.
    package func isOver(at moment: Int64) -> Bool {
        guard isNumber else { return position + duration <= moment }
        let unit = Self.microseconds(of: position)
        return unit == 0 || (position + 1) * unit <= moment
    }

    /// For how long changes are given this time, in microseconds: a text may tell no seconds, or
    /// nothing but a day.
    private var duration: Int64 {
        let zone = text.utf8.suffix(6)
        let hasZone = zone.first.map { "+-".utf8.contains($0) } == true
        let clock = hasZone ? text.utf8.dropLast(6) : text.utf8[...]
        switch clock.count(where: { $0 == UInt8(ascii: ":") }) {
        case 0: return 86_400_000_000
        case 1: return 60_000_000
        default: return unit
        }
    }

    /// How long the unit is that a number counts: seconds, milliseconds or microseconds since 1970
    /// by its size, else none.
    private static func microseconds(of number: Int64) -> Int64 {
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
    /// Whether one was written before the other, both by the same service.
    public static func < (one: ChangeStamp, other: ChangeStamp) -> Bool {
        one.position < other.position
    }
}
