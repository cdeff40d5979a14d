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
            (creation, likeness: try likeness(toSentValuesOf: creation.row, resolver))
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

    /// How many of the values that were sent to create a row an object has.
    enum Likeness {
        /// All of them.
        case equal
        /// At least half, so that another client may have changed the others.
        case similar
        /// Fewer.
        case different
    }

    /// Compares the object with what was sent to create a row.
    func likeness(
        toSentValuesOf row: Int64,
        _ resolver: ConflictResolver
    ) throws -> Likeness {
        let stored = try Row.fetchOne(
            run.writer.db,
            sql: "SELECT * FROM \(entity.rows.statements.tableName) WHERE _id = ?",
            arguments: [row]
        )
        // Edits that came later were not sent, nor links to rows without a key.
        let changes = try resolver.unpushed.changes(of: row, in: entity.plan.entity.table)
        let base = try changes?.open.map(resolver.unpushed.columns) ?? [:]
        // The deletion of a row contains all of its values.
        guard stored != nil || !base.isEmpty else { return .different }
        let omitted = try changes?.frozen.map(resolver.unpushed.columns) ?? [:]
        let isKeyChosen = try resolver.unpushed.hasChosenKey(
            creationOf: row,
            in: entity.plan.entity.table
        )
        var (equal, normalized, different) = (0, 0, 0)
        var telling = (equal: 0, different: 0)
        for slot in entity.plan.slots.indices where frame.isGiven[slot] {
            let column = column(ofSlot: slot)
            guard isSent(slot), omitted[column] == nil else { continue }
            let sent = base[column] ?? stored.flatMap { $0[column] as DatabaseValue? } ?? .null
            // A service may set what was not sent: the key, times, defaults.
            guard !sent.isNull else { continue }
            let isEqual = try shows(sent, in: slot)
            if !isEqual, !isKeyChosen, entity.plan.key.contains(slot) { continue }
            guard isEqual || !isNormalized(sent, slot) else {
                normalized += 1
                continue
            }
            if isEqual { equal += 1 } else { different += 1 }
            guard isTelling(slot) else { continue }
            if isEqual { telling.equal += 1 } else { telling.different += 1 }
        }
        // A text that the service has changed does not show by itself whose object it is.
        if different == 0, equal > 0, normalized == 0 || telling.equal > 0 { return .equal }
        let alike = telling.equal + normalized
        return alike > 0 && alike >= telling.different ? .similar : .different
    }

    /// Returns whether a text differs from the one that was sent only in what services change when
    /// they store one.
    private func isNormalized(_ sent: DatabaseValue, _ slot: Int) -> Bool {
        guard let sent = String.fromDatabaseValue(sent),
            let shown = String.fromDatabaseValue(frame.values[slot].databaseValue)
        else { return false }
        return sent.normalized == shown.normalized
    }

    /// Whether the value of a slot is sent to the service.
    func isSent(_ slot: Int) -> Bool {
        if let attribute = attribute(ofSlot: slot) { return attribute.json.isExportable }
        let relationship = entity.relationships.first { $0.slot == slot }
        return relationship?.layout.relationship.json.isExportable ?? true
    }

    /// Whether equal values of a slot are a sign that two objects are the same: most objects have
    /// the default, and one of two values.
    private func isTelling(_ slot: Int) -> Bool {
        guard !entity.plan.key.contains(slot), let attribute = attribute(ofSlot: slot) else {
            return false
        }
        return attribute.type != .boolean && attribute.defaultValue == nil
    }
}
