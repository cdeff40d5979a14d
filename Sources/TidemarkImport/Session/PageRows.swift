package import GRDB
import TidemarkStore

/// The rows that a page of a list contains.
///
/// They are stored with the page, and used when the service reports that the page was not modified.
package struct PageRows: Sendable, Hashable {
    /// The row numbers, by table name.
    private(set) var rows: [String: [ClosedRange<Int64>]] = [:]

    /// The row numbers of those that are items of the list, by table name.
    private(set) var items: [String: [ClosedRange<Int64>]] = [:]

    /// The tables for which the page has an object without a usable key, which may be any row.
    private(set) var nameless: Set<String> = []

    /// Creates an empty set of rows.
    package init() {}

    /// Adds the rows of another part of the same page.
    package mutating func add(_ other: PageRows) {
        rows.merge(other.rows, uniquingKeysWith: Self.union)
        items.merge(other.items, uniquingKeysWith: Self.union)
        nameless.formUnion(other.nameless)
    }

    mutating func add(_ set: RowSet, of table: String) {
        rows[table] = Self.union(rows[table] ?? [], Self.ranges(set))
    }

    mutating func add(items set: RowSet, of table: String) {
        items[table] = Self.union(items[table] ?? [], Self.ranges(set))
    }

    mutating func add(nameless table: String) {
        nameless.insert(table)
    }

    private static func ranges(_ set: RowSet) -> [ClosedRange<Int64>] {
        var ranges: [ClosedRange<Int64>] = []
        for row in set.rows { append(row...row, to: &ranges) }
        return ranges
    }

    private static func append(
        _ range: ClosedRange<Int64>,
        to ranges: inout [ClosedRange<Int64>]
    ) {
        guard let last = ranges.last, range.lowerBound <= last.upperBound + 1 else {
            return ranges.append(range)
        }
        ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
    }

    private static func union(
        _ one: [ClosedRange<Int64>],
        _ other: [ClosedRange<Int64>]
    ) -> [ClosedRange<Int64>] {
        var result: [ClosedRange<Int64>] = []
        for range in (one + other).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            append(range, to: &result)
        }
        return result
    }
}

extension PageRows {
    /// Whether there are no more items than rows.
    ///
    /// The text form is read from the database, and an invalid range of items would be iterated row
    /// by row.
    fileprivate var hasRowsForItems: Bool {
        items.allSatisfy { table, items in
            var left = (rows[table] ?? []).reduce(0) { $0 + $1.count }
            return items.allSatisfy { range in
                left -= min(left + 1, range.count)
                return left >= 0
            }
        }
    }
}

// MARK: - Text form

extension PageRows {
    /// The text form, with one line for each table: `Film 1-3,5`.
    ///
    /// `=Film 1-3` are the items, and `!Film` is a table for which an object may be any row.
    package var text: String {
        (Self.lines(items).map { "=\($0)" } + nameless.sorted().map { "!\($0)" }
            + Self.lines(rows)).joined(separator: "\n")
    }

    private static func lines(_ tables: [String: [ClosedRange<Int64>]]) -> [String] {
        tables.sorted { $0.key < $1.key }.map { "\($0.key) \(text($0.value))" }
    }

    /// Parses the text form; nil if it is invalid.
    package init?(text: String) {
        for line in text.split(separator: "\n") {
            if line.hasPrefix("!") {
                nameless.insert(String(line.dropFirst()))
            } else if line.hasPrefix("=") {
                guard let (table, ranges) = Self.ranges(of: line.dropFirst()) else { return nil }
                items[table] = ranges
            } else {
                guard let (table, ranges) = Self.ranges(of: line) else { return nil }
                rows[table] = ranges
            }
        }
    }

    private static func ranges(of line: Substring) -> (String, [ClosedRange<Int64>])? {
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let ranges = ranges(parts[1]) else { return nil }
        return (String(parts[0]), ranges)
    }

    private static func text(_ ranges: [ClosedRange<Int64>]) -> String {
        ranges.map { range in
            range.count == 1
                ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
        }
        .joined(separator: ",")
    }

    /// Parses ranges of row numbers; nil if one of them is not a range that a table can have.
    private static func ranges(_ text: Substring) -> [ClosedRange<Int64>]? {
        var ranges: [ClosedRange<Int64>] = []
        for part in text.split(separator: ",") {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
                .map { Int64($0) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2,
                // Row numbers start at 1. A range is extended by its upper bound + 1, which must
                // not overflow.
                1 <= first, first <= last, last < .max
            else { return nil }
            ranges.append(first...last)
        }
        return ranges
    }
}

extension Importer {
    /// Marks the rows of a page as seen by a session, because the service reports that the page was
    /// not modified.
    ///
    /// - Parameters:
    ///   - db: The transaction.
    ///   - marks: The rows that the page contained when it was read.
    ///   - walk: The session.
    /// - Returns: A report without changed rows. Nil if some of the rows were deleted since:
    ///   nothing is marked then, and the page has to be requested again.
    /// - Throws: ``ImportError/Code/unknownWalk`` if the session was not started.
    package func mark(
        _ db: Database,
        _ marks: PageRows,
        of walk: ImportSession
    ) throws -> ImportReport? {
        guard try marks.rows.allSatisfy({ try areThere(db, $0.value, in: $0.key) }),
            marks.hasRowsForItems
        else { return nil }
        return try perform(db, walk, postponedAfter: RetryQueue.highest(db)) { run, _, _ in
            for (name, ranges) in marks.rows {
                if let table = table(name) { run.mark(ranges.joined(), in: table) }
            }
            for (name, ranges) in marks.items {
                guard let table = table(name) else { continue }
                for row in ranges.joined() { run.marks(\.items, in: table).insert(row) }
            }
            for name in marks.nameless {
                if let table = table(name) { run.namelessTables.insert(table) }
            }
            try SeenRows(db, walk.resource, store.layout).save(run)
        }
    }

    private func table(_ name: String) -> Int? {
        store.layout.tables.firstIndex { $0.name == name }
    }

    private func areThere(
        _ db: Database,
        _ ranges: [ClosedRange<Int64>],
        in table: String
    ) throws -> Bool {
        // The name was read from the database and becomes part of a statement.
        guard self.table(table) != nil else { return false }
        let statement = try db.cachedStatement(
            sql: """
                SELECT count(*) FROM \(table.quotedDatabaseIdentifier) WHERE _id BETWEEN ? AND ?
                """
        )
        return try ranges.allSatisfy { range in
            try Int.fetchOne(statement, arguments: [range.lowerBound, range.upperBound])
                == range.count
        }
    }
}
