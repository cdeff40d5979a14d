import GRDB
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// Merges an object that was read before it is changed, in one transaction.
struct ReadMerge {
    let run: RunContext
    let reading: OutboxPush.Reading

    /// Reads the rows, with statements that are prepared once for all objects.
    let reader: StoreReader

    /// Merges the objects.
    let objects: ObjectMerge

    /// Whether the service is down.
    let isOutage: Bool

    private var db: Database { reader.db }
    private var change: CapturedChange { reading.change }
    private var omitsNulls: Bool { reading.resource.style.omitsNulls }
    private var writer: OutboxWriter {
        OutboxWriter(db: db, environment: run.environment, isOutage: isOutage)
    }

    func merge(_ result: Result<ReadObject, any Error>) throws -> OutboxPush.Finding {
        let claim = try writer.claim(of: change)
        switch result {
        case .failure(let error):
            if let end = try settle(claim, because: error) { return .ended(end) }
            return .ended(try postpone(because: error))
        case .success(.missing):
            return try mergeMissing(claim)
        case .success(.found(let document, let envelope, let entityTag)):
            return try merge(document, at: envelope, entityTag: entityTag, claim)
        }
    }

    /// Settles a change whose response has contradicted itself, and whose object cannot be read;
    /// nil for another one, or if it may be read later.
    private func settle(
        _ claim: OutboxWriter.Claim?,
        because error: any Error
    ) throws -> PushedEnd? {
        guard let claim, ReadConsequence(error) == .next else { return nil }
        return try settleUnread(claim)
    }

    /// Settles a change whose object cannot be read, by what its response claims.
    private func settleUnread(_ claim: OutboxWriter.Claim) throws -> PushedEnd {
        switch claim {
        case .error:
            try writer.reject(change.number, because: writer.failure(of: change.number))
            return .rejected
        case .noObject, .accepted, .created: return .uncertain
        }
    }

    private func postpone(because error: any Error) throws -> PushedEnd {
        let error = error as? RemoteError
        let failure = OutboxWriter.Failure(
            status: error?.status,
            reason: error?.message ?? "the object could not be read"
        )
        if let error {
            let consequence = ReadConsequence(error)
            switch consequence {
            case .end, .stop:
                try writer.postpone(change.number, because: failure)
                return consequence == .end ? .unreachable(error) : .stopped(error)
            case .next, .failed: break
            }
        }
        return try postpone(because: failure)
    }

    private func postpone(because failure: OutboxWriter.Failure) throws -> PushedEnd {
        let next = try writer.nextAttempt(of: change.number, after: nil)
        try writer.postpone(change.number, until: next, because: failure)
        try writer.countAttempt(of: change.number)
        return .postponed
    }

    private func mergeMissing(_ claim: OutboxWriter.Claim?) throws -> OutboxPush.Finding {
        var failure = OutboxWriter.Failure(status: 404, reason: "the object does not exist")
        switch change.kind {
        case .delete:
            if try isNew, change.state != .uncertain { return .ready(OutboxPush.KnownObject()) }
            try objects.watch(change, at: run.environment.now())
            try writer.acknowledge(change)
            return .ended(.acknowledged)
        case .update where try isNew:
            failure.reason = "the service does not show the new object yet"
            return .ended(try postpone(because: failure))
        case .update:
            if let claim, try claim == .accepted || !readsByKey {
                return .ended(try settleUnread(claim))
            }
            // Not a proof that the object was deleted: the path or the account may be wrong. A pull
            // decides.
            try writer.reject(change.number, because: failure)
            return .ended(.rejected)
        case .create:
            switch claim {
            case .error, .noObject:
                try writer.reject(change.number, because: writer.failure(of: change.number))
                return .ended(.rejected)
            case .accepted: return .ended(.uncertain)
            case .created, nil: break
            }
            // It was not applied, and is sent again.
            failure.status = nil
            try writer.reopen(change.number, as: .pending(after: nil), because: failure)
            return .ready(OutboxPush.KnownObject())
        }
    }

    /// Whether the service has created the object so recently that it need not be readable.
    private var isNew: Bool {
        get throws {
            try AcknowledgedChanges(db, run.store.layout).isRecent(
                change.row.number,
                in: change.table,
                kind: .create,
                at: run.environment.now()
            )
        }
    }

    private var readsByKey: Bool {
        get throws { try ListFacts(db).readsByKey(reading.resource.path) }
    }

    /// Merges an object that is not that of the row, or is marked as deleted; nil for any other.
    private func mergeOther(
        _ document: JSONDocument,
        at envelope: Envelope,
        claim: OutboxWriter.Claim?
    ) throws -> OutboxPush.Finding? {
        let found = try reading.resource.withObject(
            in: document,
            at: envelope,
            limits: run.limits
        ) { object in
            (
                isOther: try objects.isOther(object, thanThatOf: reading, reader: reader),
                isMarked: reading.resource.isDeleted(object)
            )
        }
        guard let found else { return nil }
        if found.isOther {
            let reason = "the response to \(reading.url) contains an object with another key"
            try writer.postpone(change.number, because: OutboxWriter.Failure(reason: reason))
            return .ended(.postponed)
        }
        return found.isMarked ? try mergeMissing(claim) : nil
    }

