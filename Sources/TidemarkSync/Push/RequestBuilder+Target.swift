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
        let key = try reader.knownKey(of: change, entity) ?? []
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
            let number = try reader.value(of: column, in: KnownRow(change))
                .flatMap(Int64.fromDatabaseValue)
        else { return [:] }
        let parent = try reader.layout.entity(path.parent)
        let key = try reader.key(of: KnownRow(number: number, table: parent.table), parent)
        let names = resource.parentKeys.map { $0.joined(separator: ".") }
        guard let key else { return [:] }
        return Dictionary(
            zip(names, path.parts).map { name, part in (name, key[part].requestText) },
            uniquingKeysWith: { first, _ in first }
        )
    }
}
