import GRDB
import TidemarkModel
import TidemarkStore

/// Objects whose rows have local changes that were not pushed.
extension ObjectImport {
    /// Merges the object into its row, if the row has local changes that were not pushed.
    ///
    /// - Parameters:
    ///   - found: The row. What stays as it is is removed from the differing slots.
    ///   - resolver: Decides conflicts.
    /// - Throws: Errors of a policy; `DatabaseError`.
    func merge(_ found: inout EntityRows.Comparison, by resolver: ConflictResolver) throws {
        try mergeAcknowledged(&found, by: resolver)
        try keepListed(in: &found, by: resolver)
        let decided = try keepUnrecorded(in: &found, by: resolver)
        let table = entity.plan.entity.table
        let row = ConflictResolver.MergedRow(table: table, number: found.number)
        guard let changes = try resolver.unpushed.changes(of: row.number, in: table) else { return }
        if let frozen = changes.frozen {
            // The response to the request, or a reconciliation, decides about these values.
            if changes.isCreation { return keepAll(&found) }
            try keepChanged(by: frozen, in: &found, resolver)
            if let open = changes.open { try keepChanged(by: open, in: &found, resolver) }
            return
        }
        guard let open = changes.open else { return }
        if changes.isCreation {
            try mergeCreation(open, in: &found, by: resolver)
        } else {
            try mergeUpdate(open, in: &found, by: resolver, exceptOf: decided)
        }
    }

    /// Keeps the local values of all properties that a change contains.
    private func keepChanged(
        by change: Int64,
        in found: inout EntityRows.Comparison,
        _ resolver: ConflictResolver
    ) throws {
        let base = try resolver.unpushed.columns(of: change)
        for slot in entity.plan.slots.indices where frame.isGiven[slot] {
            if base[column(ofSlot: slot)] != nil { keepLocal(slot, in: &found) }
        }
    }

    private func keepAll(_ found: inout EntityRows.Comparison) {
        for slot in entity.plan.slots.indices where frame.isGiven[slot] {
            keepLocal(slot, in: &found)
        }
    }

    func keepLocal(_ slot: Int, in found: inout EntityRows.Comparison) {
        found.differing.remove(slot)
        if let relationship = entity.relationships.first(where: { $0.slot == slot }) {
            frame.links[relationship.index].pending = .none
        }
    }

    /// Keeps references that are sent in the lists of the rows on the other side, and were changed
    /// there: the lists decide about them.
    private func keepListed(
        in found: inout EntityRows.Comparison,
        by resolver: ConflictResolver
    ) throws {
        let (unpushed, table) = (resolver.unpushed, entity.plan.entity.table)
        for relationship in entity.relationships {
            guard let slot = relationship.slot, frame.isGiven[slot], found.differing.contains(slot),
                try !unpushed.isSent(relationship.layout)
            else { continue }
            let column = entity.plan.slots[slot].column
            var others = [try unpushed.reference(inColumn: column, in: table, of: found.number)]
            if case .integer(let other) = frame.values[slot] { others.append(other) }
            let isPending = try others.compactMap(\.self).contains { other in
                let place = StoredLink.Place.column(column, table: table)
                return try resolver.isPending(
                    StoredLink(place: place, row: found.number, other: other)
                )
            }
            if isPending { keepLocal(slot, in: &found) }
        }
    }

    // MARK: Updates

