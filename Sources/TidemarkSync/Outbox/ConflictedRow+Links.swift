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

    /// Returns the order that the service has in a list; nil if the list has none.
    func knownOrder(_ order: StoredVersions) throws -> ListOrder? {
        guard let relationship = store.layout.relationships[order.column] else { return nil }
        let edits = change.map { $0.kind == .update ? [$0] : [] } ?? []
        return try StoreReader.prepare(db, in: store)
            .order(of: relationship, of: row, before: edits)
    }

    /// Links and unlinks rows, and puts lists into an order; rows that do not exist any more stay
    /// without a link.
    func writeLinks(_ chosen: [Chosen]) throws {
        let links = chosen.filter { $0.member > 0 }
        let orders = chosen.filter { $0.member == ListOrder.member }
        guard !links.isEmpty || !orders.isEmpty else { return }
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
            for chosen in orders {
                guard let relationship = store.layout.relationships[chosen.column],
                    let order = ListOrder(chosen.value)
                else { continue }
                try writer.arrange(relationship, of: row, like: order)
            }
        }
    }

    /// Records which order the service has, if the row has a change with another one.
    func settleOrders(_ chosen: [Chosen]) throws {
        guard let change, change.kind == .update else { return }
        for (chosen, version) in zip(chosen, conflict.stored) where version.isOrder {
            guard let relationship = store.layout.relationships[version.column],
                let remote = ListOrder(version.remote)
            else { continue }
            if chosen.value == version.remote {
                try unpushed?.dropOrder(of: relationship, in: change.number)
            } else {
                try unpushed?.setBase(remote, of: relationship, in: change.number)
            }
        }
    }
}
