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

    /// Whether the service is down.
    let isOutage: Bool

    /// Merges the objects of the responses.
    private let objects: ObjectMerge

    init(run: RunContext, reader: StoreReader, isOutage: Bool) {
        self.run = run
        self.reader = reader
        self.isOutage = isOutage
        objects = ObjectMerge(run.importer, in: reader)
    }

    private var db: Database { reader.db }
    private var writer: OutboxWriter {
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
        case .missing:
            if change.kind == .delete {
                try writer.acknowledge(change)
                return .acknowledged
            }
            let failure = failure("the object does not exist")
            try writer.reopen(change.number, as: .rejected, because: failure)
            return .rejected
        case .exists where isResent(sent), .stale where isResent(sent):
            try writer.markUncertain(
                change.number,
                because: failure("the service has an object with these values")
            )
            return .uncertain
        case .stale(let errors) where sent.frozen.isRepeated:
            // The conflict is not with the version of the object, which was read meanwhile.
            return try reject(sent, errors)
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
            return try reject(sent, errors)
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
            return denial == .credentials ? .unreachable(error) : .stopped(error)
        case .postponed(let delay):
            let next = try writer.nextAttempt(of: change.number, after: delay)
            let failure = failure("the service asks for a pause")
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

    private func reject(_ sent: SentChange, _ errors: FieldErrors) throws -> PushedEnd {
        let change = sent.frozen.change
        var failure = OutboxWriter.Failure(status: sent.status, reason: errors.reason)
        let mapping = run.importer.mapping(of: change.row.entity)
        failure.messages = StoredMessages(errors.properties(named: mapping))
        try writer.reopen(change.number, as: .rejected, because: failure)
        return .rejected
    }

    // MARK: Acknowledgement

    private func acknowledge(
        _ sent: SentChange,
        _ applied: WriteOutcome.Applied
    ) throws -> PushedEnd {
        let change = sent.frozen.change
        var isNamed = true
        let later = try reader.changeAfterRequest(of: change)
        // The change has to be removed before the response is merged, or it would protect the
        // values that were sent.
        func finish() throws -> Database.TransactionCompletion {
            try writer.acknowledge(change)
            guard change.kind != .delete else { return .commit }
            if let later, later.kind == .delete {
                // The row was deleted meanwhile: its deletion needs the key.
                let hasKey = try name(later, by: applied, of: sent)
                isNamed = hasKey || change.kind == .update
                return isNamed ? .commit : .rollback
            }
            try merge(applied, into: change, of: sent.frozen.resource)
            if change.kind == .create {
                let entity = try run.store.layout.entity(change.row.entity)
                guard try reader.key(of: change.row.number, entity) != nil else {
                    isNamed = false
                    return .rollback
                }
            }
            return .commit
        }
        // Without a key in the response, a creation must come back.
        if change.kind == .create { try db.inSavepoint(finish) } else { _ = try finish() }
        guard !isNamed else { return .acknowledged }
        let reason = "the response does not contain the key of the new object"
        try writer.markUncertain(
            change.number,
            because: OutboxWriter.Failure(status: sent.status, reason: reason)
        )
        return .uncertain
    }

    /// Merges the object of a response into its row, or the key in its location.
    private func merge(
        _ applied: WriteOutcome.Applied,
        into change: CapturedChange,
        of resource: RemoteResource
    ) throws {
        let isMerged = try applied.document.flatMap { document in
            try resource.withObject(
                in: document,
                at: resource.push.reading.responseEnvelope,
                limits: run.limits
            ) { object in
                try objects.merge(object, into: change.row, as: .response(change.kind))
                return true
            }
        }
        guard isMerged == nil || change.kind == .create, let location = applied.location else {
            return
        }
        try mergeKey(in: location, into: change)
    }

    /// Gives a new row the key that is the last segment of the object's URL.
    private func mergeKey(in location: String, into change: CapturedChange) throws {
        let entity = try run.store.layout.entity(change.row.entity)
        guard try reader.key(of: change.row.number, entity) == nil else { return }
        try key(in: location, of: entity)?.withRoot { object in
            try objects.merge(object, into: change.row, as: .response(change.kind))
        }
    }

    /// Gives a deletion the key of the object that was created before it.
    ///
    /// - Returns: Whether the response contains it.
    private func name(
        _ deletion: CapturedChange,
        by applied: WriteOutcome.Applied,
        of sent: SentChange
    ) throws -> Bool {
        let resource = sent.frozen.resource
        let isNamed = try applied.document.flatMap { document in
            try resource.withObject(
                in: document,
                at: resource.push.reading.responseEnvelope,
                limits: run.limits
            ) { try objects.name($0, deletion) }
        }
        guard isNamed != true, let location = applied.location else { return isNamed ?? false }
        let entity = try run.store.layout.entity(deletion.row.entity)
        return try key(in: location, of: entity)?.withRoot { object in
            try objects.name(object, deletion)
        } ?? false
    }

    /// Returns an object with the key that is the last segment of a URL; nil without one.
    private func key(in location: String, of entity: EntityLayout) throws -> JSONDocument? {
        guard entity.keyParts.count == 1,
            let segment = URL(string: location)?.pathComponents.last(where: { $0 != "/" })
        else { return nil }
        var json = JSONWriter()
        json.beginObject()
        json.key(entity.keyParts[0].attribute.name)
        json.string(segment)
        json.endObject()
        return try JSONDocument(json.bytes)
    }
}
