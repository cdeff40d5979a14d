/// The document of the benchmarks: users with their notes, about 740 bytes for a user with two.
///
/// The random numbers of a user do not depend on the options, so that documents with different
/// options differ only in what the options specify.
struct UserDocument {
    var users = 100_000
    var notesOfUser = 2
    /// The percentage of users with another e-mail address.
    var changedPercent = 0
    var managers = Managers.earlier
    /// Whether every user has a different member that is not in the model.
    var hasUnknownKeys = false

    /// The position of a user's manager in the document.
    enum Managers: String {
        /// A user before this one.
        case earlier
        /// A user after this one, so that the reference is unresolved at first.
        case later
    }

    /// Calls `write` with the document, in pieces.
    func forEachChunk(_ write: (String) -> Void) {
        var numbers = SeededNumbers(seed: 20_260_101)
        write("[")
        for id in 0..<users {
            write((id == 0 ? "" : ",") + user(id, &numbers))
        }
        write("]")
    }

    private func user(_ id: Int, _ numbers: inout SeededNumbers) -> String {
        let notes = (0..<notesOfUser).map { note(id * notesOfUser + $0, &numbers) }
        let isChanged = id % 100 < changedPercent
        return """
            {"id":\(id),"first_name":"\(name(&numbers))","last_name":"\(name(&numbers))",\
            "email":"user\(id)@\(isChanged ? "changed" : "example").com",\
            "age":\(Int.random(in: 18...90, using: &numbers)),\
            "score":\(numbers.fraction() * 100),"active":\(Bool.random(using: &numbers)),\
            "bio":"\(words(20, &numbers))",\
            "created_at":"\(moment(1_400_000_000 + id, &numbers))",\
            "updated_at":"\(moment(1_500_000_000 + id, &numbers))",\
            "manager_id":\(manager(of: id, &numbers)),"notes":[\(notes.joined(separator: ","))]\
            \(hasUnknownKeys ? ",\"stray_\(id)\":1" : "")}
            """
    }

    private func note(_ id: Int, _ numbers: inout SeededNumbers) -> String {
        """
        {"id":\(id),"text":"\(words(12, &numbers))",\
        "created_at":"\(moment(1_400_000_000 + id, &numbers))",\
        "updated_at":"\(moment(1_500_000_000 + id, &numbers))"}
        """
    }

    private func manager(of id: Int, _ numbers: inout SeededNumbers) -> String {
        let drawn = numbers.next()
        switch managers {
        case .earlier: return id == 0 ? "null" : "\(drawn % UInt64(id))"
        case .later:
            return id == users - 1 ? "null" : "\(id + 1 + Int(drawn % UInt64(users - 1 - id)))"
        }
    }

    // MARK: Values

    private static let vocabulary = [
        "anchor", "beacon", "current", "delta", "estuary", "fathom", "gull", "harbor", "inlet",
        "jetty", "kelp", "lagoon", "mooring", "neap", "oar", "pier", "quay", "reef", "shoal",
    ]

    private func words(_ count: Int, _ numbers: inout SeededNumbers) -> String {
        (0..<count)
            .map { _ in Self.vocabulary[Int(numbers.next() % UInt64(Self.vocabulary.count))] }
            .joined(separator: " ")
    }

    private func name(_ numbers: inout SeededNumbers) -> String {
        words(1, &numbers).capitalizedFirst
    }

    private func moment(_ seconds: Int, _ numbers: inout SeededNumbers) -> String {
        let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let day = CalendarDay(daysSince1970: days)
        let clock = [second / 3_600, second / 60 % 60, second % 60].map { padded($0, 2) }
        let milliseconds = padded(Int(numbers.next() % 1_000), 3)
        return "\(day)T\(clock.joined(separator: ":")).\(milliseconds)Z"
    }
}

/// A day of the Gregorian calendar.
struct CalendarDay: CustomStringConvertible {
    let description: String

    init(daysSince1970: Int) {
        // In a year that starts in March, the leap day is the last day.
        let days = daysSince1970 + 719_468
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        description = "\(year)-\(padded(month, 2))-\(padded(day, 2))"
    }
}

func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}

extension String {
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
