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
    func hasChanged(
        since deletion: CapturedChange,
        _ resolver: ConflictResolver
    ) throws -> Bool {
        let base = try resolver.unpushed.columns(of: deletion.number)
        return entity.plan.slots.indices.contains { slot in
            guard frame.isGiven[slot], let value = base[column(ofSlot: slot)] else { return false }
            return !frame.values[slot].equals(value)
        }
    }

    /// Restores a row that was deleted locally, because its object has changed at the service.
    func restore(_ deletion: CapturedChange, _ resolver: ConflictResolver) throws {
        try run.writer.discard([deletion])
        resolver.unpushed.forget(deletion.row.number, in: deletion.table)
        let found = try entity.rows.compare(deletion.row.number, with: frame, isTyped: false)
        guard let found else { return }
        var versions: [ConflictLog.Versions] = []
        for slot in entity.plan.slots.indices where found.differing.contains(slot) {
            let column = column(ofSlot: slot)
            let base = try localValue(of: column, in: found.number)
            let remote = frame.values[slot].databaseValue
            versions.append(
                ConflictLog.Versions(
                    property: column,
                    base: base,
                    local: .null,
                    remote: remote,
                    kept: remote
                )
            )
        }
        try update(found)
        try resolver.log.record(
            .deletedLocally,
            of: deletion.row,
            in: entity.rows.table.name,
            versions,
            at: resolver.time,
            decision: ("remote", ConflictPolicy.remoteWins.name)
        )
    }
}
