import TidemarkJSON

extension DatePattern {
    /// The components read so far.
    private struct Reading {
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
                guard Self.read(symbol, count, isAdjacent, &reading) else { return nil }
            }
        }
        return reading.microseconds()
    }

    private static func read(
        _ symbol: Symbol,
        _ count: Int,
        _ isAdjacent: Bool,
        _ reading: inout Reading
    ) -> Bool {
        switch symbol {
        case .month, .standaloneMonth:
            guard count < 3 else {
                return set(\.time.month, CalendarNames.month(reading.reader.word()), &reading)
            }
            return number(\.time.month, count, isAdjacent, &reading)
        case .weekday: return CalendarNames.weekday(reading.reader.word()) != nil
        case .day: return number(\.time.day, count, isAdjacent, &reading)
        case .hour: return number(\.time.hour, count, isAdjacent, &reading)
        case .hourOfHalf:
            reading.isHalfDay = true
            return number(\.time.hour, count, isAdjacent, &reading)
        case .minute: return number(\.time.minute, count, isAdjacent, &reading)
        case .second: return number(\.time.second, count, isAdjacent, &reading)
        case .year: return year(count, isAdjacent, &reading)
        case .fraction: return fraction(count, isAdjacent, &reading)
        case .half: return half(&reading)
        case .zone: return set(\.zone, reading.reader.localizedZone(), &reading)
        case .zoneOrZulu: return set(\.zone, reading.reader.zone(), &reading)
        case .numericZone: return set(\.zone, reading.reader.numericZone(), &reading)
        }
    }

    private static func set(
        _ path: WritableKeyPath<Reading, Int>,
        _ value: Int?,
        _ reading: inout Reading
    ) -> Bool {
        guard let value else { return false }
        reading[keyPath: path] = value
        return true
    }

    private static func number(
        _ path: WritableKeyPath<Reading, Int>,
        _ count: Int,
        _ isAdjacent: Bool,
        _ reading: inout Reading
    ) -> Bool {
        let value =
            isAdjacent ? reading.reader.number(count) : reading.reader.number(upTo: max(2, count))
        return set(path, value, &reading)
    }

    /// Reads a year.
    ///
    /// Two digits denote 1969 to 2068, as in POSIX, regardless of the current year, so that a text
    /// always denotes the same date.
    private static func year(_ count: Int, _ isAdjacent: Bool, _ reading: inout Reading) -> Bool {
        if count == 2 {
            guard let value = reading.reader.number(2) else { return false }
            reading.time.year = value + (value < 69 ? 2000 : 1900)
            return true
        }
        let value = isAdjacent ? reading.reader.number(count) : reading.reader.number(upTo: 4)
        return set(\.time.year, value, &reading)
    }

    private static func fraction(
        _ count: Int,
        _ isAdjacent: Bool,
        _ reading: inout Reading
    ) -> Bool {
        let start = reading.reader.offset
        guard set(\.time.microsecond, reading.reader.fraction(), &reading) else { return false }
        return !isAdjacent || reading.reader.offset - start == count
    }

    private static func half(_ reading: inout Reading) -> Bool {
        let word = reading.reader.word()
        reading.isAfternoon = word.equalsIgnoringCase("pm")
        return reading.isAfternoon == true || word.equalsIgnoringCase("am")
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
