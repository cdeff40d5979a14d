import GRDB
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkRemote
import TidemarkStore

import struct Foundation.Date

/// Objects are read by their keys if a response or a list shows that the service may have kept its
/// own values.
extension OutboxPush {
    /// The most objects that are read in one run for that: the others wait for the next one.
    private static let readLimit = 100

    /// Reads the objects of acknowledged changes that are in doubt, and records what the service
    /// has not taken.
    ///
    /// - Throws: `CancellationError`; ``SyncError/Code/leaseLost``; `DatabaseError`.
    func resolveDoubts() async throws {
        while !availability.isEnded, progress.resolvedDoubts.count < Self.readLimit {
            let doubtful = try await doubtfulRows()
            guard !doubtful.isEmpty else { return }
            progress.resolvedDoubts.formUnion(doubtful.map(\.change.row))
            try await resolve(doubtful)
            // The object of a row need not show its links: those of the other rows do.
            try await resolve(members(of: doubtful.map(\.change)))
        }
    }

    /// Reads the objects of rows, and decides about each.
    private func resolve(_ readings: [Reading]) async throws {
        guard !readings.isEmpty else { return }
        var results = try await readInLists(readings)
        let found = Set(results.map(\.reading.change.row))
        let left = readings.filter { !found.contains($0.change.row) }
        results += await perform(left) { [run] reading, attempts in
            await Self.read(reading, attempts, by: run)
        } judge: { read in
            read.result.verdictOfReading
        }
        for case (_, .failure(let error as CancellationError)) in results { throw error }
        let recorded = try await run.merge { [run, resources, results] db in
            let merge = DoubtMerge(
                run: run,
                resources: resources,
                reader: try StoreReader.prepare(db, in: run.store)
            )
            return try results.flatMap { reading, result in try merge.merge(result, of: reading) }
        }
        for outcome in recorded {
            report.countNotTaken(outcome.row)
            if let event = outcome.event { run.emit(event) }
        }
    }

    /// Returns the rows in doubt, with what is read of them.
    private func doubtfulRows() async throws -> [Reading] {
        try await run.store.writer.read { [self, resolvedDoubts = progress.resolvedDoubts] db in
            let builder = try builder(db)
            return try AcknowledgedChanges(db, run.store.layout)
                .doubtful(
                    atMost: Self.readLimit - resolvedDoubts.count,
                    except: resolvedDoubts
                )
                .compactMap { try builder.reading(of: $0, by: run.remote) }
        }
    }

    /// Returns the rows whose objects show the links in doubt, with what is read of them.
    private func members(of changes: [CapturedChange]) async throws -> [Reading] {
        try await run.store.writer.read { [self] db in
            let builder = try builder(db)
            let acknowledged = AcknowledgedChanges(db, run.store.layout)
            return try changes.flatMap(acknowledged.doubtfulMembers)
                .compactMap { try builder.reading(of: $0, by: run.remote) }
        }
    }
}

extension RequestBuilder {
    /// Returns how the object of a row is read by its key; nil if it has none, or no list.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - remote: The service.
    ///   - isApplied: Whether the key is the one that the change has sent, if it has.
    /// - Returns: What is read.
    /// - Throws: ``RemoteError``; `DatabaseError`.
    func reading(
        of change: CapturedChange,
        by remote: Remote,
        applied isApplied: Bool = false
    ) throws -> OutboxPush.Reading? {
        guard let resource = resources.resource(of: change.row.entity) else { return nil }
        let target = try self.target(of: change, in: resource, applied: isApplied)
        guard let list = target.list, let url = try remote.readURL(of: target) else { return nil }
        return OutboxPush.Reading(
            change: change,
            resource: list,
            url: url,
            key: target.key.count == 1 ? target.key[0].value : nil,
            needsObject: try needsObject(change, in: resource),
            names: resources.names(of: change.row.entity)
        )
    }
}

/// Decides about acknowledged changes by the objects that were read, in one transaction.
private struct DoubtMerge {
    let run: RunContext
    let resources: PushResources
    let reader: StoreReader
    let objects: ObjectMerge

    /// A row of which the service has kept its own values.
    struct Outcome: Sendable {
        let row: RowReference
        let event: SyncEvent?
    }

    init(run: RunContext, resources: PushResources, reader: StoreReader) {
        self.run = run
        self.resources = resources
        self.reader = reader
        objects = ObjectMerge(run.importer, in: reader)
    }

    private var db: Database { reader.db }
    private var now: Date { run.environment.now() }
    private var changes: AcknowledgedChanges { AcknowledgedChanges(db, run.store.layout) }

