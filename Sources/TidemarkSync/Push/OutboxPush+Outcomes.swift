import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// What became of requests is recorded, and remembered for the rest of the run.
extension OutboxPush {
    /// Records outcomes in one transaction, which merges the responses into the rows.
    ///
    /// If another run has taken over the lease, only those are recorded that it has not settled.
    ///
    /// - Parameters:
    ///   - results: The outcomes.
    ///   - unsent: The changes whose requests were not sent after the failure of an earlier one.
    /// - Returns: The updates that the service has accepted with references in a second form.
    /// - Throws: `DatabaseError`; ``SyncError/Code/leaseLost``, after the outcomes were recorded.
    func record(
        _ results: [SentChange],
        unsent: [CapturedChange]
    ) async throws -> [SentChange] {
        let (run, resources, isOutage) = (run, resources, availability.isOutage)
        // Not in this task: if it is cancelled, its transactions throw, and outcomes would be lost.
        let (recorded, holdsLease) = try await Task {
            try await run.recordOutcomes { db, holdsLease in
                let writer = OutboxWriter(db: db, environment: run.environment)
                let left = try holdsLease ? nil : writer.changes(sentBy: run.lease.token)
                func isOwn(_ change: CapturedChange) -> Bool {
                    left?.contains(change.number) ?? true
                }
                for change in unsent where isOwn(change) { try writer.takeBack(change) }
                let recorder = OutcomeRecorder(
                    run: run,
                    reader: try StoreReader.prepare(db, in: run.store),
                    sentTo: resources,
                    isOutage: isOutage
                )
                return try results.filter { isOwn($0.frozen.change) }.map { result in
                    let end = try recorder.record(result)
                    return Recorded(
                        change: result.frozen.change,
                        request: result.frozen.request,
                        end: end,
                        event: try SyncEvent(end, of: result.frozen.change, db, in: run.store),
                        message: recorder.message(in: result)
                    )
                }
            }
        }.value
        note(recorded)
        guard holdsLease else { throw SyncError.leaseLost }
        let ends = Dictionary(
            recorded.map { ($0.change.number, $0.end) },
            uniquingKeysWith: { first, _ in first }
        )
        return results.filter { sent in
            guard sent.frozen.earlier.references != nil else { return false }
            return if case .acknowledged = ends[sent.frozen.change.number] { true } else { false }
        }
    }

    /// Reports outcomes that were recorded.
    func note(_ recorded: [Recorded]) {
        for recorded in recorded {
            note(recorded.end, of: recorded.change)
            if case .stale = recorded.end {
                progress.stale[recorded.change.number] = recorded.request
            }
            if let message = recorded.message, report.messages.count < run.limits.diagnostics {
                report.messages.append(message)
            }
        }
        let events = rejected.add(recorded.map { ($0.change, $0.end, $0.event) })
        for event in events { run.emit(event) }
    }

    /// An outcome that was recorded.
    struct Recorded: Sendable {
        let change: CapturedChange

        /// The request that was sent; nil if none could be made.
        var request: StoredRequest?

        let end: PushedEnd

        /// The event after the transaction.
        let event: SyncEvent?

        /// What the service has said next to the object; nil for nothing.
        var message: PushReport.Message?
    }

    func note(_ end: PushedEnd, of change: CapturedChange) {
        let path = path(of: change)
        progress.stale[change.number] = nil
        // It was counted as uncertain before.
        if progress.contradicted.remove(change.number) != nil { report.forgetDoubt(of: change) }
        if end.isFinal { progress.references.end(of: change.number) }
        switch end {
        // It does not exist any more.
        case .acknowledged, .adopted, .overruled:
            progress.attempts[change.number] = nil
            plan.finish(change.number)
        case .reference(let attempt): progress.references.begin(attempt, of: change.number)
        case .stopped(let error), .intercepted(let error): progress.stopped[path] = error
        case .unreachable(let error):
            progress.stopped[path] = error
            availability.end(because: error)
        case .contradicted: progress.contradicted.insert(change.number)
        case .rejected, .duplicate, .uncertain, .conflicted, .stale, .postponed: break
        }
        report.count(end, of: change)
    }

    nonisolated func path(of change: CapturedChange) -> String {
        resources.path(of: change.row.entity) ?? change.row.entity
    }
}
