import GRDB
import TidemarkModel
import TidemarkStore

/// While the service processes the requests of one group, those of another are stored, or its
/// outcomes recorded.
extension OutboxPush {
    /// How many groups are processed at a time.
    private static let workers = 2

    /// Reads the outbox once, page by page, and sends the changes that can be sent now, and those
    /// that their outcomes make possible.
    ///
    /// A change waits in the plan for those of later pages. If too many wait, those of the first
    /// pages are removed, and read again in reverse order: they wait for what comes after them.
    ///
    /// - Parameter limit: How many changes may wait in the plan.
    /// - Returns: Whether there were changes to send, and whether some were removed from the plan
    ///   that still wait.
    /// - Throws: `CancellationError`; ``SyncError/Code/leaseLost``; `DatabaseError`.
    func sendPages(holding limit: Int) async throws -> (isSent: Bool, isTruncated: Bool) {
        plan.changes = PushPlan()
        var held: ArraySlice<PlannedPage.Range> = []
        var removed: [PlannedPage.Range] = []
        var isSent = try await sendPages { range in
            held.append(range)
            while plan.changes.count > limit, let first = held.popFirst() {
                if plan.changes.remove(first.changes) { removed.append(first) }
            }
        }
        var isTruncated = false
        while !availability.isEnded, let range = removed.popLast() {
            guard let page = try await page(after: range.start, to: range.end) else { continue }
            plan.add(page)
            isSent = try await sendReady() || isSent
            if plan.changes.remove(page.range.changes) { isTruncated = true }
        }
        return (isSent, isTruncated)
    }

    /// Sends the changes of all pages, as far as they wait for none of later pages.
    ///
    /// - Parameter hold: Called after each page with changes that wait.
    /// - Returns: Whether there were changes to send.
    /// - Throws: `CancellationError`; ``SyncError/Code/leaseLost``; `DatabaseError`.
    private func sendPages(_ hold: (PlannedPage.Range) -> Void) async throws -> Bool {
        try await withThrowingTaskGroup { workers in
            var (running, isSent) = (0, false)
            var next = try await page(after: 0)
            while !availability.isEnded, let page = next {
                plan.add(page)
                // Read meanwhile: most of its changes do not wait for those of this page.
                async let following = page.isFull ? self.page(after: page.range.end) : nil
                if isStreamed(page) {
                    isSent = true
                    for (path, changes) in byPath(plan.changes.takeReady()) {
                        enqueue(changes, to: path)
                    }
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
                isSent = try await sendReady() || isSent
                if plan.changes.count > 0 { hold(page.range) }
                next = try await following
                if !page.isFull { next = try await self.page(after: page.range.end) }
            }
            try await workers.waitForAll()
            return try await sendReady() || isSent
        }
    }

    /// Returns whether the changes of a page can be sent without a look at their outcomes, before
    /// those of the next one.
    private func isStreamed(_ page: PlannedPage) -> Bool {
        page.isFull && run.limits.concurrency > 1 && plan.changes.isReady(page.range.changes)
            && page.changes.allSatisfy { $0.attempts == 0 && acceptance(of: $0.path).hasAccepted }
    }

    /// Sends the changes of the plan that wait for nothing, until none is left.
    ///
    /// - Returns: Whether there were such changes.
    private func sendReady() async throws -> Bool {
        var isSent = false
        while !availability.isEnded {
            let wave = plan.changes.takeReady()
            guard !wave.isEmpty else { break }
            try Task.checkCancellation()
            isSent = true
            for (path, changes) in leastAttempted(wave) { try await send(changes, to: path) }
        }
        return isSent
    }

    private func byPath(
        _ wave: [PlannedChange]
    ) -> [(path: String, changes: [PlannedChange])] {
        Dictionary(grouping: wave, by: \.path).sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }

    /// Returns the changes of a wave with those first that were attempted the least.
    ///
    /// A request at which the service fails, or stops responding, may end the run: every run would
    /// end there, and never send the others. Changes that were attempted equally often are sent
    /// before the objects of others are read.
    private func leastAttempted(
        _ wave: [PlannedChange]
    ) -> [(path: String, changes: [PlannedChange])] {
        Dictionary(grouping: wave, by: \.attempts).sorted { $0.key < $1.key }
            .flatMap { byPath($0.value) }
    }

    /// Sends changes to a list.
    private func send(_ changes: [PlannedChange], to path: String) async throws {
        guard progress.stopped[path] == nil else { return }
        enqueue(changes, to: path)
        // The first alone: it shows whether the service accepts changes of the list.
        if !acceptance(of: path).hasAccepted, let first = nextGroup() {
            try await sendGroup(first.changes, to: path)
        }
        // A limit of one request means that nothing happens at the same time.
        guard run.limits.concurrency > 1, !queue.isEmpty else { return try await sendQueued() }
        async let other: Void = sendQueued()
        try await sendQueued()
        try await other
    }

    /// Lets changes be sent next.
    private func enqueue(_ changes: [PlannedChange], to path: String) {
        // A page that was read while another one was sent may contain changes of that one.
        queue.append(changes.filter { progress.mayAttempt($0.number) }, to: path)
    }

    private func nextGroup() -> ChangeGroup? {
        let concurrency = max(1, run.limits.concurrency)
        return queue.popGroup { [resources] pace, path in
            pace.groupSize(
                concurrency: concurrency,
                workers: concurrency > 1 ? Self.workers : 1,
                batch: resources.batchLimit(of: path)
            )
        }
    }

    private func sendQueued() async throws {
        while !availability.isEnded, let next = nextGroup() {
            guard progress.stopped[next.path] == nil else { continue }
            try await sendGroup(next.changes, to: next.path)
        }
    }
}
