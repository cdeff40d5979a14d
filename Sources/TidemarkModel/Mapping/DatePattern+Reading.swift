import TidemarkJSON

extension DatePattern {
    /// The components read so far.
    fileprivate struct Reading {
        var reader: DateReader
        var time = CivilTime()
        var zone = 0
        var isAfternoon: Bool?
        var isHalfDay = false

        init(_ text: UnsafeRawBufferPointer) {
            reader = DateReader(text)
        }

        /// Returns the timestamp after all fields have been read; nil if text is left or the date
        /// is invalid.
        func microseconds() -> Int64? {
            guard reader.isAtEnd else { return nil }
            var time = time
            if isHalfDay {
                guard (1...12).contains(time.hour) else { return nil }
                time.hour = time.hour % 12 + (isAfternoon == true ? 12 : 0)
            }
            return time.microseconds(offset: zone)
        }
    }

    /// Returns the timestamp for a text in microseconds since 1970; nil if the pattern does not
    /// match all of it.
    func microseconds(from text: UnsafeRawBufferPointer) -> Int64? {
        var reading = Reading(text)
        for field in fields {
            switch field {
            case .literal(let bytes):
                for byte in bytes where !reading.reader.skip(byte) { return nil }
            case .symbol(let symbol, let count, let isAdjacent):
                guard reading.read(symbol, count: count, isAdjacent: isAdjacent) else { return nil }
            }
        }
        return reading.microseconds()
    }
}

extension DatePattern.Reading {
    /// Reads a field and returns whether it is valid.
    ///
    /// A field that is directly followed by another numeric field has exactly `count` digits.
    fileprivate mutating func read(
        _ symbol: DatePattern.Symbol,
        count: Int,
        isAdjacent: Bool
    ) -> Bool {
        func number(upTo limit: Int? = nil) -> Int? {
            isAdjacent ? reader.number(count) : reader.number(upTo: limit ?? max(2, count))
        }
        switch symbol {
        case .month, .standaloneMonth:
            return set(\.time.month, to: count < 3 ? number() : CalendarNames.month(reader.word()))
        case .weekday: return CalendarNames.weekday(reader.word()) != nil
        case .day: return set(\.time.day, to: number())
        case .hour: return set(\.time.hour, to: number())
        case .hourOfHalf:
            isHalfDay = true
            return set(\.time.hour, to: number())
        case .minute: return set(\.time.minute, to: number())
        case .second: return set(\.time.second, to: number())
        case .year:
            guard count == 2 else { return set(\.time.year, to: number(upTo: 4)) }
            // Two digits denote 1969 to 2068, as in POSIX, regardless of the current year, so that
            // a text always denotes the same date.
            return set(\.time.year, to: reader.number(2).map { $0 + ($0 < 69 ? 2000 : 1900) })
        case .fraction:
            let start = reader.offset
            return set(\.time.microsecond, to: reader.fraction())
                && (!isAdjacent || reader.offset - start == count)
        case .half:
            let word = reader.word()
            isAfternoon = word.equalsIgnoringCase("pm")
            return isAfternoon == true || word.equalsIgnoringCase("am")
        case .zone: return set(\.zone, to: reader.localizedZone())
        case .zoneOrZulu: return set(\.zone, to: reader.zone())
        case .numericZone: return set(\.zone, to: reader.numericZone())
        }
    }

    private mutating func set(_ path: WritableKeyPath<Self, Int>, to value: Int?) -> Bool {
        guard let value else { return false }
        self[keyPath: path] = value
        return true
    }
}

extension DateReader {
    /// Reads a time zone for the pattern letter `Z`: also `GMT` or `GMT+01:00`.
    ///
    /// Returns seconds east of UTC.
    fileprivate mutating func localizedZone() -> Int? {
        if skip("GMT"), isAtEnd || byte != ASCII.plus && byte != ASCII.minus { return 0 }
        return zone()
    }
}
