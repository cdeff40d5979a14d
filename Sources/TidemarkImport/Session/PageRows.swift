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
    private(set) var unidentified: Set<String> = []

    /// Creates an empty set of rows.
    package init() {}

    /// Creates the rows that a transaction has seen.
    init(_ run: ImportRun) {
        for (index, progress) in run.usedTables {
            let name = run.layout.tables[index].name
            let seen = Self.union(
                Self.ranges(progress.firstSeen),
                with: Self.ranges(progress.seenAgain)
            )
            if !seen.isEmpty { rows[name] = seen }
            if progress.items.count > 0 { items[name] = Self.ranges(progress.items) }
            if progress.hasUnidentifiedObject { unidentified.insert(name) }
        }
    }

    /// Adds the rows of another part of the same page.
    package mutating func add(_ other: PageRows) {
        rows.merge(other.rows, uniquingKeysWith: Self.union(_:with:))
        items.merge(other.items, uniquingKeysWith: Self.union(_:with:))
        unidentified.formUnion(other.unidentified)
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
        with other: [ClosedRange<Int64>]
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
    var hasRowsForItems: Bool {
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
        (Self.lines(items).map { "=\($0)" } + unidentified.sorted().map { "!\($0)" }
            + Self.lines(rows)).joined(separator: "\n")
    }

    private static func lines(_ tables: [String: [ClosedRange<Int64>]]) -> [String] {
        tables.sorted { $0.key < $1.key }.map { "\($0.key) \(text($0.value))" }
    }

    /// Parses the text form; nil if it is invalid.
    package init?(text: String) {
        for line in text.split(separator: "\n") {
            if line.hasPrefix("!") {
                unidentified.insert(String(line.dropFirst()))
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
