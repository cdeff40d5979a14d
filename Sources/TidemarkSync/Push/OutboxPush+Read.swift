import GRDB
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkRemote
import TidemarkStore

import struct Foundation.URL

/// Objects are read before they are changed, so that the change of another client is noticed.
extension OutboxPush {
    /// A change whose object is read first.
    struct Reading: Sendable {
        /// The change; after its object was read, as it is then.
        var change: CapturedChange

        /// The list that contains the object.
        let resource: RemoteResource
        let url: URL

        /// The primary key as text; nil if it consists of several attributes.
        let key: String?
    }

    /// What reading an object has shown.
    enum Finding: Sendable {
        /// The change may be sent.
        case ready(KnownObject)
        /// The change is not sent now.
        case ended(PushedEnd)
        /// The change must not be sent: its object was not read after the failure of others, or the
        /// change does not exist any more.
        case skipped

        var isReady: Bool { known != nil }

        /// What was read; nil if the change is not sent.
        var known: KnownObject? { if case .ready(let known) = self { known } else { nil } }
    }

    /// A change whose object was read, with what that has shown.
    struct ReadChange: Sendable {
        let change: CapturedChange
        let finding: Finding

        /// The event after the transaction; nil without one.
        var event: SyncEvent?
    }

    /// What was read of an object before it is changed.
    struct KnownObject: Sendable {
        /// The entity tag that the object must still have.
        var entityTag: String?

        /// The document with the object, if requests contain the whole object, and where it is in
        /// it.
        var document: (JSONDocument, at: Envelope)?

        /// Whether nothing was read, because the request is only shown.
        var isAssumed = false

        /// Returns what an attempt of a run uses of it.
        ///
        /// A weak entity tag is equal to none in `If-Match` (RFC 9110, 13.1.1): the first attempt
        /// would always fail. A service that wants a condition nevertheless may compare it.
        func known(toAttempt number: Int) -> KnownObject {
            guard number == 1, entityTag?.hasPrefix("W/") == true else { return self }
            var known = self
            known.entityTag = nil
            return known
        }
    }

    /// Reads the objects of changes, and merges them into the rows.
    ///
    /// A change of which it is unknown whether it was applied is settled thereby: if the object has
    /// what was sent, it was.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of the changes.
    ///   - path: The path of their list.
    /// - Returns: What was found, by the number of the change. Changes whose objects are not read
    ///   first are not contained.
    /// - Throws: `CancellationError`; `DatabaseError`.
    func read(_ numbers: [Int64], of path: String) async throws -> [Int64: ReadChange] {
        let readings = try await readings(of: numbers)
        guard !readings.isEmpty else { return [:] }
        var results = try await readInLists(readings)
        let found = Set(results.map(\.reading.change.number))
        // A list whose path leads to something else than the service has no objects there either.
        let isStopped = results.contains { read in
            guard case .failure(let error) = read.result else { return false }
            return ReadConsequence(error) == .stop
        }
        let left = isStopped ? [] : readings.filter { !found.contains($0.change.number) }
        results += await perform(left) { [run] reading, attempts in
            await Self.read(reading, attempts, by: run)
        } judge: { read in
            update(path) { $0.verdict(onReading: read.result, for: read.reading.change.kind) }
        }
        for case (_, .failure(let error as CancellationError)) in results { throw error }
        try Task.checkCancellation()
        let read = Set(results.map(\.reading.change.number))
        let unread = readings.filter { !read.contains($0.change.number) }
            .map { ($0.change.number, ReadChange(change: $0.change, finding: .skipped)) }
        return try await run.merge { [run, results, isOutage = availability.isOutage] db in
            let reader = try StoreReader.prepare(db, in: run.store)
            let objects = ObjectMerge(run.importer, in: reader)
            let findings = try results.map { reading, result in
                // Its user may have deleted the row meanwhile, or discarded the change.
                let number = reading.change.number
                guard let change = try reader.capturedChanges([number]).first else {
                    return (number, ReadChange(change: reading.change, finding: .skipped))
                }
                var reading = reading
                reading.change = change
                let finding = try ReadMerge(
                    run: run,
                    reading: reading,
                    reader: reader,
                    objects: objects,
                    isOutage: isOutage
                ).merge(result)
                var read = ReadChange(change: change, finding: finding)
                if case .ended(let end) = finding {
                    read.event = try SyncEvent(end, of: change, db, in: run.store)
                }
                return (number, read)
            }
            return Dictionary(findings + unread, uniquingKeysWith: { first, _ in first })
        }
    }

    private func readings(of numbers: [Int64]) async throws -> [Reading] {
        try await run.store.writer.read { [self, progress] db in
            let builder = try builder(db)
            return try builder.reader.capturedChanges(numbers).compactMap { change in
                guard let resource = resources.resource(of: change.row.entity),
                    try progress.stale[change.number] != nil || change.state == .uncertain
                        || builder.isReadFirst(change, in: resource)
                else { return nil }
                let target = try builder.target(of: change, in: resource)
                guard let list = target.list else { return nil }
                return try run.remote.readURL(of: target).map { url in
                    Reading(
                        change: change,
                        resource: list,
                        url: url,
                        key: target.key.count == 1 ? target.key[0].value : nil
                    )
                }
            }
        }
    }

