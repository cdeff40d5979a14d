import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

import struct Foundation.Date

/// Changes of a page of the outbox that may be sent now, or after others.
struct PlannedPage: Sendable {
    /// A part of the outbox.
    struct Range: Sendable {
        /// The number of the last change before it.
        let start: Int64

        /// The number of its last change.
        let end: Int64

        /// The numbers of the changes that are planned.
        let changes: [Int64]
    }

    let range: Range

    /// Whether more changes may follow.
    let isFull: Bool

    let changes: [PlannedChange]

    /// What they wait for, in the whole outbox.
    let predecessors: [Int64: PushPlan.Predecessors]
}

/// The plan of an outbox that is read in pages.
struct PagedPlan: Sendable {
    /// How many changes wait for others.
    let mostWaiting: Int

    /// The changes that were read and not sent yet.
    var changes = PushPlan()

    /// Whether new objects are sent without links to other new ones, which cannot be sent now.
    var owesLinks = false

    /// What was acknowledged since the last page was requested.
    private var finished: Set<Int64> = []

    init(mostWaiting: Int) { self.mostWaiting = mostWaiting }

    /// Records that a page is read next.
    ///
    /// What is acknowledged meanwhile may be among what its changes wait for.
    mutating func expectPage() { finished = [] }

    /// Adds the changes of a page.
    mutating func add(_ page: PlannedPage) {
        changes.add(page.changes, after: page.predecessors)
        for number in finished { changes.finish(number) }
    }

    /// Lets the changes be sent that have waited for one that does not exist any more.
    mutating func finish(_ number: Int64) {
        changes.finish(number)
        finished.insert(number)
    }
}

/// The outbox is planned in pages: it may be larger than the memory of a device.
extension OutboxPush {
    /// Reads the next page of changes that may be sent now, or after others.
    ///
    /// - Parameters:
    ///   - start: The number of the last change of the page before.
    ///   - end: The number of the last change of the page; nil if it is to have its usual size.
    /// - Returns: The page; nil if there are no more changes.
    /// - Throws: `DatabaseError`.
    func page(after start: Int64, to end: Int64? = nil) async throws -> PlannedPage? {
        plan.expectPage()
        let reader = PageReader(
            run: run,
            resources: resources,
            progress: progress,
            owesLinks: plan.owesLinks
        )
        let page = try await run.store.writer.read { db in
            try reader.page(db, after: start, to: end)
        }
        report.planned += page?.changes.count ?? 0
        return page
    }
}

/// Reads pages of the outbox.
private struct PageReader: Sendable {
    let run: RunContext
    let resources: PushResources
    let progress: PushProgress

    /// Whether new objects are sent without links to other new ones.
    let owesLinks: Bool

    /// The number of changes of a page.
    private static let pageSize = 400

    func page(_ db: Database, after start: Int64, to end: Int64?) throws -> PlannedPage? {
        let numbers = try candidates(db, after: start, to: end)
        guard let last = numbers.last else { return nil }
        let reader = try StoreReader.prepare(db, in: run.store)
        let attempts = try StoredAttempts.read(db, of: numbers)
        let changes = try reader.capturedChanges(numbers).compactMap { change in
            guard isSendable(change, attempts) else { return nil as PlannedChange? }
            return try PlannedChange(
                change,
                isSendable: true,
                to: resources,
                attempts: attempts.count(change.number),
                reader: reader
            )
        }
        return PlannedPage(
            range: .init(start: start, end: last, changes: changes.map(\.number)),
            isFull: numbers.count == Self.pageSize,
            changes: changes,
            predecessors: try reader.predecessors(of: changes, owingLinks: owesLinks)
        )
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
                    AND (nextAttempt IS NULL OR nextAttempt <= ? OR claim = 'accepted') \
                    AND approval IS NOT 'needed' \
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
                || requests.isAccepted(change.number)
        else { return false }
        return change.state == .pending || change.isReconciledByReading(in: resource.push)
            || requests.mayResend(change, in: resource.push, at: run.environment.now())
    }
}
