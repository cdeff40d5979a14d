import GRDB
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// An object of the service that a user has recognized as that of a row that was created here.
struct Adoption: Hashable, Sendable {
    let row: RecordLocator

    /// The primary key of the object, as text.
    let key: String
}

extension Adoption {
    /// Returns the creation of the row.
    ///
    /// One that was certainly not applied, because it was never sent or was rejected, is as good as
    /// one of unknown outcome: the user says which object the row is, and what differs is merged.
    /// Only a request that is being sent must not be overtaken.
    ///
    /// - Throws: ``SyncError/Code/notAdoptable``; `StoreError.Code.rowNotFound`; `DatabaseError`.
    func creation(_ reader: StoreReader) throws -> CapturedChange {
        let entity = try reader.layout.entity(row.entity)
        let number = try reader.number(of: row)
        let changes = try reader.capturedChanges()
            .filter { $0.table == entity.table && $0.row.number == number }
        guard let creation = changes.first(where: { $0.kind == .create }) else {
            throw try notCreated(changes, in: reader)
        }
        if let key = try reader.key(of: creation.row.number, entity) {
            throw SyncError(
                .notAdoptable,
                "\(creation.row) has the key \(RecordKey(key.parts).text), under which it is created.",
                hint: "Sync, which determines whether the service has the object."
            )
        }
        switch creation.state {
        case .pending, .rejected, .uncertain: return creation
        case .inFlight:
            throw SyncError(
                .notAdoptable,
                "The creation of \(creation.row) is being sent.",
                hint: "Wait for the end of the push."
            )
        case .conflicted:
            throw SyncError(
                .notAdoptable,
                "The creation of \(creation.row) awaits a decision about a conflict.",
                hint: "Decide it first (tidemark conflicts resolve)."
            )
        }
    }

    private func notCreated(
        _ changes: [CapturedChange],
        in reader: StoreReader
    ) throws -> any Error {
        let entity = try reader.layout.entity(row.entity)
        let known = try changes.first.flatMap { try reader.knownKey(of: $0, entity) }
        let stored = try reader.rowReference(for: row)
        let key = try stored.flatMap { try reader.key(of: $0.number, entity)?.parts }
        if let key = known ?? key {
            return SyncError(
                .notAdoptable,
                "\(row) is the row of \(entity.name):\(RecordKey(key).text) already.",
                hint: "Only a row that was created here, and has no key yet, can adopt an object."
            )
        }
        guard stored != nil, !entity.key.isEmpty else { return StoreError.unchanged(row) }
        return SyncError(
            .notAdoptable,
            "\(row) is a local draft, which is not in the outbox.",
            hint: "Add it first (tidemark outbox add \(entity.name))."
        )
    }

    /// Merges the object into the row, in a transaction of a run.
    ///
    /// - Parameters:
    ///   - object: The object, which has the key.
    ///   - run: The run.
    ///   - reader: Reads the rows.
    ///   - omitsNulls: Whether the object leaves out what is null.
    /// - Returns: The creation, which is removed from the outbox.
    /// - Throws: ``SyncError/Code/notAdoptable``, after which the transaction must be rolled back;
    ///   `ImportError`, `StoreError`, `DatabaseError`.
    func merge(
        _ object: JSONNode,
        in run: RunContext,
        reading reader: StoreReader,
        omittingNulls omitsNulls: Bool
    ) throws -> CapturedChange {
        // Again: the row may have been edited while the object was read.
        let creation = try creation(reader)
        let objects = ObjectMerge(run.importer, in: reader)
        let writer = OutboxWriter(db: reader.db, environment: run.environment)
        let known = try writer.highestRow(before: creation)
        let outcome: Acknowledgement
        if creation.state == .uncertain {
            let later = try reader.changeAfterRequest(of: creation)
            let answered = try objects.answered(creation, before: later)
            try writer.acknowledge(creation)
            if let later, later.kind == .delete {
                let entity = try reader.layout.entity(creation.row.entity)
                let locator = RecordLocator(entity.name, key: try recordKey(in: entity))
                if let other = try reader.rowReference(for: locator) {
                    throw taken(by: other, insteadOf: creation)
                }
                _ = try objects.name(object, later)
                return creation
            }
            outcome = try objects.acknowledge(
                answered,
                showing: object,
                rowsBefore: known,
                at: run.environment.now()
            )
        } else {
            outcome = try objects.adopt(
                object,
                insteadOf: creation,
                rowsBefore: known,
                omittingNulls: omitsNulls
            )
            try writer.forgetRequests(of: creation.number)
        }
        guard case .duplicate(let number) = outcome else { return creation }
        let other = RowReference(creation.row.entity, number)
        guard number > known else { throw taken(by: other, insteadOf: creation) }
        throw SyncError(
            .notAdoptable,
            "\(other) has the object \(creation.row.entity):\(key), and local changes of its own.",
            hint: "Push or discard them first."
        )
    }

    /// Returns the key of the object, by the types of its attributes.
    ///
    /// - Throws: `StoreError.Code.invalidLocator`.
    func recordKey(in entity: EntityLayout) throws -> RecordKey {
        try entity.recordKey(.text(key))
    }

    private func taken(by other: RowReference, insteadOf creation: CapturedChange) -> SyncError {
        SyncError(
            .notAdoptable,
            "\(creation.row.entity):\(key) is the object of \(other), which had it before.",
            hint: "Discard the creation (tidemark outbox discard '\(creation.row)'), and edit "
                + "\(other)."
        )
    }
}
