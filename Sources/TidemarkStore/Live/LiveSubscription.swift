import GRDB
import TidemarkModel

/// One consumer of a live result: its rows so far, and how the next snapshot follows from changes.
final class LiveSubscription<Record: Sendable>: Sendable {
    private let state: Locked<State>

    fileprivate struct State {
        var source: LiveSource<Record>

        /// The positions whose records are loaded; nil for all.
        var window: Range<Int>?

        /// All rows of the request.
        var index = LiveIndex()

        /// The rows of the last snapshot, their records and sections.
        var shown: [Int64] = []
        var records = ChunkedRows<Record>()
        var runs = SectionRuns(single: 0)
        var total = 0

        /// The rows that the record type cannot represent.
        var failures: [Int64: LiveFailure] = [:]

        /// Whether the index is that of a former request, so that changes of rows cannot be applied
        /// to it.
        var isReplaced = false

        /// Whether there was a snapshot.
        var hasSnapshot = false
    }

    init(_ source: LiveSource<Record>, window: Range<Int>?) {
        state = Locked(State(source: source, window: window))
    }

    /// Replaces the request, so that the next snapshot is that of another one.
    func replace(_ source: LiveSource<Record>, window: Range<Int>?) {
        state.withLock { state in
            state.source = source
            state.isReplaced = true
            // The rows that are shown are those of a window from now on, even of an unlimited one.
            if state.window == nil, window != nil { state.shown = state.index.rows }
            state.window = window ?? state.window.map { _ in 0..<Int.max }
        }
    }

    /// Returns the snapshot after changes; nil if it would equal the last one.
    ///
    /// - Parameters:
    ///   - reader: A reader of the state after the changes.
    ///   - changes: What has changed since the last snapshot, or more.
    /// - Returns: The snapshot.
    /// - Throws: ``StoreError``, `DatabaseError`.
    func snapshot(_ reader: StoreReader, _ changes: RowChanges) throws -> LiveSnapshot<Record>? {
        try state.withLock { state in
            let (fresh, difference) = try state.update(reader, changes)
            return try state.snapshot(reader, fresh, difference)
        }
    }
}

extension LiveSubscription.State {
    /// Brings the index up to date.
    ///
    /// - Returns: The rows whose values have changed or are new, and the difference.
    fileprivate mutating func update(
        _ reader: StoreReader,
        _ changes: RowChanges
    ) throws -> (fresh: LiveRecords<Record>, difference: LiveDifference) {
        let query = source.query
        let limit = max(1_000, index.count / 4)
        let affected =
            query.isLimited || isReplaced
            ? nil : try query.dependencies.affectedRows(by: changes, reader, limit: limit)
        guard let affected else {
            let entries = try query.entries(reader)
            isReplaced = false
            let known = index.entries(of: Set(entries.map(\.row)))
            let fresh = try read(entries, besides: known, reader)
            failures = fresh.failures
            return (
                fresh, index.replace(with: entries.filter { fresh.failures[$0.row] == nil })
            )
        }
        let entries = try query.entries(reader, among: affected)
        let known = index.entries(of: affected)
        let fresh = try read(entries, besides: known, reader)
        var changed = [Int64: LiveIndex.Entry?](
            uniqueKeysWithValues: affected.map { ($0, nil) }
        )
        for entry in entries where fresh.failures[entry.row] == nil { changed[entry.row] = entry }
        for row in affected { failures[row] = fresh.failures[row] }
        return (fresh, index.apply(changed))
    }

    /// Reads the records of the entries that are new or have other values, unless a window shows
    /// few of them.
    private func read(
        _ entries: [LiveIndex.Entry],
        besides known: [Int64: LiveIndex.Entry],
        _ reader: StoreReader
    ) throws -> LiveRecords<Record> {
        guard window == nil else { return LiveRecords() }
        let rows = entries.filter { known[$0.row]?.fingerprint != $0.fingerprint }.map(\.row)
        return try source.records(reader, rows)
    }

    fileprivate mutating func snapshot(
        _ reader: StoreReader,
        _ fresh: LiveRecords<Record>,
        _ difference: LiveDifference
    ) throws -> LiveSnapshot<Record>? {
        let (before, oldTotal, oldFailures) = (runs, total, failures)
        var difference = difference
        total = index.count
        if let window {
            difference = try show(window, difference, reader)
        } else if !difference.isEmpty {
            // Insertions and updates were read; a record that has moved is that of before.
            let rows = index.rows
            let old = records
            records = try old.applying(difference) { position in
                guard let record = fresh.known[rows[position]] else {
                    throw StoreError.rowNotFound("\(source.query.request.entity)#\(rows[position])")
                }
                return record
            }
            runs = try sections(index.sections)
        }
        guard hasSnapshot else {
            hasSnapshot = true
            return snapshot(changes: nil)
        }
        let changes = LiveChanges(difference, from: before, to: runs)
        guard !changes.isEmpty || total != oldTotal || failures != oldFailures else { return nil }
        return snapshot(changes: changes)
    }

    private func snapshot(changes: LiveChanges?) -> LiveSnapshot<Record> {
        LiveSnapshot(
            rows: records,
            runs: runs,
            changes: changes,
            total: total,
            unreadable: failures.values.sorted { $0.row.number < $1.row.number }
        )
    }

    /// Loads the records of a window, and returns what has changed in it.
    private mutating func show(
        _ window: Range<Int>,
        _ difference: LiveDifference,
        _ reader: StoreReader
    ) throws -> LiveDifference {
        let updated = Set(difference.updates.map { index.rows[$0.new] })
        let rows = Array(index.rows[window.clamped(to: 0..<index.count)])
        let old = Dictionary(uniqueKeysWithValues: shown.enumerated().map { ($1, $0) })
        let missing = rows.filter { old[$0] == nil || updated.contains($0) }
        let fresh = try source.records(reader, missing)
        failures = failures.filter { rows.contains($0.key) && !missing.contains($0.key) }
        failures.merge(fresh.failures) { $1 }
        let readable = rows.filter { failures[$0] == nil }
        let titles = Dictionary(
            uniqueKeysWithValues: window.clamped(to: 0..<index.count).map {
                (index.rows[$0], index.entry(at: $0).section)
            }
        )
        let section = readable.map { titles[$0] ?? "" }
        let changed = LiveDifference(
            from: shown,
            to: readable,
            isUpdated: updated.contains,
            isDisplaced: { move in
                source.query.hasSections && runs.title(at: move.old) != section[move.new]
            }
        )
        records = try records.applying(changed) { position in
            guard let record = fresh.known[readable[position]] else {
                throw StoreError.rowNotFound("\(source.query.request.entity)#\(readable[position])")
            }
            return record
        }
        shown = readable
        runs = try sections(section.map { ($0, 1) })
        return changed
    }

    /// Returns sections, of which neighbors with the same title are one.
    private func sections(_ parts: [(title: String, count: Int)]) throws -> SectionRuns {
        let count = parts.reduce(0) { $0 + $1.count }
        guard source.query.hasSections else { return SectionRuns(single: count) }
        var joined: [(title: String, count: Int)] = []
        for part in parts {
            if joined.last?.title == part.title {
                joined[joined.count - 1].count += part.count
            } else {
                joined.append(part)
            }
        }
        var known: Set<String> = []
        for (title, _) in joined where !known.insert(title).inserted {
            throw StoreError(
                .invalidValue,
                "The section \(title) of \(source.query.request.entity) is not contiguous.",
                hint: "The titles of sections must follow the order of their attribute."
            )
        }
        return SectionRuns(joined)
    }
}
