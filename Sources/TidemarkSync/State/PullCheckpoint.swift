import Foundation

/// A checkpoint of a list that is being read: the position, and the state of the checks.
struct PullCheckpoint: Equatable, Sendable {
    /// What the list is read for.
    var leg: Leg

    /// The identifier of this read of the list.
    var run: String

    /// The URL of the next page; nil for the first page.
    var next: URL?

    /// The number of the next page, from 1.
    var number = 1

    /// The number of objects before the next page.
    var before = 0

    /// The number of objects so far, each counted once.
    var items = 0

    /// The number of signs that objects moved between pages: repeated objects, different totals.
    var drifts = 0

    /// The number of objects so far without a row: unknown keys, or rejected objects.
    var unknown = 0

    /// The total number of objects, as the first page reported it.
    var total: Int?

    /// The cursor to save when the list was read to its end.
    var candidate: String?

    /// Whether later pages no longer advance the cursor.
    var isHeld = false

    /// The latest change stamp that any page had contained when the list was requested.
    var settled: String?

    /// The digest of an earlier read of the list, which this read has to confirm.
    var expected: String?

    /// Whether a page of changes was requested by its number.
    var isCounted = false

    /// Whether changes are read again because the row count may not match the service's count.
    var isRecount = false

    /// What a list is read for.
    enum Leg: Equatable, Sendable {
        /// All objects.
        case list
        /// The objects that changed since a cursor.
        case changes(since: String)
        /// The keys of all objects.
        case keys
    }

    /// Creates a checkpoint at the first page of a list.
    init(_ leg: Leg, run: String) {
        self.leg = leg
        self.run = run
    }

    /// Creates a checkpoint for another read of changes, after those that were read to their end.
    init(recountSince cursor: String, run: String) {
        self.init(.changes(since: cursor), run: run)
        isRecount = true
    }

    /// The checkpoint before the first page of the same list.
    var beginning: PullCheckpoint {
        var walk = PullCheckpoint(leg, run: run)
        walk.expected = expected
        walk.isRecount = isRecount
        return walk
    }
}

extension PullCheckpoint.Leg {
    /// The stored name.
    var name: String {
        switch self {
        case .list: "list"
        case .changes: "changes"
        case .keys: "keys"
        }
    }

    /// The cursor that changes are requested since; nil for other lists.
    var since: String? {
        switch self {
        case .changes(let since): since
        case .list, .keys: nil
        }
    }

    /// Creates a leg from its stored columns.
    init?(_ name: String?, since: String?) {
        switch (name, since) {
        case ("list"?, _): self = .list
        case ("keys"?, _): self = .keys
        case ("changes"?, let since?): self = .changes(since: since)
        default: return nil
        }
    }
}

extension PullCheckpoint {
    /// Whether the values are valid, as another program may have written the row: large ones could
    /// overflow.
    var isPossible: Bool {
        guard next != nil || number == 1 && before == 0 else { return false }
        return number >= 1 && min(before, items, drifts, unknown) >= 0
            && max(number, before, items, drifts, unknown) <= Int32.max
    }
}
