public import GRDB
import TidemarkStore

/// The rows that a page of a list has named: what is known of it when the service says that it is
/// as it was.
public struct WalkMarks: Sendable, Hashable {
    /// The rows, by table.
    private(set) var rows: [String: [ClosedRange<Int64>]] = [:]

    /// Those of them that are items of the list.
    private(set) var items: [ClosedRange<Int64>] = []

    /// The tables of which it has an object that may be any row.
    private(set) var nameless: Set<String> = []

    /// Creates marks of no row.
    public init() {}

    /// Adds the marks of another step of the same page.
    public mutating func add(_ other: WalkMarks) {
        for (table, ranges) in other.rows {
            rows[table] = Self.union(rows[table] ?? [], ranges)
        }
        items = Self.union(items, other.items)
        nameless.formUnion(other.nameless)
    }

    mutating func add(_ set: RowSet, of table: String) {
        rows[table] = Self.union(rows[table] ?? [], Self.ranges(set))
    }

    mutating func add(items set: RowSet) {
        items = Self.union(items, Self.ranges(set))
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
        guard !one.isEmpty else { return other }
        var result: [ClosedRange<Int64>] = []
        for range in (one + other).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            append(range, to: &result)
        }
        return result
    }
}

extension WalkMarks {
    /// Whether there are no more items than rows: a text of somebody else may say so.
    fileprivate var hasRowsForItems: Bool {
        var left = rows.values.joined().reduce(0) { $0 + $1.count }
        return items.allSatisfy { range in
            left -= min(left + 1, range.count)
            return left >= 0
        }
    }
}

// MARK: - As text

extension WalkMarks {
    /// The marks as a text, a line for each table: `Film 1-3,5`; `!Film` where an object may be any
    /// row, `=1-3` for the items.
    public var text: String {
        let tables = rows.sorted { $0.key < $1.key }.map { "\($0.key) \(Self.text($0.value))" }
        return (["=\(Self.text(items))"] + nameless.sorted().map { "!\($0)" } + tables)
            .joined(separator: "\n")
    }

    /// Reads marks from a text; nil where it is none.
    public init?(text: String) {
        for line in text.split(separator: "\n") {
            if line.hasPrefix("=") {
                guard let ranges = Self.ranges(line.dropFirst()) else { return nil }
                items = ranges
            } else if line.hasPrefix("!") {
                nameless.insert(String(line.dropFirst()))
            } else {
                let parts = line.split(separator: " ")
                guard parts.count == 2, let ranges = Self.ranges(parts[1]) else { return nil }
                rows[String(parts[0])] = ranges
            }
        }
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
    public func mark(
        _ db: Database,
        _ marks: WalkMarks,
        of walk: Walk
    ) throws -> ImportReport? {
        guard try marks.rows.allSatisfy({ try areThere(db, $0.value, in: $0.key) }),
            marks.hasRowsForItems
        else { return nil }
        return try perform(db, walk, postponedAfter: Postponement.highest(db)) { run, entity, _ in
            for (name, ranges) in marks.rows {
                guard let table = store.layout.tables.firstIndex(where: { $0.name == name }) else {
                    continue
                }
                run.mark(ranges.joined(), in: table)
            }
            for row in marks.items.joined() { run.noteItem(row) }
            for name in marks.nameless {
                if let table = store.layout.tables.firstIndex(where: { $0.name == name }) {
                    run.namelessTables.insert(table)
                }
            }
            try SweepMarks(db, walk.resource, store.layout).save(run, items: entity)
        }
    }

    private func areThere(
        _ db: Database,
        _ ranges: [ClosedRange<Int64>],
        in table: String
    ) throws -> Bool {
        guard store.layout.tables.contains(where: { $0.name == table }) else { return false }
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
