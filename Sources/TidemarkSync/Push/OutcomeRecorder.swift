import GRDB
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkRemote
import TidemarkStore

import struct Foundation.Date
import struct Foundation.URL

/// Records the outcomes of requests in one transaction.
struct OutcomeRecorder {
    let run: RunContext

    /// Reads the rows, with statements that are prepared once for all outcomes.
    let reader: StoreReader

    /// The lists to which the changes were sent.
    let resources: PushResources

    /// Whether the service is down.
    let isOutage: Bool

    /// Merges the objects of the responses.
    let objects: ObjectMerge

    init(run: RunContext, reader: StoreReader, sentTo resources: PushResources, isOutage: Bool) {
        self.run = run
        self.reader = reader
        self.resources = resources
        self.isOutage = isOutage
        objects = ObjectMerge(run.importer, in: reader)
    }

    var db: Database { reader.db }
    var writer: OutboxWriter {
        OutboxWriter(db: db, environment: run.environment, isOutage: isOutage)
    }

    /// Records an outcome, and merges the response into the row.
    func record(_ sent: SentChange) throws -> PushedEnd {
        switch sent.result {
        case .success(let outcome): try record(outcome, of: sent)
        case .failure(let error): try record(error, of: sent)
        }
    }

    /// Whether the request was sent before, and may have been applied then.
    ///
    /// Only a response that settles it ends the doubt: the change would be sent again under another
    /// key.
    private func isResent(_ sent: SentChange) -> Bool { sent.frozen.change.state == .uncertain }

    private func record(_ error: any Error, of sent: SentChange) throws -> PushedEnd {
        let number = sent.frozen.change.number
        let reason =
            error is CancellationError
            ? "the push was cancelled" : (error as? RemoteError)?.message ?? "\(error)"
        let failure = OutboxWriter.Failure(reason: reason)
        guard let error = error as? RemoteError, error.excludesEffect else {
            try writer.markUncertain(number, because: failure)
            return .uncertain
        }
        if isResent(sent) {
            try writer.markUncertain(number, because: failure)
        } else {
            try writer.reopen(number, as: .pending(after: nil), because: failure)
        }
        return error.code == .unreachable ? .unreachable(error) : .stopped(error)
    }

    private func record(_ outcome: WriteOutcome, of sent: SentChange) throws -> PushedEnd {
        let change = sent.frozen.change
        func failure(_ reason: String) -> OutboxWriter.Failure {
            OutboxWriter.Failure(status: sent.status, reason: reason)
        }
        switch outcome {
        case .applied(let applied):
            return try acknowledge(sent, applied)
        case .contradictory(let contradiction):
            return try record(contradiction, of: sent)
        case .accepted(let delay):
            return try recordAccepted(sent, until: delay)
        case .missing:
            return try recordMissing(sent)
        case .exists where isResent(sent), .stale where isResent(sent):
            try writer.markUncertain(
                change.number,
                because: failure("the service has an object with these values")
            )
            return .uncertain
        case .stale(let errors) where sent.frozen.earlier.isRepeated:
            // The conflict is not with the version of the object, which was read meanwhile.
            return try reject(sent, because: errors)
        case .exists, .stale:
            let failure = failure("the object has changed")
            try writer.reopen(change.number, as: .pending(after: nil), because: failure)
            return .stale
        case .rejected where isResent(sent) && sent.status == 409:
            // While the first of two equal requests is processed, the second is a conflict
            // (draft-ietf-httpapi-idempotency-key-header, 2.7).
            let next = try writer.nextAttempt(of: change.number, after: nil)
            let failure = failure("the service is processing the first request")
            try writer.markUncertain(change.number, until: next, because: failure)
            return .uncertain
        case .rejected(let errors):
            return try sendAgain(sent, after: errors) ?? reject(sent, because: errors)
        case .denied(.page(let type)):
            // Whether the service has received the request is not known.
            let denial = WriteOutcome.Denial.page(type: type)
            try writer.markUncertain(change.number, because: failure(denial.reason))
            return .intercepted(denial.error(status: sent.status))
        case .denied(let denial):
            let failure = failure(denial.reason)
            if isResent(sent) {
                try writer.markUncertain(change.number, because: failure)
            } else {
                try writer.reopen(change.number, as: .pending(after: nil), because: failure)
            }
            let error = denial.error(status: sent.status)
            return denial.isOfCredentials ? .unreachable(error) : .stopped(error)
        case .postponed(let delay):
            let next = try writer.nextAttempt(of: change.number, after: delay)
            let failure = failure(WriteOutcome.reason(forPause: delay, run.limits))
            if isResent(sent) {
                try writer.markUncertain(change.number, until: next, because: failure)
                return .uncertain
            }
            try writer.reopen(change.number, as: .pending(after: next), because: failure)
            return .postponed
        case .uncertain(let doubt):
            try writer.markUncertain(change.number, because: failure(doubt.reason))
            return .uncertain
        }
    }

