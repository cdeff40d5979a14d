import GRDB
import TidemarkModel
import TidemarkStore

/// Objects whose rows are not found by their key because of local changes that were not pushed.
extension ObjectImport {
    /// Finds the row of an object that the store has under another key, or does not have because
    /// of a local change.
    func findUnpushed() throws -> EntityRows.Comparison? {
        guard let resolver = run.resolver, case .byKey = context.row else { return nil }
        return try findDeleted(resolver) ?? findCreated(resolver)
    }

    // MARK: Keys

    /// Returns whether a row was given the key of the object here, and is another object of the
    /// service.
    ///
    /// Nothing is merged: that would be the end of the local change. The item is imported again at
    /// the end of the list, because the row may be deleted by then.
    func isKeyTaken() throws -> Bool {
        guard run.resolver != nil, case .byKey = context.row,
            let row = try entity.rows.compare(byStoredKey: frame, isTyped: false)
        else { return false }
        if !run.retries.request() { try rejectTakenKey(by: row.number) }
        return true
    }

    /// What an object is that has the key of a row.
    enum KeyOwner {
        /// The object of the row.
        case row
        /// Another one: a list has shown the object of the row under the former key, which the
        /// service has kept.
        case other
        /// That is decided at the end of the list, which may contain the former key as well.
        case undecided
    }

    /// Returns what the object is if the service was sent its key as the new one of a row.
    func keyOwner(_ found: EntityRows.Comparison) throws -> KeyOwner {
        guard try hasUnconfirmedKey(found), let keys = run.resolver?.keys else { return .row }
        if try keys.showsFormerKey(found.number, in: entity.rows.keyColumns) {
            try rejectTakenKey(by: found.number)
            return .other
        }
        guard run.retries.request() else { return .row }
        // What is nested in it is only marked as seen.
        context.operations = []
        return .undecided
    }

    /// Returns whether an object of a list has a key that the service was sent for the row with it,
    /// and has not shown yet.
    private func hasUnconfirmedKey(_ found: EntityRows.Comparison) throws -> Bool {
        guard let resolver = run.resolver, resolver.source == .list, case .byKey = context.row,
            context.isItem || run.retries.current != nil,
            !entity.plan.key.contains(where: found.differing.contains)
        else { return false }
        return try resolver.keys.hasUnconfirmedKey(found.number, in: entity.rows.keyColumns)
    }

    private func rejectTakenKey(by row: Int64) throws {
        try reject(
            "\(entity.name)#\(row) has this key because of an edit that the service has not taken: "
                + "the object is not stored until that is decided, or discarded.",
            path: keyPath
        )
    }

    // MARK: Deletions

    /// Restores a row that was deleted locally, if the service has changed its object since.
    ///
    /// Otherwise nothing is inserted, because the object is to be deleted at the service.
    private func findDeleted(_ resolver: ConflictResolver) throws -> EntityRows.Comparison? {
        guard let deletion = try localDeletion() else { return try findAcknowledged(resolver) }
        guard try restoresRow(of: deletion, resolver) else {
            // What is nested in it is only marked as seen.
            context.operations = []
            context.isListed = false
            return nil
        }
        return try entity.rows.compare(byKey: frame, isTyped: context.isTyped)
    }

    /// Inserts no row for an object whose deletion the service has accepted: lists lag.
    ///
    /// If the object has changed since, it was created again.
    private func findAcknowledged(
        _ resolver: ConflictResolver
    ) throws -> EntityRows.Comparison? {
        guard let row = try acknowledgedDeletion(resolver) else { return nil }
        let table = entity.plan.entity.table
        guard
            let deletion = try AcknowledgedChanges(run.writer.db, run.layout)
                .deletion(of: row, in: table)
        else { return nil }
        guard try differences(from: deletion, resolver).isEmpty else {
            try resolver.unpushed.forgetAcknowledged(row.number, in: table)
            return nil
        }
        try resolver.unpushed.doubt([], of: row.number, in: table, because: .list)
        // What is nested in it is only marked as seen.
        context.operations = []
        context.isListed = false
        return nil
    }

    // MARK: Creations

    /// Finds the row that the service has made the object from, if the response to its creation was
    /// lost: that one whose sent values the object has.
    ///
    /// If the object has most of them, it is noted that it may be the same: another client may have
    /// changed it since.
    private func findCreated(_ resolver: ConflictResolver) throws -> EntityRows.Comparison? {
        let table = entity.plan.entity.table
        let created = try resolver.unpushed.sentCreations(in: table).map { creation in
            (creation, likeness: try likeness(toSentValuesOf: creation.row, by: resolver))
        }
        // As long as the response may come, it decides.
        let lost = created.first { $0.0.state == .uncertain && $0.likeness == .equal }
        guard let row = lost?.0.row else {
            for (creation, likeness) in created {
                // Where the service says that it has created an object, any new one may be it.
                guard
                    try likeness != .different
                        || resolver.unpushed.isClaimed(creationOf: creation.row, in: table)
                else { continue }
                try resolver.unpushed.note(
                    resembling: keyText ?? "",
                    creationOf: creation.row,
                    in: table
                )
            }
            return nil
        }
        resolver.acknowledged.insert(.init(table: table, number: row))
        let deletion = try resolver.unpushed.changes(of: row, in: table)?.open
        try resolver.unpushed.confirmCreation(of: row, in: table, at: resolver.time)
        if let found = try entity.rows.compare(row, with: frame, isTyped: context.isTyped) {
            return found
        }
        // The row was deleted here meanwhile, and the object is deleted next.
        if let deletion { try name(deletion, resolver) }
        context.operations = []
        context.isListed = false
        return nil
    }

    /// Records what the service has of a row that was deleted before its creation was confirmed:
    /// the key, and the other values.
    func name(_ deletion: Int64, _ resolver: ConflictResolver) throws {
        for slot in entity.plan.slots.indices where frame.isGiven[slot] && !isUnresolved(slot) {
            try resolver.unpushed.setBase(
                frame.values[slot].databaseValue,
                of: column(ofSlot: slot),
                in: deletion
            )
        }
    }
}
