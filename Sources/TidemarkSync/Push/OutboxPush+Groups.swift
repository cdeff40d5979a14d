import GRDB
import TidemarkModel
import TidemarkStore

/// Changes of one list whose requests are stored in one transaction.
struct ChangeGroup: Sendable {
    let path: String
    let changes: [PlannedChange]

    /// The number of changes in a group: its transaction waits for the disk.
    private static let size = 200

    static func groups(of changes: [PlannedChange], to path: String) -> [ChangeGroup] {
        stride(from: 0, to: changes.count, by: size).map { start in
            let end = min(start + size, changes.count)
            return ChangeGroup(path: path, changes: Array(changes[start..<end]))
        }
    }
}

/// While the service processes the requests of one group, those of another are stored, or its
/// outcomes recorded.
extension OutboxPush {
    /// How many groups are processed at a time.
    private static let workers = 2

    /// Reads the outbox once, page by page, and sends the changes that can be sent now.
    ///
    /// - Parameter limit: How many changes are planned with those of a page at most.
    /// - Returns: Whether there were such changes, and whether a page was planned without all
    ///   changes that its own wait for.
    /// - Throws: `CancellationError`; ``SyncError/Code/leaseLost``; `DatabaseError`.
    func sendPages(considering limit: Int) async throws -> (isSent: Bool, isTruncated: Bool) {
        try await withThrowingTaskGroup { workers in
            var (running, isSent, isTruncated) = (0, false, false)
            var next = try await page(after: 0, considering: limit)
            while !availability.isEnded, let page = next {
                // Planned meanwhile: most of its changes do not wait for those of this page.
                async let following =
                    page.isFull ? self.page(after: page.end, considering: limit) : nil
                if try await isStreamed(page) {
                    isSent = true
                    for (path, changes) in page.wave { enqueue(changes, to: path) }
                    while running < Self.workers {
                        running += 1
                        workers.addTask { try await self.sendQueued() }
                    }
                    // While one still sends its last group, the other begins with the next page.
                    try await workers.next()
                    running -= 1
                    next = try await following
                    continue
                }
                try await workers.waitForAll()
                running = 0
                var current: PlannedPage? = page
                while !availability.isEnded, let wave = current?.wave, !wave.isEmpty {
                    try Task.checkCancellation()
                    isSent = true
                    for (path, changes) in try await leastAttempted(wave) {
                        try await send(changes, to: path)
                    }
                    // The outcomes may have made more of its changes possible.
                    current = try await self.page(
                        after: page.start,
                        to: page.end,
                        considering: limit
                    )
                }
                isTruncated = isTruncated || current?.isTruncated ?? false
                next = try await following
                if !page.isFull { next = try await self.page(after: page.end, considering: limit) }
            }
            try await workers.waitForAll()
            return (isSent, isTruncated)
        }
    }

    /// Returns whether the changes of a page can be sent without a look at their outcomes, before
    /// those of the next one.
    private func isStreamed(_ page: PlannedPage) async throws -> Bool {
        guard page.isFull, page.isWhole, run.limits.concurrency > 1,
            page.wave.allSatisfy({ acceptance(of: $0.path).hasAccepted })
        else { return false }
        return try await !attempts(of: page.wave).hasRepeated
    }

    private func attempts(
        of wave: [(path: String, changes: [PlannedChange])]
    ) async throws -> StoredAttempts {
        let numbers = wave.flatMap { $0.changes.map(\.number) }
        return try await run.store.writer.read { db in try StoredAttempts.read(db, of: numbers) }
    }

    /// Returns the changes of a wave with those first that were attempted the least.
    ///
    /// A request at which the service fails, or stops responding, may end the run: every run would
    /// end there, and never send the others. Changes that were attempted equally often are sent
    /// before the objects of others are read.
    private func leastAttempted(
        _ wave: [(path: String, changes: [PlannedChange])]
    ) async throws -> [(path: String, changes: [PlannedChange])] {
        let attempts = try await attempts(of: wave)
        guard attempts.hasRepeated else { return wave }
        func count(_ change: PlannedChange) -> Int { attempts.count(change.number) }
        return wave.flatMap { path, changes in
            Dictionary(grouping: changes, by: count).map { (count: $0, path: path, changes: $1) }
        }
        .sorted { ($0.count, $0.path) < ($1.count, $1.path) }
        .map { ($0.path, $0.changes) }
    }

    /// Sends changes to a list.
    private func send(_ changes: [PlannedChange], to path: String) async throws {
        guard progress.stopped[path] == nil else { return }
        enqueue(changes, to: path)
        // The first alone: it shows whether the service accepts changes of the list.
        if !acceptance(of: path).hasAccepted, let first = queue.popFirst() {
            try await sendGroup(first.changes, to: path)
        }
        // A limit of one request means that nothing happens at the same time.
        guard run.limits.concurrency > 1 else { return try await sendQueued() }
        async let other: Void = sendQueued()
        try await sendQueued()
        try await other
    }

    /// Lets changes be sent next.
    private func enqueue(_ changes: [PlannedChange], to path: String) {
        // A page that was planned while another one was sent may contain changes of that one.
        queue += ChangeGroup.groups(
            of: changes.filter { progress.mayAttempt($0.number) },
            to: path
        )
    }

    private func sendQueued() async throws {
        while !availability.isEnded, let next = queue.popFirst() {
            guard progress.stopped[next.path] == nil else { continue }
            try await sendGroup(next.changes, to: next.path)
        }
    }
}
