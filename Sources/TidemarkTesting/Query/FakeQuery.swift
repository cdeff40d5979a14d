/// A question to a collection: which objects, in which order, and which part of them.
struct FakeQuery {
    /// What objects are ordered by.
    struct Order: Hashable {
        var field: FakeField
        var isDescending = false
    }

    var filter = FakeFilter.all
    var order: [Order] = []
    var includesGone = false
    var offset = 0
    var limit = Int.max
    /// Whether it matters how many there are in all.
    var counts = true

    /// The names of an order such as `-title,id`, with what a leading minus says.
    static func names(_ text: String) -> [(name: String, isDescending: Bool)] {
        text.split(separator: ",").map { part in
            let part = part.trimmed
            return part.hasPrefix("-") ? (String(part.dropFirst()), true) : (part, false)
        }
    }
}

/// What a question found.
struct FakeSelection {
    /// Where the objects are.
    var places: [Int]

    /// How many there are in all parts, where it was asked.
    var total: Int

    /// Whether more follow.
    var hasMore: Bool
}

/// What earlier questions found out about a collection, while nothing changes.
struct FakeFindings: Sendable {
    struct Order: Hashable {
        var order: [FakeQuery.Order]
        var includesGone: Bool
    }

    struct Matches: Hashable {
        var filter: FakeFilter
        var order: Order
    }

    /// The objects in an order.
    var orders: [Order: [Int]] = [:]

    /// Those that match, in an order; of a few questions.
    var matches: [Matches: [Int]] = [:]

    /// Where the service was asked when objects were written.
    var base: String?

    /// How many objects were looked at, to see whether they match.
    var looks = 0

    /// The names of all members that any object has.
    var members: Set<String>?
}

extension StringProtocol {
    /// The text without blanks around it.
    var trimmed: String {
        var text = self[...]
        while text.first == " " { text = text.dropFirst() }
        while text.last == " " { text = text.dropLast() }
        return String(text)
    }
}
