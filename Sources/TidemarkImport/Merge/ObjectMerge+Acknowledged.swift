import GRDB
package import TidemarkJSON
import TidemarkModel
package import TidemarkStore

/// Acknowledged changes that the service has not done, as its objects show.
extension ObjectMerge {
    /// Takes over former values that a list has shown, where objects cannot be read by their keys.
    ///
    /// - Parameter row: The row.
    /// - Returns: What was not taken; nil if no list has shown a former value.
    /// - Throws: `StoreError`, `DatabaseError`.
    package func takeFormerValues(of row: RowReference) throws -> NotTakenChange? {
        let run = try run(from: .object, omittingNulls: false)
        let entity = try run.entity(named: row.entity)
        let table = entity.plan.entity.table
        guard let resolver = run.resolver else { return nil }
        let shown = try AcknowledgedChanges(run.writer.db, run.layout)
            .shownFormers(of: row.number, in: table)
        try JSONDocument(Array("{}".utf8)).withRoot { root in
            var context = ObjectContext(operations: run.options.permitted)
            context.row = .number(row.number)
            let object = ObjectImport(root, of: entity, context: context, in: run)
            try object.write(shown, to: row.number, by: resolver)
        }
        for (property, former) in shown {
            guard let relationship = run.layout.relationships[property.name] else { continue }
            if property == .order(of: relationship), let order = ListOrder(former) {
                try resolver.decideOrder(relationship, of: row.number, shownAs: order.rows)
                try run.writer.arrange(relationship, of: row.number, like: order)
                continue
            }
            guard property.member > 0 else {
                try takeFormerParts(of: relationship, former, of: row, in: run)
                continue
            }
            let isLinked = former == 1.databaseValue
            if isLinked {
                try run.writer.link(relationship, of: row.number, to: property.member)
            } else {
                try run.writer.unlink(relationship, of: row.number, from: property.member)
            }
        }
        try run.writer.finish()
        try resolver.recordNotTaken()
        return resolver.notTaken.first { $0.row.number == row.number }
    }

    /// Merges the objects that a row contained at the service before, as if its object had them.
    private func takeFormerParts(
        of relationship: RelationshipLayout,
        _ former: DatabaseValue,
        of row: RowReference,
        in run: ImportRun
    ) throws {
        guard run.layout.entities[relationship.destination].key.isEmpty else { return }
        var text = String.fromDatabaseValue(former)
        if text == nil {
            // It contained none: its object has the name with null.
            let local = try run.importer.text(of: relationship, row, run.reader)
            text = try JSONDocument(Array(local.utf8)).withRoot { root in
                guard let name = root.members.first(where: { _ in true })?.name else { return nil }
                var json = JSONWriter()
                json.beginObject()
                json.key(name.string)
                json.null()
                json.endObject()
                return String(decoding: json.bytes, as: UTF8.self)
            }
        }
        guard let text else { return }
        try JSONDocument(Array(text.utf8), limits: run.importer.limits.json).withRoot { object in
            try merge(object, into: row, lists: nil, in: run)
        }
    }

    /// Restores a row whose deletion the service has accepted and not done, and records that.
    ///
    /// - Parameters:
    ///   - object: The object; nil if it cannot be read.
    ///   - deletion: The deletion.
    ///   - omitsNulls: Whether the object leaves out what is null.
    /// - Throws: `StoreError`, `DatabaseError`.
    package func restore(
        _ object: JSONNode?,
        deletedBy deletion: CapturedChange,
        omittingNulls omitsNulls: Bool
    ) throws {
        let run = try run(from: .object, omittingNulls: omitsNulls)
        guard let resolver = run.resolver else { return }
        let versions = deletion.base.compactMap { base -> ConflictLog.Versions? in
            guard case .column(let column) = base.property, base.member == 0 else { return nil }
            return ConflictLog.Versions(
                property: column,
                base: base.value,
                local: .null,
                remote: base.value,
                kept: base.value
            )
        }
        try resolver.record(
            .notTaken,
            of: deletion.row,
            in: deletion.table,
            versions,
            decision: ConflictDecision(.remote, by: DeletePolicy.remoteWins)
        )
        let number = try AcknowledgedChanges(run.writer.db, run.layout)
            .reopenDeletion(of: deletion.row, in: deletion.table)
        guard let number, let change = try run.reader.capturedChanges([number]).first else {
            return
        }
        // Without a parent that was deleted as well, the row has no place: a list inserts it again.
        guard try run.writer.mayRestore(change) else { return try resolver.unpushed.remove(number) }
        try run.writer.restore(change)
        try run.writer.finish()
        if let object { try merge(object, into: deletion.row, omittingNulls: omitsNulls) }
    }

    /// Deletes a row that a complete list lacks, and whose object does not exist.
    package func deleteUnlisted(_ row: RowReference) throws {
        let run = try run(from: .object, omittingNulls: false)
        let table = try run.layout.entity(row.entity).table
        var rows = [table: [row.number]]
        try run.resolver?.spare(&rows, with: run.writer)
        try run.delete(rows)
        try run.writer.finish()
    }
}

extension ObjectImport {
    /// Writes former values as if the object had them.
    fileprivate func write(
        _ shown: [AcknowledgedChange.Property: DatabaseValue],
        to row: Int64,
        by resolver: ConflictResolver
    ) throws {
        for slot in entity.plan.slots.indices {
            guard let value = shown[.init(column(ofSlot: slot))] else { continue }
            frame.set(run.arena.stored(value), slot: slot)
        }
        guard var found = try entity.rows.compare(row, with: frame, isTyped: false) else { return }
        try merge(&found, by: resolver)
        try update(found)
    }
}