    func merge(
        _ result: Result<ReadObject, any Error>,
        of reading: OutboxPush.Reading
    ) throws -> [Outcome] {
        let (row, table) = (reading.change.row, reading.change.table)
        switch result {
        case .failure(let error):
            // What may pass is tried again by the next run.
            guard ReadConsequence(error) == .next else { return [] }
            return try mergeUnread(reading)
        case .success(.missing):
            guard try readsByKey(reading) else { return try mergeUnread(reading) }
            return try mergeMissing(reading)
        case .success(.found(let document, let envelope, _)):
            try ListFacts(db).recordReading(reading.resource.path)
            let outcome = try reading.resource.withObject(
                in: document,
                at: envelope,
                limits: run.limits
            ) { object -> [Outcome] in
                guard try !objects.isOther(object, thanThatOf: reading, reader: reader) else {
                    return try mergeUnread(reading)
                }
                if reading.resource.isDeleted(object) { return try mergeMissing(reading) }
                return try merge(object, of: reading)
            }
            let wasUnlisted = try changes.doubt(of: row.number, in: table) == .absent
            try changes.doubt(row.number, in: table, because: nil)
            if try changes.change(of: row.number, in: table)?.isUnconfirmed == true {
                try changes.recordMissed(row.number, in: table)
            } else if try wasUnlisted && !changes.isRecent(row.number, in: table, at: now) {
                // A list that lacks it again does not lag: the object left it, as one that is not
                // published any more.
                try changes.forget(row.number, in: table)
            }
            return outcome ?? []
        }
    }

    private func merge(_ object: JSONNode, of reading: OutboxPush.Reading) throws -> [Outcome] {
        let row = reading.change.row
        let omitsNulls = reading.resource.style.omitsNulls
        guard reading.change.kind != .delete else {
            try objects.restore(object, deletedBy: reading.change, omittingNulls: omitsNulls)
            return [Outcome(row: row, event: nil)]
        }
        return try outcomes(objects.merge(object, into: row, omittingNulls: omitsNulls))
    }

    private func outcomes(_ notTaken: NotTakenChange?) throws -> [Outcome] {
        guard let notTaken else { return [] }
        guard let number = notTaken.change, notTaken.isRejected else {
            return [Outcome(row: notTaken.row, event: nil)]
        }
        let names = notTaken.properties.joined(separator: ", ")
        let failure = OutboxWriter.Failure(
            reason: "the service has accepted the change, and kept its own value of \(names)"
        )
        try OutboxWriter(db: db, environment: run.environment)
            .record(failure, of: number, nextAttempt: nil)
        let left = try Outbox(run.store).change(db, numbered: number)
        return [Outcome(row: notTaken.row, event: left.map { .rejected($0) })]
    }

    /// Decides about a row whose object does not exist.
    private func mergeMissing(_ reading: OutboxPush.Reading) throws -> [Outcome] {
        let (row, table) = (reading.change.row, reading.change.table)
        switch try changes.doubt(of: row.number, in: table) {
        case .absent where try changes.isRecent(row.number, in: table, kind: .create, at: now):
            try changes.recordMissed(row.number, in: table)
        case .absent: try objects.deleteUnlisted(row)
        // The object has the key that was sent, if it exists.
        case .response, .list, nil: try changes.withdrawFormerKey(of: row.number, in: table)
        }
        // A deletion is done, though the list lags. What becomes of another row is shown by the
        // next complete list.
        try changes.doubt(row.number, in: table, because: nil)
        return []
    }

    /// Decides about a row whose object cannot be read: a list decides alone.
    private func mergeUnread(_ reading: OutboxPush.Reading) throws -> [Outcome] {
        let (row, table) = (reading.change.row, reading.change.table)
        switch try changes.doubt(of: row.number, in: table) {
        case .list where reading.change.kind == .delete:
            try objects.restore(nil, deletedBy: reading.change, omittingNulls: false)
            return [Outcome(row: row, event: nil)]
        case .list:
            let outcomes = try outcomes(objects.takeFormerValues(of: row))
            try changes.doubt(row.number, in: table, because: nil)
            return outcomes
        case .absent:
            try changes.recordMissed(row.number, in: table)
            try changes.doubt(row.number, in: table, because: nil)
            return []
        case .response, nil:
            try changes.doubt(row.number, in: table, because: nil)
            return []
        }
    }

    private func readsByKey(_ reading: OutboxPush.Reading) throws -> Bool {
        try ListFacts(db).readsByKey(reading.resource.path)
    }
}
