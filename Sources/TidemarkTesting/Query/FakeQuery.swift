/// A query of a collection: a filter, an order, and a page.
package struct FakeQuery {
    /// A field to sort by.
    package struct Order: Hashable {
        package var field: FakeField
        var isDescending: Bool

        package init(field: FakeField, isDescending: Bool = false) {
            self.field = field
            self.isDescending = isDescending
        }
    }

    package var filter: FakeFilter
    package var order: [Order]
    package var includesDeleted = false
    package var offset = 0
    package var limit = Int.max
    /// Whether the total number of matches is needed.
    package var counts = true

    /// Creates a query for all matching objects.
    package init(filter: FakeFilter = .all, order: [Order] = []) {
        self.filter = filter
        self.order = order
    }

    /// Parses an order such as `-title,id`; a leading minus means descending.
    package static func names(_ text: String) -> [(name: String, isDescending: Bool)] {
        text.split(separator: ",").map { part in
            let part = part.trimmed
            return part.hasPrefix("-") ? (String(part.dropFirst()), true) : (part, false)
        }
    }
}

/// The result of a query.
package struct FakeSelection {
    /// The indices of the objects.
    package var indices: [Int]

    /// The number of matches on all pages, if the query requests it.
    package var total: Int

    /// Whether more matches follow this page.
    package var hasMore: Bool
}

/// The cached results of earlier queries of a collection.
///
/// They are discarded when the collection changes.
struct FakeQueryCache: Sendable {
    struct Order: Hashable {
        var order: [FakeQuery.Order]
        var includesDeleted: Bool
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
    var examined = 0

    /// The names of all members that any object has.
    var members: Set<String>?
}

extension StringProtocol {
    /// The text without spaces at both ends.
    package var trimmed: String {
        var text = self[...]
        while text.first == " " { text = text.dropFirst() }
        while text.last == " " { text = text.dropLast() }
        return String(text)
    }
}
