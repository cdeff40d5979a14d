import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

import struct Foundation.Date

/// The changes of a page of the outbox, and the order in which they are sent.
struct PlannedPage: Sendable {
    /// The number of the last change of the page before.
    let start: Int64

    /// The number of the last change.
    let end: Int64

    /// Whether more changes may follow.
    let isFull: Bool

    /// Whether all its changes can be sent first.
    let isWhole: Bool

    /// The changes that can be sent first, by the path of their list.
    let wave: [(path: String, changes: [PlannedChange])]

    /// Whether the page was planned without all changes that its own wait for.
    let isTruncated: Bool
}

/// The outbox is planned in pages: it may be larger than the memory of a device.
extension OutboxPush {
    /// Plans the next page of changes that may be sent now.
    ///
    /// - Parameters:
    ///   - start: The number of the last change of the page before.
    ///   - end: The number of the last change of the page; nil if it is to have its usual size.
    ///   - limit: How many changes are planned with them at most, because they wait for them.
    /// - Returns: The page; nil if there are no more changes.
    /// - Throws: `DatabaseError`.
    func page(
        after start: Int64,
        to end: Int64? = nil,
        considering limit: Int
    ) async throws -> PlannedPage? {
        let planner = PagePlanner(run: run, resources: resources, progress: progress)
        return try await run.store.writer.read { db in
            try planner.page(db, after: start, to: end, considering: limit)
        }
    }
}

/// Plans pages of the outbox.
private struct PagePlanner: Sendable {
    let run: RunContext
    let resources: PushResources
    let progress: PushProgress

    /// The number of changes of a page, which are sent in two groups.
    private static let pageSize = 400

    func page(
        _ db: Database,
        after start: Int64,
        to end: Int64?,
        considering limit: Int
    ) throws -> PlannedPage? {
        let numbers = try candidates(db, after: start, to: end)
        guard let end = numbers.last else { return nil }
        let reader = try StoreReader.prepare(db, in: run.store)
        var planned: [PlannedChange] = []
        var paths: [Int64: String] = [:]
        var next = Set(numbers)
        var known: Set<Int64> = []
        var isTruncated = false
        while !next.isEmpty, !isTruncated {
            known.formUnion(next)
            var added = try plan(next, with: reader)
            for (change, path) in added { paths[change.number] = path }
            let predecessors = try reader.predecessors(of: added.map(\.change))
            next = Set(predecessors.values.joined()).subtracting(known)
            isTruncated = known.count > limit && !next.isEmpty
            if isTruncated {
                // They are sent with their own pages, and what waits for them when this one
                // is read again.
                for index in added.indices {
                    let waits = predecessors[added[index].change.number]
                    guard waits?.isSubset(of: known) == false else { continue }
                    added[index].change.isSendable = false
                }
            }
            planned += added.map(\.change)
        }
        let wave = PushPlan(planned).waves.first ?? []
        let byPath = Dictionary(grouping: wave) { paths[$0.number] ?? "" }
        return PlannedPage(
            start: start,
            end: end,
            isFull: numbers.count == Self.pageSize,
            isWhole: wave.count == numbers.count && planned.count == numbers.count,
            wave: byPath.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
            isTruncated: isTruncated
        )
    }

    /// Returns changes as a plan needs them, each with the path of its list.
    private func plan(
        _ numbers: Set<Int64>,
        with reader: StoreReader
    ) throws -> [(change: PlannedChange, path: String)] {
        let attempts = try StoredAttempts.read(reader.db, of: numbers.sorted())
        return try reader.capturedChanges(numbers.sorted()).map { change in
            let isSendable = isSendable(change, attempts)
            let path = resources.resource(of: change.row.entity)?.path ?? ""
            let planned = try PlannedChange(
                change,
                isSendable: isSendable,
                to: resources,
                reader: reader
            )
            return (planned, path)
        }
    }

    /// Returns the numbers of changes of a page whose state lets them be sent.
    private func candidates(
        _ db: Database,
        after start: Int64,
        to end: Int64?
    ) throws -> [Int64] {
        let entities = resources.entities(exceptOf: Set(progress.stopped.keys))
        let arguments: [(any DatabaseValueConvertible)?] =
            [start, end ?? .max, run.environment.now().timeIntervalSince1970] + entities
        return try Int64.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT _id FROM _tidemark_change LEFT JOIN _tidemark_request ON change = _id \
                    WHERE _id > ? AND _id <= ? AND state IN ('pending', 'uncertain') \
                    AND (nextAttempt IS NULL OR nextAttempt <= ?) \
                    AND entity IN (\(databaseQuestionMarks(count: entities.count))) \
                    ORDER BY _id LIMIT \(Self.pageSize)
                    """
            ),
            arguments: StatementArguments(arguments)
        )
    }

    private func isSendable(_ change: CapturedChange, _ requests: StoredAttempts) -> Bool {
        guard let resource = resources.resource(of: change.row.entity),
            progress.stopped[resource.path] == nil, progress.mayAttempt(change.number),
            requests.isDue(change.number, at: run.environment.now())
        else { return false }
        return change.state == .pending || change.isReconciledByReading(in: resource.push)
            || requests.mayResend(change, in: resource.push, at: run.environment.now())
    }
}
