import GRDB
import TidemarkModel

/// One consumer of a live result: its rows so far, and how the next snapshot follows from changes.
final class LiveSubscription<Record: Sendable>: Sendable {
    private let state: Locked<State>

    /// Another request, from which the next snapshot is made.
    private let replacement = Locked<Replacement?>(nil)

    private struct Replacement: Sendable {
        let source: LiveSource<Record>
        let window: Range<Int>?
    }

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
    ///
    /// It does not wait for a snapshot that is being read: the main thread may call it.
    func replace(_ source: LiveSource<Record>, window: Range<Int>?) {
        replacement.withLock { $0 = Replacement(source: source, window: window) }
    }

    /// Returns the snapshot after changes; nil if it would equal the last one.
    ///
    /// - Parameters:
    ///   - reader: A reader of the state after the changes.
    ///   - changes: What has changed since the last snapshot, or more.
    /// - Returns: The snapshot.
    /// - Throws: ``StoreError``, `DatabaseError`.
    func snapshot(_ reader: StoreReader, _ changes: RowChanges) throws -> LiveSnapshot<Record>? {
        let replacement = replacement.withLock { replacement in
            defer { replacement = nil }
            return replacement
        }
        return try state.withLock { state in
            if let replacement { state.replace(replacement.source, window: replacement.window) }
            guard state.hasSnapshot else { return try state.firstSnapshot(reader) }
            let failures = state.failures
            let (fresh, difference) = try state.update(reader, changes)
            return try state.snapshot(reader, fresh, difference, replacing: failures)
        }
    }
}

extension LiveSubscription.State {
    fileprivate mutating func replace(_ source: LiveSource<Record>, window: Range<Int>?) {
        self.source = source
        isReplaced = true
        // The rows that are shown are those of a window from now on, even of an unlimited one.
        if self.window == nil, window != nil { shown = index.rows }
        self.window = window ?? self.window.map { _ in 0..<Int.max }
    }

    /// The number of rows that the request selects: without a window, the index lacks those that
    /// the record type cannot represent.
    private var countedRows: Int { index.count + (window == nil ? failures.count : 0) }

    /// Reads all rows.
    fileprivate mutating func firstSnapshot(
        _ reader: StoreReader
    ) throws -> LiveSnapshot<Record> {
        hasSnapshot = true
        isReplaced = false
        let query = source.query
        let entries = try query.entries(reader, expecting: reader.count(query.request))
        if let window {
            index = LiveIndex(entries)
            _ = try show(window, LiveDifference(), reader)
        } else {
            // Batch by batch, so that no more records than those of a batch are in memory twice.
            for start in stride(from: 0, to: entries.count, by: 2_560) {
                let rows = entries[start...].prefix(2_560).map(\.row)
                let fresh = try source.records(reader, rows)
                failures.merge(fresh.failures) { $1 }
                let readable = rows.filter { fresh.failures[$0] == nil }
                records.append(contentsOf: try readable.map { try fresh.record(of: $0) })
            }
            let unreadable = failures
            index = LiveIndex(
                unreadable.isEmpty
                    ? entries : LiveEntries(entries.filter { unreadable[$0.row] == nil })
            )
            runs = try sections(of: index)
        }
        total = countedRows
        return snapshot(changes: nil)
    }

    /// Brings the index up to date.
    ///
    /// - Returns: The rows whose values have changed or are new, and the difference.
    fileprivate mutating func update(
        _ reader: StoreReader,
        _ changes: RowChanges
    ) throws -> (fresh: LiveRecords<Record>, difference: LiveDifference) {
        var changed = try self.changed(reader, changes)
        guard window == nil else { return (LiveRecords(), index.apply(changed)) }
        let known = index.entries(of: Set(changed.keys))
        let unread = changed.values.compactMap(\.self)
            .filter { known[$0.row]?.fingerprint != $0.fingerprint }
        let fresh = try source.records(reader, unread.map(\.row))
        for row in changed.keys { failures[row] = fresh.failures[row] }
        for row in fresh.failures.keys { changed[row] = .some(nil) }
        return (fresh, index.apply(changed))
    }

    /// Returns the entries of the rows that may have changed; nil for those that are not in the
    /// result.
    private mutating func changed(
        _ reader: StoreReader,
        _ changes: RowChanges
    ) throws -> [Int64: LiveEntries.Entry?] {
        let query = source.query
        let limit = max(1_000, index.count / 4)
        let affected =
            query.isLimited || isReplaced
            ? nil : try query.dependencies.affectedRows(by: changes, reader, limit: limit)
        guard let affected else {
            isReplaced = false
            // Rows that are not in the index are all read again.
            if window == nil { failures = [:] }
            return index.changes(to: try query.entries(reader, expecting: index.count))
        }
        var changed = [Int64: LiveEntries.Entry?](uniqueKeysWithValues: affected.map { ($0, nil) })
        let entries = try query.entries(reader, among: affected, expecting: affected.count)
        for entry in entries { changed[entry.row] = entry }
        return changed
    }

    fileprivate mutating func snapshot(
        _ reader: StoreReader,
        _ fresh: LiveRecords<Record>,
        _ difference: LiveDifference,
        replacing oldFailures: [Int64: LiveFailure]
    ) throws -> LiveSnapshot<Record>? {
        let (before, oldTotal) = (runs, total)
        var difference = difference
        total = countedRows
        if let window {
            difference = try show(window, difference, reader)
        } else if !difference.isEmpty {
            // Insertions and updates were read; a record that has moved is that of before.
            records = try records.applying(difference) { position in
                try fresh.record(of: index.entries[position].row)
            }
            runs = try sections(of: index)
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
        let updated = Set(difference.updates.map { index.entries[$0.new].row })
        let entries = index.entries[window.clamped(to: 0..<index.count)]
        let rows = entries.map(\.row)
        let old = Dictionary(uniqueKeysWithValues: shown.enumerated().map { ($1, $0) })
        let missing = rows.filter { old[$0] == nil || updated.contains($0) }
        let fresh = try source.records(reader, missing)
        failures = failures.filter { rows.contains($0.key) && !missing.contains($0.key) }
        failures.merge(fresh.failures) { $1 }
        let readable = rows.filter { failures[$0] == nil }
        let section = entries.filter { failures[$0.row] == nil }.map(\.section)
        let changed = LiveDifference(
            from: shown,
            to: readable,
            isUpdated: updated.contains,
            isDisplaced: { move in
                source.query.hasSections && runs.title(at: move.old) != section[move.new]
            }
        )
        records = try records.applying(changed) { position in
            try fresh.record(of: readable[position])
        }
        shown = readable
        runs = try sections(section.map { ($0, 1) })
        return changed
    }

    /// Returns the sections of all rows.
    private func sections(of index: LiveIndex) throws -> SectionRuns {
        guard source.query.hasSections else { return SectionRuns(single: index.count) }
        return try sections(index.entries.sections)
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
