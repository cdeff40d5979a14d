import TidemarkModel
import TidemarkStore

/// The attributes and relationships to print for each row.
struct RecordColumns {
    /// The column names of a table.
    let names: [String]

    /// The names that the user chose; nil for all, including those of inheriting entities.
    let chosen: [String]?

    /// Selects columns.
    ///
    /// - Parameters:
    ///   - list: The names, separated by commas; nil for all.
    ///   - entity: The entity of the rows.
    /// - Throws: ``Failure`` if the entity has no such property.
    init(_ list: String?, of entity: EntityLayout) throws {
        let all =
            entity.attributes.map(\.attribute.name) + entity.relationships.map(\.relationship.name)
        chosen = list.map { $0.split(separator: ",").map(String.init) }
        names = chosen ?? all
        if let unknown = names.first(where: { !all.contains($0) }) {
            throw Failure(
                .usage,
                "--columns: \(entity.name) has no attribute or relationship \(unknown). It has "
                    + "\(all.sorted().joined(separator: ", "))."
            )
        }
        guard !names.isEmpty else {
            throw Failure(.usage, "--columns names no attribute and no relationship.")
        }
    }

    /// Returns the cells of a row, in the order of ``names``.
    func texts(of record: StoredRecord, in cells: RecordCells) throws -> [String] {
        try names.map { name in
            if let value = record.values[name] { return RecordCells.text(value) }
            return try (record.links[name] ?? [])
                .map { RecordCells.text(try cells.key(of: $0)) }.joined(separator: " ")
        }
    }
}
