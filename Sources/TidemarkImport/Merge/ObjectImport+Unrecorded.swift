import GRDB
import TidemarkModel
import TidemarkStore

/// Objects whose rows may have been edited without a record.
extension ObjectImport {
    /// Keeps values of the row that may be edits, and records a conflict that awaits a decision.
    ///
    /// What the service had before is not known, so that no policy can decide: `localWins` would
    /// send values that are outdated, `remoteWins` would undo the edits.
    ///
    /// - Parameters:
    ///   - found: The row. What stays unchanged is removed from the differing slots.
    ///   - resolver: Knows which rows have changes.
    /// - Returns: The columns that need no other decision.
    /// - Throws: `DatabaseError`.
    func keepUnrecorded(
        in found: inout EntityRows.Comparison,
        by resolver: ConflictResolver
    ) throws -> Set<String> {
        let table = entity.plan.entity.table
        let row = found.number
        let changes = try resolver.unpushed.changes(of: row, in: table)
        guard changes?.isCreation != true else { return [] }
        let mayLackEdits = try resolver.unpushed.mayLackEdits.get()
        guard mayLackEdits || changes?.isConflicted == true else { return [] }
        let doubtful = try resolver.unpushed.doubtfulColumns(of: row, in: table)
        try settle(doubtful, of: found, by: resolver)
        let merged = ConflictResolver.MergedRow(table: table, number: row)
        let isCompared = mayLackEdits && !resolver.acknowledged.contains(merged)
        guard isCompared || !doubtful.isEmpty else { return [] }
        let known = try [changes?.frozen, changes?.open].compactMap(\.self)
            .reduce(into: Set<String>()) {
                $0.formUnion(try resolver.unpushed.columns(of: $1).keys)
            }
        let recorded = isCompared ? try resolver.unpushed.recordedColumns(of: table) : []
        let slots = entity.plan.slots.indices.filter { slot in
            let column = column(ofSlot: slot)
            return frame.isGiven[slot] && (found.differing.contains(slot) || isUnresolved(slot))
                && (doubtful.contains(column)
                    || recorded.contains(column) && !known.contains(column))
        }
        guard !slots.isEmpty, try !doubtful.isEmpty || resolver.unpushed.keepsDoubtful(),
            let change = try resolver.unpushed.addDoubtful(
                slots.map(column(ofSlot:)),
                of: row,
                in: table
            )
        else { return doubtful }
        let versions = try slots.map { slot in
            let remote = isUnresolved(slot) ? .null : frame.values[slot].databaseValue
            let local = try localValue(of: column(ofSlot: slot), in: row)
            try setBase(toRemoteOf: slot, in: change, by: resolver)
            keepLocal(slot, in: &found)
            return ConflictLog.Versions(
                property: column(ofSlot: slot),
                base: remote,
                local: local,
                remote: remote,
                kept: local
            )
        }
        try resolver.record(.unrecorded, of: row, in: table, versions, decision: .unknownBase)
        try resolver.unpushed.awaitDecision(change)
        return doubtful.union(slots.map(column(ofSlot:)))
    }

    /// Ends the doubt about columns in which the service has what the row has.
    private func settle(
        _ columns: Set<String>,
        of found: EntityRows.Comparison,
        by resolver: ConflictResolver
    ) throws {
        let table = entity.plan.entity.table
        for slot in entity.plan.slots.indices where frame.isGiven[slot] {
            let column = column(ofSlot: slot)
            guard columns.contains(column), !found.differing.contains(slot), !isUnresolved(slot),
                let change = try resolver.unpushed.changes(of: found.number, in: table)?.open
            else { continue }
            try dropBase(ofSlot: slot, in: change, resolver)
            try resolver.unpushed.settle(column, of: found.number, in: table, as: "remote")
            try resolver.unpushed.removeIfEmpty(change, of: found.number, in: table)
        }
    }
}
