import GRDB
import TidemarkStore

/// The links that a conflict is about.
extension ConflictedRow {
    /// Returns whether the service has linked a row, as a base value says it.
    func knownLink(_ link: StoredVersions) throws -> DatabaseValue? {
        let base = change?.base.first {
            $0.property == .links(link.column) && $0.member == link.member
        }
        if let base { return base.value }
        guard let relationship = store.layout.relationships[link.column] else { return nil }
        let linked = try StoreReader.prepare(db, in: store).linked(relationship, of: row)
        return (linked.contains(link.member) ? 1 : 0).databaseValue
    }

    /// Links and unlinks rows; those that do not exist any more stay without a link.
    func writeLinks(_ chosen: [Chosen]) throws {
        let links = chosen.filter { $0.member != 0 }
        guard !links.isEmpty else { return }
        try store.write(in: db) { writer in
            for link in links {
                guard let relationship = store.layout.relationships[link.column],
                    try writer.exists(
                        link.member,
                        of: store.layout.entities[relationship.destination]
                    )
                else { continue }
                if link.value == 1.databaseValue {
                    try writer.link(relationship, of: row, to: link.member)
                } else {
                    try writer.unlink(relationship, of: row, from: link.member)
                }
            }
        }
    }
}
