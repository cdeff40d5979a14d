/// The rows of a live result after one commit.
///
/// It is a collection of records in the order of the request, with their sections, and with what
/// has changed since the previous snapshot:
///
/// ```swift
/// for try await films in store.live(Film.sorted(by: \.episode)) {
///     print(films.map(\.title), films.changes?.insertions.count ?? 0)
/// }
/// ```
///
/// It is a value: later commits do not change it.
public struct LiveSnapshot<Record: Sendable>: RandomAccessCollection, Sendable {
    private let rows: ChunkedRows<Record>

    private let runs: SectionRuns

    /// What has changed since the snapshot before; nil for the first one.
    public let changes: LiveChanges?

    /// The number of rows that the request selects, of which a window shows a part.
    public let total: Int

    /// The rows that are left out, because the record type cannot represent them.
    public let unreadable: [LiveFailure]

    init(
        rows: ChunkedRows<Record>,
        runs: SectionRuns,
        changes: LiveChanges?,
        total: Int,
        unreadable: [LiveFailure]
    ) {
        self.rows = rows
        self.runs = runs
        self.changes = changes
        self.total = total
        self.unreadable = unreadable
    }

    /// The position of the first record.
    public var startIndex: Int { 0 }

    /// The position after the last record.
    public var endIndex: Int { rows.count }

    /// The record at a position.
    ///
    /// - Complexity: O(log *n*).
    public subscript(position: Int) -> Record { rows[position] }

    /// The sections in their order; one without a title if the request has none.
    public var sections: [LiveSection<Record>] {
        runs.titles.indices.map { index in
            LiveSection(title: runs.titles[index], records: self[runs.items(of: index)])
        }
    }

    /// The record at a position in a section.
    ///
    /// - Complexity: O(log *n*).
    public subscript(position: LivePosition) -> Record {
        rows[runs.items(of: position.section).lowerBound + position.item]
    }
}

extension LiveSnapshot where Record: EntityRecord {
    /// The record of a row; nil if the snapshot does not contain it.
    ///
    /// - Complexity: O(*n*). For many rows, create a dictionary by ``EntityRecord/rowID``.
    public subscript(row: RowID<Record>) -> Record? { first { $0.rowID == row } }
}

/// A section of a live result: records with the same title.
public struct LiveSection<Record: Sendable>: RandomAccessCollection, Sendable {
    /// The title; empty if the request has no sections.
    public let title: String

    private let records: Slice<LiveSnapshot<Record>>

    init(title: String, records: Slice<LiveSnapshot<Record>>) {
        self.title = title
        self.records = records
    }

    /// The position of the first record.
    public var startIndex: Int { 0 }

    /// The position after the last record.
    public var endIndex: Int { records.count }

    /// The record at a position in the section.
    public subscript(position: Int) -> Record { records[records.startIndex + position] }
}

/// A row that a record type cannot represent.
public struct LiveFailure: Sendable, Hashable, CustomStringConvertible {
    /// The row.
    public let row: RowReference

    /// Why its record cannot be created.
    public let reason: String

    /// The row and the reason.
    public var description: String { "\(row): \(reason)" }
}
