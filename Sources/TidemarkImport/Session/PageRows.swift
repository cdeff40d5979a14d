package import GRDB
import TidemarkStore

/// The rows that a page of a list has named: what is known of it when the service says that it is
/// as it was.
package struct PageRows: Sendable, Hashable {
    /// The rows, by table.
    private(set) var rows: [String: [ClosedRange<Int64>]] = [:]

    /// Those of them that are items of the list, by table.
    private(set) var items: [String: [ClosedRange<Int64>]] = [:]

    /// The tables of which it has an object that may be any row.
    private(set) var nameless: Set<String> = []

    /// Creates marks of no row.
    package init() {}

    /// Adds the marks of another step of the same page.
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
    /// Whether there are no more items than rows: a text of somebody else may say so.
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

// MARK: - As text

extension PageRows {
    /// The marks as a text, a line for each table: `Film 1-3,5`; `=Film 1-3` for the items, `!Film`
    /// where an object may be any row.
    package var text: String {
        (Self.lines(items).map { "=\($0)" } + nameless.sorted().map { "!\($0)" }
            + Self.lines(rows)).joined(separator: "\n")
    }

    private static func lines(_ tables: [String: [ClosedRange<Int64>]]) -> [String] {
        tables.sorted { $0.key < $1.key }.map { "\($0.key) \(text($0.value))" }
    }

    /// Reads marks from a text; nil where it is none.
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

    /// Reads numbers of rows; nil where some are none that a table gives.
    private static func ranges(_ text: Substring) -> [ClosedRange<Int64>]? {
        var ranges: [ClosedRange<Int64>] = []
        for part in text.split(separator: ",") {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
                .map { Int64($0) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2,
                1 <= first, first <= last, last < .max
            else { return nil }
            ranges.append(first...last)
        }
        return ranges
    }
}

extension Importer {
    /// Notes that a walk has seen the rows which a page named before: the service says that the
    /// page is as it was.
    ///
    /// - Returns: what became of the rows, which is nothing; nil, and nothing is noted, where some
    ///   of them are gone meanwhile: the page has to be read.
    /// - Throws: ``ImportError/Code/unknownWalk`` when the walk was not begun.
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
