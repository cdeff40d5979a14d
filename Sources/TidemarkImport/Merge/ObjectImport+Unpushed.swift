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