    private func merge(
        _ document: JSONDocument,
        at envelope: Envelope,
        entityTag: String?,
        _ claim: OutboxWriter.Claim?
    ) throws -> OutboxPush.Finding {
        if let other = try mergeOther(document, at: envelope, claim: claim) { return other }
        let failure = try claim.map { _ in try writer.failure(of: change.number) }
        var isUnchanged = false
        if change.state == .uncertain {
            let settled = try reading.resource.withObject(
                in: document,
                at: envelope,
                limits: run.limits
            ) { object -> PushedEnd? in
                if claim == .accepted, try !objects.showsSentValues(object, of: change) {
                    return PushedEnd.uncertain
                }
                isUnchanged = try objects.showsFormerValues(object, before: change)
                return try settle(object)
            }
            if let end = settled.flatMap(\.self) { return .ended(end) }
        }
        let last = try Conflicts(run.store).last(db)
        var observed = ObservedNames()
        let isRestored = try reading.resource.withObject(
            in: document,
            at: envelope,
            limits: run.limits
        ) { object in
            if change.kind == .delete {
                return try !objects.mergeDeletion(object, change, omittingNulls: omitsNulls)
            }
            observed = try run.importer.observed(in: object, of: change.row.entity)
            try objects.merge(object, into: change.row, omittingNulls: omitsNulls)
            return false
        }
        guard let isRestored else {
            let reason = "the response to \(reading.url) does not contain the object"
            try writer.postpone(change.number, because: OutboxWriter.Failure(reason: reason))
            return .ended(.postponed)
        }
        guard !isRestored else { return .ended(.overruled) }
        switch try writer.state(of: change.number) {
        case .pending where isUnchanged || change.kind == .delete:
            guard let failure else { fallthrough }
            try writer.reject(change.number, because: failure)
            return .ended(.rejected)
        case .pending:
            let known = OutboxPush.KnownObject(
                entityTag: entityTag,
                document: reading.needsObject ? (document, at: envelope) : nil,
                names: try names(observed)
            )
            return .ready(known)
        case .conflicted: return .ended(.conflicted)
        case .inFlight, .uncertain, .rejected: return .ended(.postponed)
        case nil:
            // Without a conflict, the object has what was to be sent.
            let isOverruled = try Conflicts(run.store).last(db) != last
            return .ended(isOverruled ? .overruled : .acknowledged)
        }
    }

    /// Returns how a change is written: as its object, if that differs from others.
    ///
    /// What the object shows is recorded, so that the requests for others profit from it.
    private func names(_ observed: ObservedNames) throws -> ObservedNames? {
        let entity = change.row.entity
        let names = reading.names.outranked(by: observed)
        guard names != reading.names else { return nil }
        try ObservedNames.add(db, [entity: observed])
        let proven = try run.importer.withProvenDays(db, names, of: entity)
        return proven == reading.names ? nil : proven
    }

    /// Settles a change whose outcome is unknown by the object that the service has.
    ///
    /// - Returns: What became of it; nil if it is pending again, to be compared with the object.
    private func settle(_ object: JSONNode) throws -> PushedEnd? {
        let later = try reader.changeAfterRequest(of: change)
        switch change.kind {
        case .create where try objects.hasSentValues(object, change, omittingNulls: omitsNulls):
            let answered = try objects.answered(change, before: later)
            try writer.acknowledge(change)
            if later?.kind == .delete {
                if let later { _ = try objects.name(object, later) }
            } else {
                let now = run.environment.now()
                _ = try objects.acknowledge(answered, showing: object, at: now)
            }
            return .acknowledged
        case .create, .delete: break
        case .update:
            try writer.resendLists(of: change.number)
            // What was sent is the base of the edits after it: no other client has made it.
            guard let later else { break }
            let sent = try objects.columns(
                of: object,
                equalToBaseOf: later,
                omittingNulls: omitsNulls
            )
            try writer.confirm(sent, of: change.number)
        }
        let failure = OutboxWriter.Failure(reason: "the outcome was unknown")
        try writer.reopen(change.number, as: .pending(after: nil), because: failure)
        // It is joined with the later change, which is sent by itself.
        return later == nil ? nil : .postponed
    }
}

extension ObjectMerge {
    /// Returns whether an object that was read by the key of a row is another one.
    ///
    /// A row whose key was changed here is read by the key that the service knows, or by the one
    /// that was sent.
    func isOther(
        _ object: JSONNode,
        thanThatOf reading: OutboxPush.Reading,
        reader: StoreReader
    ) throws -> Bool {
        let change = reading.change
        let entity = try reader.layout.entity(change.row.entity)
        guard let shown = try key(of: object, in: entity.name) else { return false }
        if shown.parts.count == 1, shown.text == reading.key { return false }
        let keys = [
            try reader.knownKey(of: change, entity),
            try reader.key(of: change.row.number, entity)?.parts,
        ]
        return keys.contains { $0 != nil }
            && !keys.contains { $0.map(RecordKey.init)?.isSame(as: shown) == true }
    }
}

extension RecordKey {
    /// Returns whether two keys may be those of one object: some services fold the case of texts.
    fileprivate func isSame(as other: RecordKey) -> Bool {
        self == other || text.lowercased() == other.text.lowercased()
    }
}