    private func recordMissing(_ sent: SentChange) throws -> PushedEnd {
        let change = sent.frozen.change
        // Some services respond so to clients that may not delete the object: a list that contains
        // it decides.
        guard change.kind != .delete else { return try acknowledgeDeletion(change) }
        guard try !isNew(change) else {
            let next = try writer.nextAttempt(of: change.number, after: nil)
            let failure = OutboxWriter.Failure(
                status: sent.status,
                reason: "the service does not show the new object yet"
            )
            try writer.reopen(change.number, as: .pending(after: next), because: failure)
            return .postponed
        }
        let failure = OutboxWriter.Failure(
            status: sent.status,
            reason: "the object does not exist"
        )
        try writer.reopen(change.number, as: .rejected, because: failure)
        return .rejected
    }

    /// Returns whether the service has created the object of a row so recently that it need not
    /// find it.
    private func isNew(_ change: CapturedChange) throws -> Bool {
        try AcknowledgedChanges(db, run.store.layout)
            .isRecent(change.row.number, in: change.table, kind: .create, at: now)
    }

    /// Lets an update be sent once more whose references the service rejects in their form.
    private func sendAgain(_ sent: SentChange, after errors: FieldErrors) throws -> PushedEnd? {
        let attempt = sent.frozen.secondAttempt(after: errors, status: sent.status)
        guard let attempt else { return nil }
        let failure = OutboxWriter.Failure(status: sent.status, reason: errors.reason)
        let number = sent.frozen.change.number
        try writer.reopen(number, as: .pending(after: nil), because: failure)
        return .reference(attempt)
    }

    private func record(
        _ contradiction: WriteOutcome.Contradiction,
        of sent: SentChange
    ) throws -> PushedEnd {
        let change = sent.frozen.change
        var failure = OutboxWriter.Failure(status: sent.status, reason: contradiction.reason)
        if case .error(let errors) = contradiction {
            failure.messages = messages(errors, of: change)
        }
        try writer.markUncertain(change.number, because: failure, claim: contradiction.claim)
        return .contradicted
    }

    private func recordAccepted(
        _ sent: SentChange,
        until delay: Duration?
    ) throws -> PushedEnd {
        let pause = delay ?? sent.frozen.style.reading.acceptedDelay
        let reason = "the service processes the change later"
        try writer.markUncertain(
            sent.frozen.change.number,
            until: now.addingTimeInterval(pause / .seconds(1)),
            because: OutboxWriter.Failure(status: sent.status, reason: reason),
            claim: .accepted
        )
        return .uncertain
    }

    private func reject(
        _ sent: SentChange,
        because errors: FieldErrors
    ) throws -> PushedEnd {
        let change = sent.frozen.change
        // Of two forms, the first is that of the service's own objects.
        let first = sent.frozen.earlier.references
        let errors = first?.errors ?? errors
        var failure = OutboxWriter.Failure(
            status: first?.status ?? sent.status,
            reason: errors.reason
        )
        failure.messages = messages(errors, of: change)
        try writer.reopen(change.number, as: .rejected, because: failure)
        return .rejected
    }

    /// Returns what the service has said next to the object of a change that it has accepted; nil
    /// for nothing.
    func message(in sent: SentChange) -> PushReport.Message? {
        guard case .success(.applied(let applied)) = sent.result, !applied.errors.isEmpty else {
            return nil
        }
        let (errors, row) = (applied.errors, sent.frozen.change.row)
        return PushReport.Message(
            row: row,
            text: errors.messages.isEmpty ? nil : errors.messages.joined(separator: " "),
            fields: errors.properties(named: resources.mapping(of: row.entity))
        )
    }

    private func messages(_ errors: FieldErrors, of change: CapturedChange) -> StoredMessages {
        StoredMessages(errors.properties(named: resources.mapping(of: change.row.entity)))
    }
}

extension WriteOutcome.Contradiction {
    /// What the response shows, as it is stored.
    fileprivate var claim: OutboxWriter.Claim {
        switch self {
        case .error: .error
        case .noObject, .partial: .noObject
        }
    }
}