    private func mergeUpdate(
        _ change: Int64,
        in found: inout EntityRows.Comparison,
        by resolver: ConflictResolver,
        exceptOf decided: Set<String>
    ) throws {
        let base = try resolver.unpushed.columns(of: change)
        let table = entity.plan.entity.table
        var conflicts: [PropertyConflict] = []
        var isAgreed = false
        for slot in entity.plan.slots.indices where frame.isGiven[slot] {
            let column = column(ofSlot: slot)
            guard let value = base[column], !decided.contains(column) else { continue }
            let isUnresolved = isUnresolved(slot)
            let outcome = ThreeWayMerge(
                isRemoteBase: try isBase(value, slot, of: found.number, resolver),
                isRemoteLocal: !isUnresolved && !found.differing.contains(slot)
            )
            switch outcome {
            case .local:
                keepLocal(slot, in: &found)
                try resolver.unpushed.settle(column, of: found.number, in: table, as: "local")
            case .agreement:
                isAgreed = true
                try dropBase(ofSlot: slot, in: change, resolver)
                try resolver.unpushed.settle(column, of: found.number, in: table, as: "remote")
            case .conflict:
                conflicts.append(
                    PropertyConflict(
                        slot: slot,
                        column: column,
                        base: value,
                        local: try localValue(of: column, in: found.number),
                        remote: isUnresolved ? nil : frame.values[slot].databaseValue
                    )
                )
            }
        }
        let isMerged = isAgreed || !conflicts.isEmpty
        if isMerged || !found.differing.isEmpty {
            // Another client has created the object again.
            try resolver.unpushed.retryIfMissing(change, of: found.number, in: table)
        }
        guard isMerged else { return }
        let row = ConflictResolver.MergedRow(table: table, number: found.number)
        if resolver.acknowledged.contains(row) {
            // The service has normalized what was sent: a newer local value replaces that.
            for conflict in conflicts {
                try setBase(toRemoteOf: conflict.slot, in: change, by: resolver)
                keepLocal(conflict.slot, in: &found)
            }
        } else {
            try decide(conflicts, of: change, in: &found, by: resolver)
        }
        try resolver.unpushed.removeIfEmpty(change, of: found.number, in: table)
    }

    // MARK: Creations

    /// Merges an object into a row with the same key that was created locally: it is the same
    /// object, which another client has created, too.
    private func mergeCreation(
        _ change: Int64,
        in found: inout EntityRows.Comparison,
        by resolver: ConflictResolver
    ) throws {
        var conflicts: [PropertyConflict] = []
        for slot in entity.plan.slots.indices where found.differing.contains(slot) {
            let column = column(ofSlot: slot)
            let local = try localValue(of: column, in: found.number)
            // What a new row does not have contradicts nothing.
            guard !local.isNull else { continue }
            conflicts.append(
                PropertyConflict(
                    slot: slot,
                    column: column,
                    base: .null,
                    local: local,
                    remote: isUnresolved(slot) ? nil : frame.values[slot].databaseValue
                )
            )
        }
        try resolver.unpushed.becomeUpdate(
            change,
            of: found.number,
            in: entity.plan.entity.table,
            columns: conflicts.map(\.column),
            given: Set(
                entity.plan.slots.indices.filter { frame.isGiven[$0] }.map(column(ofSlot:))
            )
        )
        try decide(conflicts, of: change, in: &found, by: resolver, kind: .duplicateCreate)
        try resolver.unpushed.removeIfEmpty(
            change,
            of: found.number,
            in: entity.plan.entity.table
        )
    }

    // MARK: Decisions

    private func decide(
        _ conflicts: [PropertyConflict],
        of change: Int64,
        in found: inout EntityRows.Comparison,
        by resolver: ConflictResolver,
        kind: ConflictLog.Kind = .edit
    ) throws {
        var decided: [ConflictDecision: [ConflictLog.Versions]] = [:]
        for conflict in conflicts {
            let remote = conflict.remote ?? .null
            let decision = try decision(about: conflict, of: found.number, by: resolver)
            let kept: DatabaseValue
            switch decision.side {
            case .remote:
                kept = remote
                try dropBase(ofSlot: conflict.slot, in: change, resolver)
            case .local:
                kept = conflict.local
                try setBase(toRemoteOf: conflict.slot, in: change, by: resolver)
                keepLocal(conflict.slot, in: &found)
            case .computed(let value):
                kept = value
                try setBase(toRemoteOf: conflict.slot, in: change, by: resolver)
                try set(value, of: conflict, in: &found)
            case .open:
                kept = conflict.local
                keepLocal(conflict.slot, in: &found)
            }
            let versions = ConflictLog.Versions(
                property: conflict.column,
                base: conflict.base,
                local: conflict.local,
                remote: remote,
                kept: kept
            )
            decided[decision, default: []].append(versions)
        }
        for (decision, versions) in decided.sorted(by: { $0.key.order < $1.key.order }) {
            try resolver.record(
                kind,
                of: found.number,
                in: entity.plan.entity.table,
                versions,
                decision: decision
            )
            if decision.side == .open { try resolver.unpushed.awaitDecision(change) }
        }
    }

