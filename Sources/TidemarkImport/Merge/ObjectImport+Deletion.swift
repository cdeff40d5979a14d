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

    /// Returns the row of the object if the service has accepted its deletion; nil otherwise.
    func acknowledgedDeletion(_ resolver: ConflictResolver) throws -> RowReference? {
        guard case .byKey = context.row,
            try resolver.unpushed.hasAcknowledgedDeletions(),
            let key = try run.keyValues(of: referenceKey(), in: entity, deleted: { _, _ in nil })
        else { return nil }
        return try resolver.unpushed.acknowledgedDeletion(
            ofKey: key,
            in: entity.plan.key.map { entity.plan.slots[$0].column },
            of: entity.plan.entity.table
        )
    }

    /// Returns the slots of the values in which the object differs from the row that was deleted,
    /// and what the service had.
    func differences(
        from deletion: CapturedChange,
        _ resolver: ConflictResolver
    ) throws -> [(slot: Int, base: DatabaseValue)] {
        let row = deletion.row.number
        let known = try resolver.unpushed.acknowledged(row, in: deletion.table)
        let acknowledged = known?.kind == .delete ? nil : known
        return try deletion.columnValues.compactMap { column, value in
            guard let slot = slot(ofColumn: column), frame.isGiven[slot],
                try !isBase(value, slot, of: row, resolver)
            else { return nil }
            // A value that the service has yet to show, or that was never read, was not changed by
            // another client.
            let formers = acknowledged?.formers[.init(column)] ?? []
            if formers.contains(where: { frame.values[slot].equals($0) }) { return nil }
            let isNull = frame.values[slot].databaseValue.isNull
            if acknowledged?.isUnshown == true, isNull { return nil }
            if value.isNull, try acknowledged?.isUnread == true || !isListed(slot) { return nil }
            return (slot, value)
        }
        .sorted { $0.slot < $1.slot }
    }

    private func slot(ofColumn column: String) -> Int? {
        entity.plan.slots.indices.first { self.column(ofSlot: $0) == column }
    }

    /// Whether objects in lists have the property of a slot: its value was never read otherwise.
    private func isListed(_ slot: Int) throws -> Bool {
        let names = try run.listedNames(of: entity).all
        // A store that was filled before it recorded local changes knows none.
        return names.isEmpty
            || names.contains { name in
                let target = entity.plan.mapping.target(for: name)
                let attribute = target?.attribute.map { entity.plan.mapping.attributes[$0].name }
                let relationship = target?.relationship.map {
                    entity.plan.mapping.relationships[$0].name
                }
                return [attribute, relationship].contains(self.name(ofSlot: slot))
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
        guard !key.isEmpty, let resolver, try hasLocalDeletions(of: entity),
            let values = try keyValues(
                of: key,
                in: entity,
                deleted: { try self.localDeletion(ofKey: $0, $1)?.row.number }
            )
        else { return nil }
        let number = try resolver.unpushed.deletion(
            ofKey: values,
            in: entity.plan.key.map { entity.plan.slots[$0].column },
            of: entity.plan.entity.table
        )
        return try number.flatMap { try reader.capturedChanges([$0]).first }
    }

    /// Returns the values of the columns of a key; nil if a parent in it is not known.
    ///
    /// - Parameters:
    ///   - key: The values of the key as references to the row contain it.
    ///   - entity: The entity of the row.
    ///   - deleted: Returns the number of a parent that was deleted, by its key and entity.
    /// - Returns: The values.
    /// - Throws: `DatabaseError`.
    func keyValues(
        of key: [StoredValue],
        in entity: EntityImport,
        deleted: ([StoredValue], EntityImport) throws -> Int64?
    ) throws -> [StoredValue]? {
        guard !key.isEmpty else { return nil }
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
            let row = try parent.rows.number(ofKey: parentKey) ?? deleted(parentKey, parent)
            guard let row else { return nil }
            values.append(.integer(row))
        }
        return values
    }

    /// Returns the names of members that objects of an entity have had in lists, and the forms of
    /// their values.
    func listedNames(of entity: EntityImport) throws -> ObservedNames {
        try shared.listedNames(writer.db)[entity.name] ?? ObservedNames()
    }
}

extension CapturedChange {
    /// The base values of the row's own columns, by name.
    fileprivate var columnValues: [(column: String, value: DatabaseValue)] {
        base.compactMap { base in
            guard case .column(let name) = base.property, base.member == 0 else { return nil }
            return (name, base.value)
        }
    }
}
