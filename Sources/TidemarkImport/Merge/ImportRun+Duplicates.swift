import GRDB
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// Rows that turn out to be the same object.
extension ImportRun {
    /// Returns the row that has the key of an object, if the object's own row has none yet.
    func duplicate(
        of row: RowReference,
        _ object: JSONNode,
        _ entity: EntityImport
    ) throws -> Int64? {
        guard try isDraft(row.number, of: entity) else { return nil }
        defer { log.takeBackItem() }
        let read = try read(object, entity)
        guard entity.plan.key.allSatisfy({ read.frame.isGiven[$0] }) else { return nil }
        let found = try entity.rows.compare(byStoredKey: read.frame, isTyped: false)?.number
        return found == row.number ? nil : found
    }

    /// Makes one row of two: see `StoreWriter.deduplicate`.
    func deduplicate(
        _ duplicate: Int64,
        into row: RowReference,
        _ entity: EntityImport,
        keeping changed: Set<String>
    ) throws {
        let table = entity.plan.entity.table
        try writer.deduplicate(duplicate, into: row.number, in: table, keeping: changed)
        try resolver?.unpushed.move(from: duplicate, to: row.number, in: table)
    }
}

extension ConflictResolver {
    /// Makes the values of a duplicate the base of what was changed in a row since its creation was
    /// sent, and returns the columns.
    func adoptBase(
        of duplicate: Int64,
        for row: Int64,
        in table: Int
    ) throws -> Set<String> {
        guard let open = try unpushed.changes(of: row, in: table)?.open,
            let stored = try unpushed.storedRow(duplicate, in: table)
        else { return [] }
        let changed = try unpushed.columns(of: open).keys
        // The duplicate may have been changed, too.
        let other = try unpushed.changes(of: duplicate, in: table)?.open
        let known = try other.map(unpushed.columns) ?? [:]
        for column in changed {
            let value = known[column] ?? stored[column] as DatabaseValue
            try unpushed.setBase(value, of: column, in: open)
        }
        return Set(changed)
    }
}
