/// A query of a collection: a filter, an order, and a page.
struct FakeQuery {
    /// A field to sort by.
    struct Order: Hashable {
        var field: FakeField
        var isDescending = false
    }

    var filter = FakeFilter.all
    var order: [Order] = []
    var includesGone = false
    var offset = 0
    var limit = Int.max
    /// Whether the total number of matches is needed.
    var counts = true

    /// Parses an order such as `-title,id`; a leading minus means descending.
    static func names(_ text: String) -> [(name: String, isDescending: Bool)] {
        text.split(separator: ",").map { part in
            let part = part.trimmed
            return part.hasPrefix("-") ? (String(part.dropFirst()), true) : (part, false)
        }
    }
}

/// The result of a query.
struct FakeSelection {
    /// The indices of the objects.
    var places: [Int]

    /// The number of matches on all pages, if the query requests it.
    var total: Int

    /// Whether more matches follow this page.
    var hasMore: Bool
}

/// The cached results of earlier queries of a collection.
///
/// They are discarded when the collection changes.
struct FakeFindings: Sendable {
    struct Order: Hashable {
        var order: [FakeQuery.Order]
        var includesGone: Bool
    }

    struct Matches: Hashable {
        var filter: FakeFilter
        var order: Order
    }

    /// The indices of all objects, by order.
    var orders: [Order: [Int]] = [:]

    /// The indices of the matches of the last few filters.
    var matches: [Matches: [Int]] = [:]

    /// The base URL for which the JSON of objects is cached.
    var base: String?

    /// The number of objects that were tested against a filter, for tests of the caching.
    var looks = 0

    /// The names of all members that any object has.
    var members: Set<String>?
}

extension StringProtocol {
    /// The text without spaces at both ends.
    var trimmed: String {
        var text = self[...]
        while text.first == " " { text = text.dropFirst() }
        while text.last == " " { text = text.dropLast() }
        return String(text)
    }
}
