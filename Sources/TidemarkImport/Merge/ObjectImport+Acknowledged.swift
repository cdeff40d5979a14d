import GRDB
import TidemarkModel
import TidemarkStore

/// Objects of rows whose changes the service has accepted, and not shown yet.
extension ObjectImport {
    /// Compares the object with what the service had, and was sent, of its row.
    ///
    /// A value that was sent, or a third one that the service has made of it, confirms the change.
    /// A former value does not: the row keeps the local one until the object was read by its key,
    /// because lists lag, and responses may contain the object before the change.
    ///
    /// - Parameters:
    ///   - found: The row. What it keeps is removed from the differing slots.
    ///   - resolver: Decides what was not taken.
    /// - Throws: Errors of a policy; `DatabaseError`.
    func mergeAcknowledged(
        _ found: inout EntityRows.Comparison,
        by resolver: ConflictResolver
    ) throws {
        let table = entity.plan.entity.table
        guard let change = try resolver.unpushed.acknowledged(found.number, in: table),
            change.kind != .delete
        else { return }
        let row = try UnconfirmedRow(found, of: change, in: table, by: resolver.unpushed)
        var notTaken: [PropertyConflict] = []
        var (missing, isShown): ([String], Bool) = ([], false)
        for slot in slots(of: change) {
            switch try shown(in: slot, of: row, by: resolver) {
            case .nothing: break
            case .missing: missing.append(column(ofSlot: slot))
            case .other:
                isShown = true
                let column = AcknowledgedChange.Property(column(ofSlot: slot))
                try resolver.unpushed.confirm(column, of: found.number, in: table)
            case .former(let conflict):
                isShown = true
                notTaken.append(conflict)
            }
        }
        // A response with nothing but a key and times shows nothing.
        let isObject = isShown || resolver.source == .list || resolver.source == .object
        if isObject, change.isUnshown || change.isUnread {
            try resolver.unpushed.show(
                found.number,
                in: table,
                without: missing + notTaken.map(\.column)
                    + (change.isUnshown ? containedRelationships(of: found.number) : []),
                isComplete: entity.plan.slots.indices.allSatisfy { frame.isGiven[$0] }
            )
        }
        try decide(notTaken, in: &found, by: resolver)
    }

    /// Returns the slots whose values matter for a change: of an update those that were sent.
    private func slots(of change: AcknowledgedChange) -> [Int] {
        let slots = entity.plan.slots.indices
        guard !change.isUnshown, !change.isUnread else { return Array(slots) }
        let columns = change.formers.keys.filter { $0.member == 0 }.map(\.name)
        return slots.filter { columns.contains(column(ofSlot: $0)) }
    }

    /// Returns the relationships with rows that a new row contains, which its object has to show
    /// as well.
    private func containedRelationships(of row: Int64) throws -> [String] {
        try entity.relationships.filter { relationship in
            try relationship.leadsToKeyless
                && relationship.layout.relationship.json.isExportable
                && !run.reader.linked(relationship.layout, of: row).isEmpty
        }
        .map(\.layout.identifier)
    }

    /// A row with an acknowledged change, as the store has it.
    private final class UnconfirmedRow {
        let number: Int64
        let change: AcknowledgedChange

        /// The number of the change with the edits since; nil without one.
        let update: Int64?

        /// The base values of that change, and of the one whose request was sent, by column.
        let open: [String: DatabaseValue]
        let frozen: [String: DatabaseValue]

        /// The slots in which the object differs from the row.
        let differing: ColumnMask

        /// The values of the row, which most objects show.
        private lazy var stored = Result { try unpushed.storedRow(number, in: table) }

        private let table: Int
        private let unpushed: UnpushedRows

        init(
            _ found: EntityRows.Comparison,
            of change: AcknowledgedChange,
            in table: Int,
            by unpushed: UnpushedRows
        ) throws {
            number = found.number
            differing = found.differing
            self.change = change
            self.table = table
            self.unpushed = unpushed
            let changes = try unpushed.changes(of: found.number, in: table)
            update = changes?.open
            open = try changes?.open.map(unpushed.columns) ?? [:]
            frozen = try changes?.frozen.map(unpushed.columns) ?? [:]
        }

