import GRDB
import TidemarkModel

/// Errors for local writes that violate a unique constraint.
extension StoreWriter {
    /// Writes a row.
    ///
    /// If another row has the same value of a unique attribute or the same primary key, throws an
    /// error that identifies that row.
    ///
    /// - Parameters:
    ///   - row: The row number; nil for a row to be inserted.
    ///   - entity: The entity of the row.
    ///   - assignments: The values to be written, by column.
    ///   - body: Writes the row.
    /// - Throws: ``StoreError/Code/duplicate``, and errors that `body` throws.
    func rejectingDuplicates(
        of row: Int64?,
        entity: EntityLayout,
        assigning assignments: @autoclosure () -> [Int: Value],
        _ body: () throws -> Void
    ) throws {
        do {
            try body()
        } catch let error as DatabaseError
            where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE
        {
            throw try duplicate(of: row, entity: entity, assigning: assignments()) ?? error
        }
    }

    private func duplicate(
        of row: Int64?,
        entity: EntityLayout,
        assigning assignments: [Int: Value]
    ) throws -> StoreError? {
        let table = layout.tables[entity.table]
        // SQLite's message names the columns, but not the row that has the value.
        for columns in table.keys + table.uniques {
            let values = try columns.map { column in
                try assignments[column]?.databaseValue ?? stored(column, of: row, in: entity.table)
            }
            // NULL values are distinct from each other in a unique index.
            guard !values.contains(where: \.isNull),
                let other = try holder(of: values, in: columns, except: row, table: entity.table)
            else { continue }
            let isKey = table.keys.contains(columns)
            let names = columns.compactMap(entity.name(ofAttribute:)).joined(separator: ", ")
            return isKey
                ? StoreError(
                    .duplicate,
                    "\(entity.name):\(Self.key(values).text) already exists: it is "
                        + "\(entity.name)#\(other).",
                    hint: "Update that row, or choose another key."
                )
                : StoreError(
                    .duplicate,
                    "\(entity.name).\(names): \(entity.name)#\(other) already has this value, "
                        + "which must be unique."
                )
        }
        return nil
    }

    private func stored(_ column: Int, of row: Int64?, in table: Int) throws -> DatabaseValue {
        guard let row else { return .null }
        return try DatabaseValue.fetchOne(
            db,
            sql: "SELECT \(name(of: column, in: table)) FROM \(name(of: table)) WHERE _id = ?",
            arguments: [row]
        ) ?? .null
    }

    private func holder(
        of values: [DatabaseValue],
        in columns: [Int],
        except row: Int64?,
        table: Int
    ) throws -> Int64? {
        let conditions = columns.map { "\(name(of: $0, in: table)) = ?" }
        return try Int64.fetchOne(
            db,
            sql: """
                SELECT _id FROM \(name(of: table)) \
                WHERE \(conditions.joined(separator: " AND ")) AND _id IS NOT ?
                """,
            arguments: StatementArguments(values + [row.databaseValue])
        )
    }

    private static func key(_ parts: [DatabaseValue]) -> RecordKey {
        RecordKey(
            parts.map { part in
                switch part.storage {
                case .null, .blob: .null
                case .int64(let number): .integer(number)
                case .double(let number): .double(number)
                case .string(let text): .string(text)
                }
            }
        )
    }
}
