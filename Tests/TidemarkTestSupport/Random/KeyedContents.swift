import GRDB
import TidemarkModel
package import TidemarkStore

/// The contents of a store with rows identified by their keys, equal for stores into which the same
/// rows were inserted in another order.
///
/// A row without a key is identified by its values. Unordered to-many lists are sorted. For ordered
/// lists only the order is compared, not the stored positions.
package struct KeyedContents {
    /// The contents as text, with one line for each row and each unresolved reference.
    package let text: String

    /// Reads the contents of a store.
    package init(_ store: Store) throws {
        text = try store.writer.read { db in try Self.lines(db, store).sorted() }
            .joined(separator: "\n")
    }

    private static func lines(_ db: Database, _ store: Store) throws -> [String] {
        var names: [RowReference: String] = [:]
        var records: [StoredRecord] = []
        for table in store.layout.tables {
            records += try store.read(in: db) { reader in
                try reader.fetch(RecordRequest(table.name, links: .all))
            }
        }
        for record in records {
            names[record.reference] = try name(record, store)
        }
        var lines = try records.map { record in
            let entity = try store.layout.entity(record.reference.entity)
            let values = entity.attributes.map(\.attribute.name).map { "\($0)=\(record[$0])" }
            let links = entity.relationships.map { relationship in
                let name = relationship.relationship.name
                let others = (record.links[name] ?? []).map { names[$0] ?? "\($0)?" }
                let list = relationship.relationship.isOrdered ? others : others.sorted()
                return "\(name)=[\(list.joined(separator: " "))]"
            }
            return "\(names[record.reference] ?? "?"): \((values + links).joined(separator: " "))"
        }
        let owners = try Dictionary(
            records.map { record in
                let table = try store.layout.entity(record.reference.entity).table
                return ("\(table)#\(record.reference.number)", names[record.reference] ?? "?")
            },
            uniquingKeysWith: { first, _ in first }
        )
        lines += try unresolved(db, store, owners)
        return lines
    }

    private static func unresolved(
        _ db: Database,
        _ store: Store,
        _ owners: [String: String]
    ) throws -> [String] {
        try Row.fetchAll(db, sql: "SELECT relationship, owner, quote(\"key\") FROM _tidemark_held")
            .map { row in
                let relationship: String = row[0]
                let owner: Int64 = row[1]
                let entity = relationship.prefix { $0 != "." }
                let table = try store.layout.entity(String(entity)).table
                let name = owners["\(table)#\(owner)"] ?? "deleted"
                return "unresolved: \(relationship) of \(name) for \(row[2] as String)"
            }
    }

    private static func name(_ record: StoredRecord, _ store: Store) throws -> String {
        let entity = try store.layout.entity(record.reference.entity)
        let key = entity.key.compactMap { column in
            entity.attributes.first { $0.column == column }.map { record[$0.attribute.name] }
        }
        let isKeyed = !key.isEmpty && !key.contains(.null)
        let values = isKeyed ? key : entity.attributes.map { record[$0.attribute.name] }
        return "\(entity.name)(\(values.map { "\($0)" }.joined(separator: ",")))"
    }
}
