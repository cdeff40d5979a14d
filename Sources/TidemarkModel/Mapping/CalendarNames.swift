import TidemarkJSON

/// English names of months and weekdays, independent of the device's language.
enum CalendarNames {
    /// The names of the months, from January.
    static let months: [StaticString] = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    /// The names of the weekdays, from Sunday.
    static let weekdays: [StaticString] = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]

    /// Returns the number of a month from its name, either in full or its first three letters.
    static func month(_ name: UnsafeRawBufferPointer) -> Int? {
        months.firstIndex { matches(name, full: $0) }.map { $0 + 1 }
    }

    /// Returns the number of a weekday from its name; Sunday is 0.
    static func weekday(_ name: UnsafeRawBufferPointer) -> Int? {
        weekdays.firstIndex { matches(name, full: $0) }
    }

    private static func matches(_ name: UnsafeRawBufferPointer, full: StaticString) -> Bool {
        guard name.count == 3 || name.count == full.utf8CodeUnitCount else { return false }
        for offset in 0..<name.count
        where ASCII.lowercase(name[offset]) != ASCII.lowercase(full.utf8Start[offset]) {
            return false
        }
        return true
    }
}
