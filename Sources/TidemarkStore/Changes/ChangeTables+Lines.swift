import GRDB
import TidemarkModel

/// A queued change.
struct ChangeLine {
    /// The position of the line in the queue.
    let number: Int64
    let commit: Int
    /// The index of the layout by which it was written.
    let layout: Int
    let kind: RowChange.Kind
    let entity: String
    let row: Int64
    let properties: Set<String>
    /// The values of the primary key, followed by nulls.
    let keys: [DatabaseValue]

    /// Returns the change with the names and types of the model.
    func change(_ layouts: [StoreLayout]) throws -> RowChange {
        let entity = try layouts[layout].entity(self.entity)
        return RowChange(
            kind,
            of: self.entity,
            row: row,
            key: key(entity),
            properties: names(entity)
        )
    }

    private func key(_ entity: EntityLayout) -> RecordKey? {
        let parts = zip(entity.keyParts, keys).map { Value($1, type: $0.attribute.type) }
        return parts.isEmpty || parts.contains(.null) ? nil : RecordKey(parts)
    }

    /// Returns the names in the order of the model, followed by those that the entity does not
    /// have, such as attributes that a migration dropped.
    private func names(_ entity: EntityLayout) -> [String] {
        let known =
            entity.attributes.map(\.attribute.name)
            + entity.relationships.map(\.relationship.name)
        return known.filter(properties.contains) + properties.subtracting(known).sorted()
    }
}

extension ChangeTables {
    /// Returns the lines after a position, up to an end and a limit.
    func lines(
        _ db: Database,
        after position: Int64,
        upTo end: Int64,
        limit: Int
    ) throws -> [ChangeLine] {
        let rows = try Row.fetchAll(
            db,
            sql: "SELECT * FROM \(line) WHERE _id > ? AND _id <= ? ORDER BY _id LIMIT ?",
            arguments: [position, end, limit]
        )
        return rows.map { row in
            let properties: String = row["properties"]
            return ChangeLine(
                number: row["_id"],
                commit: row["number"],
                layout: row["layout"],
                kind: Self.kinds[row["change"]],
                entity: row["entity"],
                row: row["row"],
                properties: Set(properties.split(separator: "\u{1F}").map(String.init)),
                // The columns of the key follow the seven fixed ones.
                keys: Array(row.databaseValues.dropFirst(7))
            )
        }
    }

    /// The kinds by their number in the column `change`.
    private static let kinds: [RowChange.Kind] = [.insert, .update, .delete]

    /// Deletes the lines up to a position.
    func deleteLines(_ db: Database, upTo number: Int64) throws {
        try db.execute(sql: "DELETE FROM \(line) WHERE _id <= ?", arguments: [number])
    }
}
