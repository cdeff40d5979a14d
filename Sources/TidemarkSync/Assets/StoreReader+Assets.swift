import GRDB
import TidemarkModel
import TidemarkStore

/// A file of this device that the request of a change would refer to.
struct LocalAsset: Sendable, Hashable {
    /// The attribute that contains it.
    let attribute: String

    let name: AssetName
}

extension StoreReader {
    /// Returns the files of this device that a change refers to, and that the service does not
    /// have.
    ///
    /// - Parameter change: The change of a row.
    /// - Returns: The files; none if the change does not send their attributes.
    /// - Throws: `StoreError` if the model lacks the entity; `DatabaseError`.
    func localAssets(of change: CapturedChange) throws -> [LocalAsset] {
        guard change.kind != .delete, change.state == .pending else { return [] }
        let entity = try layout.entity(change.row.entity)
        let attributes = entity.attributes.filter {
            $0.isAsset && $0.attribute.json.isExportable
        }
        guard !attributes.isEmpty,
            let record = try record(change.row.number, of: entity, links: .none)
        else { return [] }
        let found = attributes.compactMap { attribute -> LocalAsset? in
            let name = attribute.attribute.name
            guard case .uri(let text) = record[name] else { return nil }
            return AssetName(reference: text).map { LocalAsset(attribute: name, name: $0) }
        }
        guard change.kind == .update, !found.isEmpty else { return found }
        let changed = try changedProperties(of: change)
        return found.filter { changed.contains($0.attribute) }
    }
}
