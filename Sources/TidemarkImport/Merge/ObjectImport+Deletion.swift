import GRDB
import TidemarkModel
import TidemarkStore

/// Objects whose rows were deleted locally, before the deletion is pushed.
extension ObjectImport {
    /// Returns the deletion of the object's row that is not pushed yet; nil if it was not deleted.
    func localDeletion() throws -> CapturedChange? {
        guard case .byKey = context.row, try run.hasLocalDeletions(of: entity) else { return nil }
        return try run.localDeletion(ofKey: referenceKey(), entity)
    }

    /// Returns the slots of the values in which the object differs from the row that was deleted,
    /// and what the service had.
    private func differences(
        from deletion: CapturedChange,
        _ resolver: ConflictResolver
    ) throws -> [(slot: Int, base: DatabaseValue)] {
        let base = try resolver.unpushed.columns(of: deletion.number)
        return try entity.plan.slots.indices.compactMap { slot in
            guard frame.isGiven[slot], let value = base[column(ofSlot: slot)],
                try !isBase(value, slot, of: deletion.row.number, resolver)
            else { return nil }
            return (slot, value)
        }
    }

    /// Returns the columns in which the object has the base values of a change.
    func columns(
        equalToBaseOf change: CapturedChange,
        _ resolver: ConflictResolver
    ) throws -> Set<String> {
        let base = try resolver.unpushed.columns(of: change.number)
        let equal = try entity.plan.slots.indices.filter { slot in
            guard frame.isGiven[slot], let value = base[column(ofSlot: slot)] else { return false }
            return try isBase(value, slot, of: change.row.number, resolver)
        }
        return Set(equal.map(column(ofSlot:)))
    }

    /// Decides about the object of a row that was deleted locally, if the service has changed it
    /// since.
    ///
    /// - Parameters:
    ///   - deletion: The deletion.
    ///   - resolver: Decides conflicts.
    /// - Returns: Whether the row exists again, with the values that it had before.
    /// - Throws: `DatabaseError`.
    func restoresRow(
        of deletion: CapturedChange,
        _ resolver: ConflictResolver
    ) throws -> Bool {
        let differences = try differences(from: deletion, resolver)
        guard !differences.isEmpty else { return false }
        let policy = resolver.policies.deletePolicy(of: deletion.row.entity)
        switch policy {
        case .remoteWins where try run.writer.mayRestore(deletion),
            .editWins where try run.writer.mayRestore(deletion):
            try record(differences, from: deletion, resolver, ConflictDecision(.remote, by: policy))
            try run.writer.restore(deletion)
            try resolver.unpushed.refresh(deletion.row.number, in: deletion.table)
            return true
        case .localWins, .remoteWins, .editWins:
            try record(differences, from: deletion, resolver, ConflictDecision(.local, by: policy))
            for (slot, _) in differences {
                try setBase(toRemoteOf: slot, in: deletion.number, by: resolver)
            }
        case .manual:
            try record(differences, from: deletion, resolver, ConflictDecision(.open, by: policy))
            try resolver.unpushed.awaitDecision(deletion.number)
        }
        return false
    }

    /// Records in which properties the object differs from the row that was deleted.
    private func record(
        _ differences: [(slot: Int, base: DatabaseValue)],
        from deletion: CapturedChange,
        _ resolver: ConflictResolver,
        _ decision: ConflictDecision
    ) throws {
        let isRestored = decision.side == .remote
        let versions = differences.map { slot, base in
            let remote = frame.values[slot].databaseValue
            return ConflictLog.Versions(
                property: column(ofSlot: slot),
                base: base,
                local: .null,
                remote: remote,
                kept: isRestored ? remote : .null
            )
        }
        try resolver.log.record(
            .deletedLocally,
            of: deletion.row,
            in: entity.rows.table.name,
            versions,
            at: resolver.time,
            decision: decision
        )
    }
}

extension ImportRun {
    func hasLocalDeletions(of entity: EntityImport) throws -> Bool {
        try resolver?.unpushed.hasDeletions(in: entity.plan.entity.table) ?? false
    }

    /// Returns the deletion of the row with a key, which is not pushed yet; nil without one.
    ///
    /// - Parameters:
    ///   - key: The values of the key as references to the row contain it. Its parents, if parts of
    ///     the key are theirs, may be deleted as well.
    ///   - entity: The entity of the row.
    /// - Returns: The deletion.
    /// - Throws: `ModelError` if the plan of a parent's entity cannot be compiled; `DatabaseError`.
    func localDeletion(
        ofKey key: [StoredValue],
        _ entity: EntityImport
    ) throws -> CapturedChange? {
        guard !key.isEmpty, let resolver, try hasLocalDeletions(of: entity) else { return nil }
        var parts = key[...]
        var values: [StoredValue] = []
        for slot in entity.plan.key {
            guard let relationship = entity.relationships.first(where: { $0.slot == slot }) else {
                values.append(parts.removeFirst())
                continue
            }
            let parent = try destination(of: relationship)
            let parentKey = Array(parts.prefix(relationship.keyPartCount))
            parts.removeFirst(parentKey.count)
            let row =
                try parent.rows.number(ofKey: parentKey)
                ?? localDeletion(ofKey: parentKey, parent)?.row.number
            guard let row else { return nil }
            values.append(.integer(row))
        }
        let number = try resolver.unpushed.deletion(
            ofKey: values,
            in: entity.plan.key.map { entity.plan.slots[$0].column },
            of: entity.plan.entity.table
        )
        return try number.flatMap { try reader.capturedChanges([$0]).first }
    }
}