        /// Returns the value that the row has in a column.
        func value(of column: String) throws -> DatabaseValue {
            try stored.get().map { $0[column] as DatabaseValue } ?? .null
        }
    }

    /// What the object shows of a property.
    private enum ShownValue {
        /// Nothing that matters.
        case nothing
        /// The property was sent, and the object lacks it.
        case missing
        /// The value that was sent, or one that the service has made of it.
        case other
        /// A former value.
        case former(PropertyConflict)
    }

    private func shown(
        in slot: Int,
        of row: UnconfirmedRow,
        by resolver: ConflictResolver
    ) throws -> ShownValue {
        let column = column(ofSlot: slot)
        // The response to a request decides about its values.
        guard row.frozen[column] == nil else { return .nothing }
        let isLocal =
            frame.isGiven[slot] && !row.differing.contains(slot) && !isUnresolved(slot)
        let local = try isLocal ? frame.values[slot].databaseValue : row.value(of: column)
        let sent = row.open[column] ?? local
        let formers = try formers(of: slot, sent: sent, in: row.change, by: resolver)
        guard frame.isGiven[slot] else {
            return row.change.isUnshown && !formers.isEmpty ? .missing : .nothing
        }
        guard !formers.isEmpty else {
            if row.change.isUnread, sent.isNull { try readFirst(slot, of: row, by: resolver) }
            return .nothing
        }
        let isFormer =
            try !shows(sent, in: slot)
            && isFormer(slot, among: formers, of: row.number, by: resolver)
        guard isFormer else { return .other }
        if let update = row.update, row.open[column] != nil {
            // An edit that came later replaces what was not taken.
            try setBase(toRemoteOf: slot, in: update, by: resolver)
            return .other
        }
        return .former(
            PropertyConflict(
                slot: slot,
                column: column,
                base: formers.first ?? .null,
                local: local,
                remote: isUnresolved(slot) ? nil : frame.values[slot].databaseValue
            )
        )
    }

    /// Reads a member of a new object that was not sent, for the first time.
    private func readFirst(
        _ slot: Int,
        of row: UnconfirmedRow,
        by resolver: ConflictResolver
    ) throws {
        if let update = row.update, row.open[column(ofSlot: slot)] != nil {
            // Another client has not changed it.
            try setBase(toRemoteOf: slot, in: update, by: resolver)
        }
        guard case .response = resolver.source, row.change.kind == .create,
            let attribute = attribute(ofSlot: slot), !entity.plan.key.contains(slot),
            !frame.values[slot].databaseValue.isNull
        else { return }
        try resolver.defaults.observe(
            frame.values[slot].databaseValue,
            of: attribute.name,
            of: entity.name,
            run.writer.db
        )
    }

    /// Returns what the service had of a property before the value that was sent; none if nothing
    /// is unconfirmed.
    private func formers(
        of slot: Int,
        sent: DatabaseValue,
        in change: AcknowledgedChange,
        by resolver: ConflictResolver
    ) throws -> [DatabaseValue] {
        let known = change.formers[.init(column(ofSlot: slot))] ?? []
        guard known.isEmpty, change.isUnshown, !sent.isNull, !entity.plan.key.contains(slot),
            try isSent(slot, by: resolver)
        else { return known }
        return [.null]
    }

    /// Whether the object has a value that was sent, in the form in which the service writes it.
    ///
    /// A time without its fraction would otherwise look like the former one.
    func shows(_ sent: DatabaseValue, in slot: Int) throws -> Bool {
        guard !isUnresolved(slot) else { return false }
        if frame.values[slot].equals(sent) { return true }
        guard let attribute = attribute(ofSlot: slot) else { return false }
        return try run.listedNames(of: entity)
            .comparison(of: attribute.name, in: entity.plan.mapping)?
            .isEqual(sent: sent, received: frame.values[slot].databaseValue) ?? false
    }

