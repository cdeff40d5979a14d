import Foundation
import GRDB
import TidemarkRemote

/// The checkpoint of a list that is being read: the position, and the state of the checks.
///
/// ``PullStateMachine`` alone creates and changes checkpoints. The store contains the last one that
/// a pull has saved.
struct PullCheckpoint: Equatable, Sendable {
    /// The part of the list that is read.
    var mode: FetchMode

    /// The identifier of this read of the list.
    var run: String

    /// The next page to request.
    var position = Position.restart

    /// The number of objects so far, each counted once.
    var items = 0

    /// The number of objects so far without a row: unknown keys, or rejected objects.
    var itemsWithoutRow = 0

    /// The total number of objects, as the first page reported it.
    var total: Int?

    /// The number of signs that objects moved between pages: repeated objects, different totals.
    var inconsistencies = 0

    /// The cursor to save when the list was read to its end.
    var cursor = Cursor()

    /// The digest of an earlier read of the list, which this read has to confirm.
    var expectedDigest: String?

    /// Whether a page of changes was requested by its number.
    var isPagedByNumber = false

    /// Whether changes are read again because the row count may not match the service's count.
    var isRecount = false

    /// The next page of a list.
    enum Position: Equatable, Sendable {
        /// No position: a pull starts with the list that it would read without a checkpoint.
        case restart

        /// The first page, even if a pull would start with another list: that one was read already.
        case firstPage

        /// A later page, its number from 2, and the number of objects on the pages before it.
        case page(url: URL, number: Int, before: Int)

        /// Whether pages of the list were read already.
        var isWithinList: Bool { if case .page = self { true } else { false } }
    }

    /// The cursor that is saved when the list was read to its end.
    struct Cursor: Equatable, Sendable {
        /// The cursor so far; nil if no page has contained one.
        var candidate: String?

        /// Whether later pages no longer advance the cursor.
        var isFinal = false

        /// The latest change stamp that any page had contained when the list was requested.
        var latestKnown: String?
    }

    /// Creates a checkpoint of a list of which no page was read.
    init(_ mode: FetchMode, run: String, at position: Position = .restart) {
        self.mode = mode
        self.run = run
        self.position = position
    }

    /// Creates a checkpoint for another read of changes, after those that were read to their end.
    init(recountSince cursor: String, run: String) {
        self.init(.changes(since: cursor), run: run)
        isRecount = true
    }

    /// Returns a checkpoint of the same list of which no page was read.
    func restarted(at position: Position) -> PullCheckpoint {
        var restarted = PullCheckpoint(mode, run: run, at: position)
        restarted.expectedDigest = expectedDigest
        restarted.isRecount = isRecount
        return restarted
    }

    /// The number of the next page, from 1.
    var pageNumber: Int {
        switch position {
        case .restart, .firstPage: 1
        case .page(_, let number, _): number
        }
    }
}

extension FetchMode {
    /// The stored name.
    var name: String {
        switch self {
        case .list: "list"
        case .changes: "changes"
        case .keys: "keys"
        }
    }

    /// Creates a mode from its stored columns; nil if they are invalid.
    init?(_ name: String?, since: String?) {
        switch (name, since) {
        case ("list"?, _): self = .list
        case ("keys"?, _): self = .keys
        case ("changes"?, let since?): self = .changes(since: since)
        default: return nil
        }
    }
}

// MARK: - In the store

extension PullCheckpoint {
    /// Creates a checkpoint from its stored columns; nil if the row contains none.
    ///
    /// Another program may have written the row. A checkpoint whose values are impossible is
    /// ignored, because large ones could overflow: the list is read from its start.
    init?(_ row: Row) {
        guard let mode = FetchMode(row["leg"], since: row["since"]), let run: String = row["run"],
            let position = Position(row)
        else { return nil }
        self.init(mode, run: run, at: position)
        items = row["items"] ?? 0
        itemsWithoutRow = row["unknown"] ?? 0
        inconsistencies = row["drifts"] ?? 0
        total = row["total"]
        cursor = Cursor(
            candidate: row["candidate"],
            isFinal: row["held"] ?? false,
            latestKnown: row["settled"]
        )
        expectedDigest = row["expected"]
        isPagedByNumber = row["counted"] ?? false
        isRecount = row["recount"] ?? false
        let counts = [items, itemsWithoutRow, inconsistencies]
        guard counts.allSatisfy({ (0...Int(Int32.max)).contains($0) }) else { return nil }
    }

    /// The columns of a checkpoint; all null without one.
    ///
    /// - Parameters:
    ///   - checkpoint: The checkpoint.
    ///   - firstPage: The URL of the list's first page, if the position is ``Position/firstPage``.
    /// - Returns: The names and values.
    static func columns(
        of checkpoint: PullCheckpoint?,
        firstPage: URL?
    ) -> [(name: String, value: (any DatabaseValueConvertible)?)] {
        var (next, before) = (firstPage, checkpoint == nil ? nil : 0)
        if case .page(let url, _, let count) = checkpoint?.position {
            (next, before) = (url, count)
        }
        return [
            ("leg", checkpoint?.mode.name), ("since", checkpoint?.mode.cursor),
            ("run", checkpoint?.run), ("next", next?.absoluteString),
            ("number", checkpoint?.pageNumber), ("before", before),
            ("items", checkpoint?.items), ("drifts", checkpoint?.inconsistencies),
            ("unknown", checkpoint?.itemsWithoutRow), ("total", checkpoint?.total),
            ("candidate", checkpoint?.cursor.candidate), ("held", checkpoint?.cursor.isFinal),
            ("settled", checkpoint?.cursor.latestKnown), ("expected", checkpoint?.expectedDigest),
            ("counted", checkpoint?.isPagedByNumber), ("recount", checkpoint?.isRecount),
        ]
    }
}

extension PullCheckpoint.Position {
    /// Creates a position from its stored columns; nil if they are invalid.
    init?(_ row: Row) {
        let text: String? = row["next"]
        let (number, before): (Int, Int) = (row["number"] ?? 1, row["before"] ?? 0)
        guard (1...Int(Int32.max)).contains(number), (0...Int(Int32.max)).contains(before) else {
            return nil
        }
        switch (text.flatMap { URL(string: $0) }, number) {
        case (nil, 1) where before == 0: self = .restart
        case (nil, _): return nil
        case (_?, 1): self = .firstPage
        case (let url?, _): self = .page(url: url, number: number, before: before)
        }
    }
}
