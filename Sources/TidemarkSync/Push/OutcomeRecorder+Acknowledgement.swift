import GRDB
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkRemote
import TidemarkStore

import struct Foundation.Date

/// Changes that the service has accepted.
extension OutcomeRecorder {
    func acknowledge(
        _ sent: SentChange,
        _ applied: WriteOutcome.Applied
    ) throws -> PushedEnd {
        let change = sent.frozen.change
        guard change.kind != .delete else { return try acknowledgeDeletion(change) }
        let later = try reader.changeAfterRequest(of: change)
        let answered = try objects.answered(change, before: later)
        var outcome = Acknowledgement.confirmed
        var (isNamed, isAdopted) = (true, false)
        // The change has to be removed before the response is merged, or it would protect the
        // values that were sent.
        func finish() throws -> Database.TransactionCompletion {
            try writer.acknowledge(change)
            if let later, later.kind == .delete {
                // The row was deleted meanwhile: its deletion needs the key.
                let hasKey = try name(later, by: applied, of: sent)
                isNamed = hasKey || change.kind == .update
                return isNamed ? .commit : .rollback
            }
            outcome = try merge(applied, answering: answered, of: sent, adopting: isAdopted)
            if case .duplicate = outcome { return .rollback }
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
        if case .duplicate(let other) = outcome {
            guard try returnsEqualObject(applied, to: sent) else {
                return try reject(sent, as: other)
            }
            isAdopted = true
            try db.inSavepoint(finish)
        }
        guard !isNamed else { return isAdopted ? .adopted : .acknowledged }
        let reason =
            "the response does not contain the key of the new object\(applied.remarks.quoted)"
        try writer.markUncertain(
            change.number,
            because: OutboxWriter.Failure(status: sent.status, reason: reason),
            claim: .created
        )
        return .uncertain
    }

    /// Removes a deletion, which the next list confirms.
    func acknowledgeDeletion(_ change: CapturedChange) throws -> PushedEnd {
        try objects.watch(change, at: now)
        try writer.acknowledge(change)
        return .acknowledged
    }

    var now: Date { run.environment.now() }

    /// Rejects a creation that was answered with the object of another row.
    private func reject(_ sent: SentChange, as other: Int64) throws -> PushedEnd {
        let change = sent.frozen.change
        let entity = try run.store.layout.entity(change.row.entity)
        let key = try reader.key(of: other, entity)
        let object = key.map { "\(entity.name):\(RecordKey($0.parts).text)" }
        try objects.recordDuplicate(of: change, in: other)
        let failure = OutboxWriter.Failure(
            status: sent.status,
            reason: "the service has answered with "
                + "\(object ?? "\(RowReference(entity.name, other))"), which it had before"
        )
        try writer.reopen(change.number, as: .rejected, because: failure)
        return .duplicate
    }

    /// Returns whether a service that returns objects that exist has returned one that equals the
    /// new object in all that was sent.
    private func returnsEqualObject(
        _ applied: WriteOutcome.Applied,
        to sent: SentChange
    ) throws -> Bool {
        let resource = sent.frozen.resource
        guard resource.push.create?.existing == .adopt, let document = applied.document else {
            return false
        }
        return try resource.withObject(
            in: document,
            at: resource.push.reading.responseEnvelope,
            limits: run.limits
        ) {
            try objects.hasSentValues($0, sent.frozen.change, omittingNulls: false)
        } ?? false
    }

    /// Merges the object of a response into its row, or the key in its location.
    private func merge(
        _ applied: WriteOutcome.Applied,
        answering answered: AnsweredChange,
        of sent: SentChange,
        adopting isAdopted: Bool
    ) throws -> Acknowledgement {
        let change = sent.frozen.change
        let resource = sent.frozen.resource
        func acknowledge(_ object: JSONNode?) throws -> Acknowledgement {
            try objects.acknowledge(
                answered,
                showing: object,
                confirming: applied.confirms == .everything ? .everything : .shownValues,
                // An object that was known before is that of the new row, too.
                rowsBefore: isAdopted ? nil : sent.frozen.request.highestRow,
                at: now
            )
        }
        let shown = try applied.document.flatMap { document in
            try resource.withObject(
                in: document,
                at: resource.push.reading.responseEnvelope,
                limits: run.limits
            ) { object -> Acknowledgement? in
                guard applied.confirms == .nothing else { return try acknowledge(object) }
                let described = try described(object, of: change)
                return try described?.withRoot { try acknowledge($0) }
            }
        }
        if let shown = shown.flatMap(\.self) {
            guard change.kind == .create, shown == .confirmed || shown == .unconfirmed else {
                return shown
            }
            let entity = try run.store.layout.entity(change.row.entity)
            guard try reader.key(of: change.row.number, entity) == nil else { return shown }
            return try key(in: applied, of: sent)?.withRoot { try acknowledge($0) } ?? shown
        }
        guard change.kind == .create, let key = try key(in: applied, of: sent) else {
            return try acknowledge(nil)
        }
        return try key.withRoot { try acknowledge($0) }
    }

    /// Returns the members of a document that describe an object without being it: its key, times,
    /// and its version; nil without any.
    private func described(_ object: JSONNode, of change: CapturedChange) throws -> JSONDocument? {
        guard let mapping = resources.mapping(of: change.row.entity) else { return nil }
        let version = resources.versionAttribute(of: change.row.entity)
        var json = JSONWriter()
        json.beginObject()
        var isEmpty = true
        for (name, value) in object.members {
            guard let index = mapping.target(for: name.string)?.attribute else { continue }
            let attribute = mapping.attributes[index]
            guard
                mapping.primaryKey.contains(index) || attribute.attribute.type == .date
                    || attribute.name == version
            else { continue }
            json.key(name.string)
            json.raw(value.source)
            isEmpty = false
        }
        json.endObject()
        return isEmpty ? nil : try JSONDocument(json.bytes, limits: run.limits.json)
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
        guard isNamed != true else { return true }
        return try key(in: applied, of: sent)?.withRoot { object in
            try objects.name(object, deletion)
        } ?? false
    }

    /// Returns an object with the key that the location of a response names; nil without one.
    private func key(
        in applied: WriteOutcome.Applied,
        of sent: SentChange
    ) throws -> JSONDocument? {
        guard !applied.locations.isEmpty else { return nil }
        let entity = try run.store.layout.entity(sent.frozen.change.row.entity)
        guard entity.keyParts.count == 1 else { return nil }
        let builder = RequestBuilder(
            reader: reader,
            importer: run.importer,
            remote: run.remote,
            resources: resources,
            environment: run.environment
        )
        let target = try builder.target(of: sent.frozen.change, in: sent.frozen.resource)
        for location in applied.locations {
            let key = try run.remote.key(
                in: location,
                of: target,
                named: resources.keyNames(of: entity.name)
            )
            guard let key else { continue }
            var json = JSONWriter()
            json.beginObject()
            json.key(entity.keyParts[0].attribute.name)
            json.string(key)
            json.endObject()
            return try JSONDocument(json.bytes)
        }
        return nil
    }
}
