import GRDB
import TidemarkModel
import TidemarkStore

import struct Foundation.Date

/// What a list that was read to its end shows about changes.
extension OutboxWriter {
    /// Opens creations again whose outcome was unknown, because their lists were read since and do
    /// not contain the objects.
    ///
    /// An object that resembles one of them may be the same: another client may have changed it
    /// since. Such a creation stays uncertain, because it must not be applied twice.
    ///
    /// - Parameters:
    ///   - entities: The entities whose lists were read to their end.
    ///   - start: When the pull has begun. A request of which a service might still have been
    ///     processing at that time is not decided.
    ///   - reader: A reader of the transaction.
    /// - Returns: The number of creations.
    /// - Throws: `DatabaseError`.
    func reopenUnlisted(
        of entities: Set<String>,
        before start: Date,
        _ reader: StoreReader
    ) throws -> Int {
        let numbers = try Row.fetchAll(
            db,
            sql: """
                SELECT _id, entity FROM _tidemark_change JOIN _tidemark_request ON change = _id \
                WHERE kind = 'create' AND state = 'uncertain' AND lastAttempt < ?
                """,
            arguments: [start.timeIntervalSince1970]
        )
        .filter { entities.contains($0[1]) }.map { $0[0] as Int64 }
        var count = 0
        for change in try reader.capturedChanges(numbers) {
            if let other = try reader.resembling(change) {
                let reason = "the service has an object that resembles it, \(other)"
                try record(Failure(reason: reason), of: change.number, nextAttempt: nil)
                continue
            }
            let failure = Failure(reason: "the list does not contain the object")
            try reopen(change.number, as: .pending(after: nil), because: failure)
            count += 1
        }
        return count
    }
}

extension StoreReader {
    /// Returns a row that the service has sent since a creation, and that has most of its values.
    ///
    /// - Parameter creation: The creation.
    /// - Returns: The row; nil if no row resembles that of the creation.
    /// - Throws: `DatabaseError`.
    fileprivate func resembling(_ creation: CapturedChange) throws -> RowReference? {
        let entity = try layout.entity(creation.row.entity)
        let table = layout.tables[entity.table]
        let compared = entity.attributes.filter { attribute in
            // Most rows have the default, and one of two values.
            !entity.key.contains(attribute.column) && attribute.attribute.json.isExportable
                && attribute.attribute.type != .boolean && attribute.attribute.defaultValue == nil
        }
        .map { table.columns[$0.column].name.quotedDatabaseIdentifier }
        guard !compared.isEmpty else { return nil }
        let given = compared.map { "(o.\($0) IS NOT NULL)" }.joined(separator: " + ")
        let equal = compared.map { "(o.\($0) IS NOT NULL AND o.\($0) IS n.\($0))" }
            .joined(separator: " + ")
        let name = layout.name(of: entity.table)
        let number = try Int64.fetchOne(
            db,
            sql: """
                SELECT n._id FROM \(name) o JOIN \(name) n ON n._id > o._id \
                WHERE o._id = ?1 AND (\(given)) > 0 AND 2 * (\(equal)) >= (\(given)) \
                AND NOT EXISTS (SELECT 1 FROM _tidemark_change c \
                WHERE c.tree = ?2 AND c.row = n._id AND c.kind = 'create') LIMIT 1
                """,
            arguments: [creation.row.number, table.name]
        )
        return number.map { RowReference(creation.row.entity, $0) }
    }
}
