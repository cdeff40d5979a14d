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

        /// Whether the request contains more of the object than what has changed.
        let needsObject: Bool

        /// What the objects of the entity have shown so far.
        let names: ObservedNames
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

        /// The document with the object, if requests contain more of it than what has changed, and
        /// where it is in it.
        var document: (JSONDocument, at: Envelope)?

        /// What the object has shown, if it is written in another way than others.
        var names: ObservedNames?

        /// Whether nothing was read, because the request is only shown.
        var isAssumed = false

        /// Returns what an attempt of a run uses of it.
        ///
        /// A weak entity tag is equal to none in `If-Match` (RFC 9110, 13.1.1): the first attempt
        /// would always fail. A service that wants a condition nevertheless may compare it; one
        /// that is configured to have conditions does, such as FHIR, whose versions are weak tags.
        func known(toAttempt number: Int, in style: PushStyle?) -> KnownObject {
            guard number == 1, entityTag?.hasPrefix("W/") == true, style?.comparesTags != true
            else { return self }
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
        results = try await readingUnderSentKeys(results)
        let read = Set(results.map(\.reading.change.number))
        let unread = readings.filter { !read.contains($0.change.number) }
            .map { ($0.change.number, ReadChange(change: $0.change, finding: .skipped)) }
        return try await run.merge { [run, results, isOutage = availability.isOutage] db in
            let reader = try StoreReader.prepare(db, in: run.store)
            let objects = ObjectMerge(run.importer, in: reader)
            try Self.recordReadings(results, db)
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

    /// Reads objects under the keys that they were sent, if it is unknown whether the service has
    /// taken these, and it has no objects under the former ones.
    private func readingUnderSentKeys(_ results: [ReadResult]) async throws -> [ReadResult] {
        let missing = results.filter { read in
            guard read.reading.change.kind == .update, read.reading.change.state == .uncertain,
                case .success(.missing) = read.result
            else { return false }
            return true
        }
        guard !missing.isEmpty else { return results }
        let readings = try await run.store.writer.read { [self] db in
            let builder = try builder(db)
            return try missing.map(\.reading.change).compactMap { change -> Reading? in
                let entity = try builder.reader.layout.entity(change.row.entity)
                guard builder.reader.changesKey(change, entity) else { return nil }
                return try builder.reading(of: change, by: run.remote, applied: true)
            }
        }
        guard !readings.isEmpty else { return results }
        let moved = await perform(readings) { [run] reading, attempts in
            await Self.read(reading, attempts, by: run)
        } judge: { read in
            read.result.verdictOfReading
        }
        for case (_, .failure(let error as CancellationError)) in moved { throw error }
        let numbers = Set(moved.map(\.reading.change.number))
        return results.filter { !numbers.contains($0.reading.change.number) } + moved
    }

    /// Records in which lists objects were read by their keys.
    private static func recordReadings(_ results: [ReadResult], _ db: Database) throws {
        let found = results.compactMap { reading, result in
            if case .success(.found) = result { reading.resource.path } else { nil }
        }
        for path in Set(found).sorted() { try ListFacts(db).recordReading(path) }
    }

    private func readings(of numbers: [Int64]) async throws -> [Reading] {
        try await run.store.writer.read { [self, progress] db in
            let builder = try builder(db)
            // A response would overwrite edits that were not recorded.
            let isDoubtful = try builder.reader.doubtedEdits != nil
            return try builder.reader.capturedChanges(numbers).compactMap { change in
                guard let resource = resources.resource(of: change.row.entity),
                    try progress.stale[change.number] != nil || change.state == .uncertain
                        || isDoubtful && change.kind == .update
                        || builder.isReadFirst(change, in: resource)
                else { return nil }
                return try builder.reading(of: change, by: run.remote)
            }
        }
    }

    static func read(
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
        case .update where try needsObject(change, in: resource): return true
        case .update, .delete: break
        }
        return switch resource.push.check {
        case .none: false
        case .read: true
        // An entity whose objects have no version is read instead.
        case .version:
            try facts.versionsFail(resource.path)
                || !hasVersion(change, in: resource.push)
        }
    }
}

extension CapturedChange {
    /// Whether it is unknown if the change was applied, and reading the object shows it.
    func isReconciledByReading(in style: PushStyle) -> Bool {
        state == .uncertain && (kind != .create || style.reconcile == .key)
    }
}

extension PushStyle {
    /// Whether requests are conditional on entity tags because the configuration says so.
    fileprivate var comparesTags: Bool {
        if case .version = check, case .header = version { true } else { false }
    }
}
