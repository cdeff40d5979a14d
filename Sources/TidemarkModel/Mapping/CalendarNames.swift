import TidemarkJSON

/// English names of months and weekdays, independent of the device's language.
enum CalendarNames {
    /// Returns the number of a month from its name, either in full or its first three letters.
    static func month(_ name: UnsafeRawBufferPointer) -> Int? {
        (1...12).first { matches(name, self.name(ofMonth: $0)) }
    }

    /// Returns the number of a weekday from its name; Sunday is 0.
    static func weekday(_ name: UnsafeRawBufferPointer) -> Int? {
        (0...6).first { matches(name, self.name(ofWeekday: $0)) }
    }

    static func name(ofMonth month: Int) -> StaticString {
        switch month {
        case 1: "January"
        case 2: "February"
        case 3: "March"
        case 4: "April"
        case 5: "May"
        case 6: "June"
        case 7: "July"
        case 8: "August"
        case 9: "September"
        case 10: "October"
        case 11: "November"
        default: "December"
        }
    }

    static func name(ofWeekday weekday: Int) -> StaticString {
        switch weekday {
        case 0: "Sunday"
        case 1: "Monday"
        case 2: "Tuesday"
        case 3: "Wednesday"
        case 4: "Thursday"
        case 5: "Friday"
        default: "Saturday"
        }
    }

    private static func matches(_ name: UnsafeRawBufferPointer, _ full: StaticString) -> Bool {
        guard name.count == 3 || name.count == full.utf8CodeUnitCount else { return false }
        for offset in 0..<name.count
        where ASCII.lowercase(name[offset]) != ASCII.lowercase(full.utf8Start[offset]) {
            return false
        }
        return true
    }
}