    /// Whether the object has a former value of a property.
    private func isFormer(
        _ slot: Int,
        among formers: [DatabaseValue],
        of row: Int64,
        by resolver: ConflictResolver
    ) throws -> Bool {
        guard isUnresolved(slot) else {
            if formers.contains(where: { frame.values[slot].equals($0) }) { return true }
            // A new object without the member gets the default of the service.
            guard formers.contains(.null), let attribute = attribute(ofSlot: slot) else {
                return false
            }
            return try resolver.defaults.value(of: attribute.name, of: entity.name, run.writer.db)
                .map { frame.values[slot].equals($0) } ?? false
        }
        guard let relationship = entity.relationships.first(where: { $0.slot == slot }) else {
            return false
        }
        let key = relationship.parts.map { frame.missingKeys[$0] }
        return try resolver.unpushed.isFormer(relationship.layout, of: row, key: key)
    }

    // MARK: Updates of unknown outcome

    /// What an object has of the values that an update has sent.
    enum UpdateLikeness {
        /// All that were sent.
        case sent
        /// At least one that the service had before.
        case former
        /// Others.
        case other
    }

    /// Compares the object with what was sent to change a row.
    func likeness(
        toUpdate update: CapturedChange,
        by resolver: ConflictResolver
    ) throws -> UpdateLikeness {
        let (row, table) = (update.row.number, update.table)
        let later =
            try resolver.unpushed.changes(of: row, in: table)?.open
            .map(resolver.unpushed.columns) ?? [:]
        guard let stored = try resolver.unpushed.storedRow(row, in: table) else { return .other }
        var isSent = !update.base.isEmpty
        for base in update.base {
            guard case .column(let column) = base.property, base.member == 0,
                let slot = entity.plan.slots.indices.first(where: {
                    self.column(ofSlot: $0) == column
                })
            else {
                isSent = false
                continue
            }
            let sent = later[column] ?? stored[column] as DatabaseValue
            guard frame.isGiven[slot], try !shows(sent, in: slot) else {
                isSent = isSent && frame.isGiven[slot]
                continue
            }
            isSent = false
            if try isBase(base.value, slot, of: row, resolver) { return .former }
        }
        return isSent ? .sent : .other
    }

    // MARK: Decisions

    /// Keeps local values that an object does not confirm, or lets a policy decide about values
    /// that the service has not taken.
    private func decide(
        _ notTaken: [PropertyConflict],
        in found: inout EntityRows.Comparison,
        by resolver: ConflictResolver
    ) throws {
        guard !notTaken.isEmpty else { return }
        let table = entity.plan.entity.table
        guard case .object = resolver.source else {
            for conflict in notTaken { keepLocal(conflict.slot, in: &found) }
            return try resolver.unpushed.doubt(
                notTaken.map { .init($0.column) },
                of: found.number,
                in: table,
                because: resolver.source == .list ? .list : .response
            )
        }
        let row = RowReference(entity.name, found.number)
        for conflict in notTaken {
            let decision = resolver.decisionAboutNotTaken(
                name(ofSlot: conflict.slot),
                of: entity.name
            )
            let remote = conflict.remote ?? .null
            let isRemote = decision.side == .remote
            if !isRemote {
                keepLocal(conflict.slot, in: &found)
                let change = try resolver.reject(
                    .init(conflict.column),
                    insteadOf: remote,
                    of: row,
                    in: table,
                    decision: decision
                )
                if conflict.remote == nil {
                    try setBase(toRemoteOf: conflict.slot, in: change, by: resolver)
                }
            }
            try resolver.unpushed.confirm(.init(conflict.column), of: found.number, in: table)
            resolver.add(
                ConflictLog.Versions(
                    property: conflict.column,
                    base: conflict.base,
                    local: conflict.local,
                    remote: remote,
                    kept: isRemote ? remote : conflict.local
                ),
                of: name(ofSlot: conflict.slot),
                notTakenOf: row,
                decision: decision
            )
        }
    }
}