    /// Records the service's value as the one that the local value replaces when it is pushed.
    func setBase(
        toRemoteOf slot: Int,
        in change: Int64,
        by resolver: ConflictResolver
    ) throws {
        let isUnresolved = isUnresolved(slot)
        try resolver.unpushed.setBase(
            isUnresolved ? .null : frame.values[slot].databaseValue,
            of: column(ofSlot: slot),
            in: change
        )
        guard let relationship = entity.relationships.first(where: { $0.slot == slot }) else {
            return
        }
        try resolver.unpushed.dropReferences(of: relationship.layout, in: change)
        guard isUnresolved else { return }
        try resolver.unpushed.addBase(
            ofReference: relationship.layout,
            to: relationship.parts.map { frame.missingKeys[$0] },
            in: change
        )
    }

    /// Writes a computed value instead of the service's.
    private func set(
        _ value: DatabaseValue,
        of conflict: PropertyConflict,
        in found: inout EntityRows.Comparison
    ) throws {
        let stored = run.arena.stored(value)
        frame.set(stored, slot: conflict.slot)
        if stored.equals(conflict.local) {
            found.differing.remove(conflict.slot)
        } else {
            found.differing.insert(conflict.slot)
        }
    }

    /// Records that a property has the value of the service.
    func dropBase(
        ofSlot slot: Int,
        in change: Int64,
        _ resolver: ConflictResolver
    ) throws {
        try resolver.unpushed.dropBase(of: column(ofSlot: slot), in: change)
        guard let relationship = entity.relationships.first(where: { $0.slot == slot }) else {
            return
        }
        try resolver.unpushed.dropReferences(of: relationship.layout, in: change)
    }

    // MARK: Columns

    func column(ofSlot slot: Int) -> String {
        entity.rows.table.columns[entity.plan.slots[slot].column].name
    }

    /// Returns the name of the attribute or relationship of a slot.
    func name(ofSlot slot: Int) -> String {
        let relationship = entity.relationships.first { $0.slot == slot }
        return attribute(ofSlot: slot)?.name ?? relationship?.layout.relationship.name ?? ""
    }

    /// Returns the attribute of a slot; nil if it is that of a relationship.
    func attribute(ofSlot slot: Int) -> Attribute? {
        let column = entity.plan.slots[slot].column
        return entity.plan.entity.attributes.first { $0.column == column }?.attribute
    }

    /// Returns whether the object refers to a row that is not stored.
    func isUnresolved(_ slot: Int) -> Bool {
        guard let relationship = entity.relationships.first(where: { $0.slot == slot }),
            case .one(.unresolved) = frame.links[relationship.index].pending
        else { return false }
        return true
    }

    /// Returns whether a base value is the row with a key, which was deleted locally.
    private func isDeletedRow(
        _ value: DatabaseValue,
        withKey key: [StoredValue],
        by relationship: RelationshipPlan
    ) throws -> Bool {
        let deletion = try run.localDeletion(ofKey: key, run.destination(of: relationship))
        return deletion?.row.number.databaseValue == value
    }

    /// Returns whether the object has the base value of a slot.
    ///
    /// A reference to a row that was not stored has the base NULL, and its key apart.
    func isBase(
        _ value: DatabaseValue,
        _ slot: Int,
        of row: Int64,
        _ resolver: ConflictResolver
    ) throws -> Bool {
        guard let relationship = entity.relationships.first(where: { $0.slot == slot }) else {
            return frame.values[slot].equals(value)
        }
        if isUnresolved(slot) {
            let key = relationship.parts.map { frame.missingKeys[$0] }
            if try resolver.unpushed.isRemoved(relationship.layout, of: row, to: key) {
                return true
            }
            return try isDeletedRow(value, withKey: key, by: relationship)
        }
        if frame.values[slot].equals(value) { return true }
        guard value.isNull, case .integer(let other) = frame.values[slot] else { return false }
        return try resolver.unpushed.isRemoved(relationship.layout, of: row, toRow: other)
    }

    func localValue(of column: String, in row: Int64) throws -> DatabaseValue {
        try DatabaseValue.fetchOne(
            run.writer.db,
            sql: """
                SELECT \(column.quotedDatabaseIdentifier) \
                FROM \(entity.rows.statements.tableName) WHERE _id = ?
                """,
            arguments: [row]
        ) ?? .null
    }
}

/// The values of a property that both sides have changed, as they are stored.
struct PropertyConflict {
    /// The slot of the property in the plan of its entity.
    let slot: Int

    /// The name of its column.
    let column: String

    let base: DatabaseValue
    let local: DatabaseValue

    /// The service's value; nil if that is a reference to a row that is not stored.
    let remote: DatabaseValue?
}
