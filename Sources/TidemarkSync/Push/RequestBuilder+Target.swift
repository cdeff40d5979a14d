import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// The objects of changes, as their URLs name them.
extension RequestBuilder {
    /// Returns the target of a change's requests.
    func target(of change: CapturedChange, in resource: RemoteResource) throws -> WriteTarget {
        let entity = try reader.layout.entity(change.row.entity)
        let key = try key(of: change, entity) ?? []
        return WriteTarget(
            resource: resource,
            key: resources.key(key.map(\.requestText), of: change.row.entity),
            parents: try parents(of: change, in: resource)
        )
    }

    /// Returns the values that the path of a list contains: the key of the row to whose list the
    /// service has added the object, or is to add it.
    private func parents(
        of change: CapturedChange,
        in resource: RemoteResource
    ) throws -> [String: String] {
        let entity = try reader.layout.entity(change.row.entity)
        guard let path = resources.parent(of: change.row.entity),
            case .column(let column) = entity.relationship(path.relationship)?.storage,
            let number = try value(of: column, in: known(of: change)).flatMap(
                Int64.fromDatabaseValue
            )
        else { return [:] }
        let parent = try reader.layout.entity(path.parent)
        let key = try key(of: KnownRow(number: number, table: parent.table), parent)
        let names = resource.parentKeys.map { $0.joined(separator: ".") }
        guard let key else { return [:] }
        return Dictionary(
            zip(names, path.parts).map { name, part in (name, key[part].requestText) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Returns the key under which the service knows the object; nil if it has none yet.
    func key(of change: CapturedChange, _ entity: EntityLayout) throws -> [Value]? {
        let known = known(of: change)
        if change.kind != .delete {
            guard let stored = try reader.key(of: change.row.number, entity) else {
                // The row may have been deleted since its request was sent.
                let later = try reader.changeAfterRequest(of: change)
                return try later.flatMap { try $0.kind == .delete ? key(of: $0, entity) : nil }
            }
            let columns = reader.layout.tables[entity.table].columns
            let isChanged = entity.keyParts.contains { part in
                known.base[columns[part.references.first?.column ?? part.column].name] != nil
            }
            if !isChanged { return stored.parts }
        }
        return try key(of: known, entity)
    }

    /// A row, with the values of columns that the service knows although the row has others.
    struct KnownRow {
        var number: Int64
        var table: Int
        var base: [String: DatabaseValue] = [:]
    }

    func known(of change: CapturedChange) -> KnownRow {
        // Those of a creation are links that its request has omitted.
        let base = change.kind == .create ? [] : change.base
        let values = base.compactMap { base -> (String, DatabaseValue)? in
            guard case .column(let name) = base.property, base.member == 0 else { return nil }
            return (name, base.value)
        }
        return KnownRow(
            number: change.row.number,
            table: change.table,
            base: Dictionary(values, uniquingKeysWith: { first, _ in first })
        )
    }

    /// Returns the key that a row has at the service; nil if a part of it is missing.
    private func key(of row: KnownRow, _ entity: EntityLayout) throws -> [Value]? {
        var parts: [Value] = []
        for part in entity.keyParts {
            var current = row
            for reference in part.references {
                let next = try value(of: reference.column, in: current)
                guard let number = next.flatMap(Int64.fromDatabaseValue) else { return nil }
                current = KnownRow(number: number, table: reference.table)
            }
            guard let value = try value(of: part.column, in: current), !value.isNull else {
                return nil
            }
            parts.append(Value(value, type: part.attribute.type))
        }
        return parts.isEmpty ? nil : parts
    }

    /// Returns the value that the service knows of a column, also of a row that was deleted; nil if
    /// there was no such row.
    func value(of column: Int, in row: KnownRow) throws -> DatabaseValue? {
        let layout = reader.layout
        let table = layout.tables[row.table]
        let name = table.columns[column].name
        if let base = row.base[name] { return base }
        let (source, value) = (layout.name(of: row.table), layout.name(of: column, in: row.table))
        let stored = try DatabaseValue.fetchOne(
            reader.db.cachedStatement(sql: "SELECT \(value) FROM \(source) WHERE _id = ?"),
            arguments: [row.number]
        )
        return try stored
            ?? DatabaseValue.fetchOne(
                reader.db.cachedStatement(
                    sql: """
                        SELECT value FROM _tidemark_change c JOIN _tidemark_base ON change = c._id \
                        WHERE tree = ? AND row = ? AND kind = 'delete' AND property = ? \
                        AND member = 0
                        """
                ),
                arguments: [table.name, row.number, name]
            )
    }
}