    private static func read(
        _ reading: Reading,
        _ attempts: Remote.Attempts,
        by run: RunContext
    ) async -> ReadResult {
        do {
            let object = try await run.remote.object(
                at: reading.url,
                of: reading.resource,
                attempts: attempts
            )
            return (reading, .success(object))
        } catch {
            return (reading, .failure(error))
        }
    }
}

extension RequestBuilder {
    /// Returns whether the object of a change is read before it is changed.
    func isReadFirst(_ change: CapturedChange, in resource: RemoteResource) throws -> Bool {
        switch change.kind {
        case .create:
            // An object with the key may exist: posted again, it would be doubled or overwritten.
            // Where the client chooses keys, the condition of the request says so.
            guard resource.push.key == .service else { return false }
            return try reader.knownKey(of: change, reader.layout.entity(change.row.entity)) != nil
        case .update where resource.push.update?.content == .whole: return true
        case .update, .delete: break
        }
        return switch resource.push.check {
        case .none: false
        case .read: true
        // An entity whose objects have no version is read instead.
        case .version: try !hasVersion(change, in: resource.push)
        }
    }
}

extension CapturedChange {
    /// Whether it is unknown if the change was applied, and reading the object shows it.
    func isReconciledByReading(in style: PushStyle) -> Bool {
        state == .uncertain && (kind != .create || style.reconcile == .key)
    }
}

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
    private var omitsNulls: Bool { reading.resource.push.reading.omitsNulls }
    private var writer: OutboxWriter {
        OutboxWriter(db: db, environment: run.environment, isOutage: isOutage)
    }

    func merge(_ result: Result<ReadObject, any Error>) throws -> OutboxPush.Finding {
        switch result {
        case .failure(let error):
            return .ended(try postpone(because: error))
        case .success(.missing):
            return try mergeMissing()
        case .success(.found(let document, let envelope, let entityTag)):
            return try merge(document, at: envelope, entityTag: entityTag)
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
        let next = try writer.nextAttempt(of: change.number, after: nil)
        try writer.postpone(change.number, until: next, because: failure)
        try writer.countAttempt(of: change.number)
        return .postponed
    }

    private func mergeMissing() throws -> OutboxPush.Finding {
        let failure = OutboxWriter.Failure(reason: "the object does not exist")
        switch change.kind {
        case .delete:
            try writer.acknowledge(change)
            return .ended(.acknowledged)
        case .update:
            // Not a proof that the object was deleted: the path or the account may be wrong. A pull
            // decides.
            var failure = failure
            failure.status = 404
            try writer.reject(change.number, because: failure)
            return .ended(.rejected)
        case .create:
            // It was not applied, and is sent again.
            try writer.reopen(change.number, as: .pending(after: nil), because: failure)
            return .ready(OutboxPush.KnownObject())
        }
    }

    private func merge(
        _ document: JSONDocument,
        at envelope: Envelope,
        entityTag: String?
    ) throws -> OutboxPush.Finding {
        if change.state == .uncertain {
            let settled = try reading.resource.withObject(
                in: document,
                at: envelope,
                limits: run.limits
            ) { try settle($0) }
            if let end = settled.flatMap(\.self) { return .ended(end) }
        }
        let last = try Conflicts(run.store).last(db)
        let isRestored = try reading.resource.withObject(
            in: document,
            at: envelope,
            limits: run.limits
        ) { object in
            if change.kind == .delete {
                return try !objects.mergeDeletion(object, change, omittingNulls: omitsNulls)
            }
            try objects.merge(object, into: change.row, as: .reading(omitsNulls: omitsNulls))
            return false
        }
        guard let isRestored else {
            let reason = "the response to \(reading.url) does not contain the object"
            try writer.postpone(change.number, because: OutboxWriter.Failure(reason: reason))
            return .ended(.postponed)
        }
        guard !isRestored else { return .ended(.overruled) }
        switch try writer.state(of: change.number) {
        case .pending:
            let isSent = reading.resource.push.update?.content == .whole
            let known = OutboxPush.KnownObject(
                entityTag: entityTag,
                document: isSent ? (document, at: envelope) : nil
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

    /// Settles a change whose outcome is unknown by the object that the service has.
    ///
    /// - Returns: What became of it; nil if it is pending again, to be compared with the object.
    private func settle(_ object: JSONNode) throws -> PushedEnd? {
        let later = try reader.changeAfterRequest(of: change)
        switch change.kind {
        case .create where try objects.hasSentValues(object, change, omittingNulls: omitsNulls):
            try writer.acknowledge(change)
            if later?.kind == .delete {
                if let later { _ = try objects.name(object, later) }
            } else {
                try objects.merge(object, into: change.row, as: .response(.create))
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
