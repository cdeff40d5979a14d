import TidemarkModel

/// The items of a page that one transaction applies: as many as the limit allows, from where the
/// portion before has ended.
struct Portion: JSONItems, Sendable {
    private var items: JSONDocumentItems
    private let limit: Int

    /// How many items of the portion were read.
    private(set) var count = 0

    /// Whether the page has no further items.
    private(set) var isLast = false

    init(_ items: JSONDocumentItems, limit: Int) {
        self.items = items
        self.limit = max(1, limit)
    }

    /// The portion behind this one.
    func next() -> Portion {
        Portion(items, limit: limit)
    }

    mutating func next(_ body: (JSONNode) throws -> Void) throws -> Bool {
        guard count < limit else { return false }
        guard try items.next(body) else {
            isLast = true
            return false
        }
        count += 1
        return true
    }
}
