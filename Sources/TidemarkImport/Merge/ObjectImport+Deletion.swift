import GRDB
import TidemarkModel
import TidemarkStore

/// Objects whose rows were deleted locally, before the deletion is pushed.
extension ObjectImport {
    /// Returns the deletion of the object's row that is not pushed yet; nil if it was not deleted.
    func localDeletion(_ resolver: ConflictResolver) throws -> CapturedChange? {
        let key = entity.plan.key
        guard case .byKey = context.row, key.allSatisfy({ frame.isGiven[$0] }) else { return nil }
        let number = try resolver.unpushed.deletion(
            ofKey: key.map { frame.values[$0] },
            in: key.map { entity.plan.slots[$0].column },
            of: entity.plan.entity.table
        )
        return try number.flatMap { try run.reader.capturedChanges([$0]).first }
    }

    /// Returns whether the object differs from the row that was deleted.
    private func hasChanged(
        since deletion: CapturedChange,
        _ resolver: ConflictResolver
    ) throws -> Bool {
        let base = try resolver.unpushed.columns(of: deletion.number)
        return try entity.plan.slots.indices.contains { slot in
            guard frame.isGiven[slot], let value = base[column(ofSlot: slot)] else { return false }
            return try !isBase(value, slot, of: deletion.row.number, resolver)
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
        guard try hasChanged(since: deletion, resolver) else { return false }
        let policy = resolver.policies.deletePolicy(of: deletion.row.entity)
        switch policy {
        case .remoteWins where try run.writer.mayRestore(deletion),
            .editWins where try run.writer.mayRestore(deletion):
            try restore(deletion, resolver, by: policy)
            return true
        case .localWins, .remoteWins, .editWins:
            try recordChange(since: deletion, resolver, ConflictDecision(.local, by: policy))
            for slot in entity.plan.slots.indices where frame.isGiven[slot] {
                try resolver.unpushed.setBase(
                    frame.values[slot].databaseValue,
                    of: column(ofSlot: slot),
                    in: deletion.number
                )
            }
        case .manual:
            try recordChange(since: deletion, resolver, ConflictDecision(.open, by: policy))
            try resolver.unpushed.awaitDecision(deletion.number)
        }
        return false
    }

    /// Restores a row that was deleted locally.
    private func restore(
        _ deletion: CapturedChange,
        _ resolver: ConflictResolver,
        by policy: DeletePolicy
    ) throws {
        try recordChange(since: deletion, resolver, ConflictDecision(.remote, by: policy))
        try run.writer.restore(deletion)
        try resolver.unpushed.refresh(deletion.row.number, in: deletion.table)
    }

    /// Records in which properties the object differs from the row that was deleted.
    private func recordChange(
        since deletion: CapturedChange,
        _ resolver: ConflictResolver,
        _ decision: ConflictDecision
    ) throws {
        let base = try resolver.unpushed.columns(of: deletion.number)
        let isRestored = decision.side == .remote
        let versions: [ConflictLog.Versions] = try entity.plan.slots.indices.compactMap { slot in
            let column = column(ofSlot: slot)
            guard frame.isGiven[slot], let value = base[column],
                try !isBase(value, slot, of: deletion.row.number, resolver)
            else { return nil }
            let remote = frame.values[slot].databaseValue
            return ConflictLog.Versions(
                property: column,
                base: value,
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
