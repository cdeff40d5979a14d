import GRDB
import TidemarkModel
import TidemarkStore

/// The versions of a property, as a conflict record contains them.
struct StoredVersions: Sendable, Hashable {
    /// The column of the property, or the identifier of a relationship.
    let column: String

    /// The row on the other side of a link; 0 for a column, and for a relationship whose objects
    /// have no primary key; ``ListOrder/member`` for the order of a list.
    let member: Int64

    let base: DatabaseValue
    let local: DatabaseValue
    let remote: DatabaseValue
    let kept: DatabaseValue

    /// Reads the versions of a conflict's properties.
    static func of(_ conflict: Int64, _ db: Database) throws -> [StoredVersions] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT property, member, base, local, remote, kept \
                    FROM _tidemark_conflict_value \
                    WHERE conflict = ? AND member >= ? ORDER BY property, member
                    """
            ),
            arguments: [conflict, ListOrder.member]
        )
        .map {
            StoredVersions(
                column: $0[0],
                member: $0[1],
                base: $0[2],
                local: $0[3],
                remote: $0[4],
                kept: $0[5]
            )
        }
    }

    /// Returns the versions of a conflict as an app sees them: those of a list's links together.
    ///
    /// The versions of its order are whole lists, which show the links as well.
    static func properties(
        _ stored: [StoredVersions],
        of entity: EntityLayout,
        in layout: StoreLayout
    ) -> [Conflict.Property] {
        let links = Dictionary(grouping: stored.filter(\.isLink), by: \.column)
        let ordered = Set(stored.filter(\.isOrder).map(\.column))
        return stored.compactMap { versions in
            guard versions.isLink || versions.isOrder else {
                return versions.property(of: entity, in: layout)
            }
            let list = links[versions.column] ?? []
            guard versions.isOrder || list.first == versions && !ordered.contains(versions.column),
                let relationship = layout.relationships[versions.column]
            else { return nil }
            let destination = layout.entities[relationship.destination].name
            func rows(_ version: KeyPath<StoredVersions, DatabaseValue>) -> Conflict.Version {
                let order = versions.isOrder ? ListOrder(versions[keyPath: version]) : nil
                let linked = list.filter { $0[keyPath: version] == 1.databaseValue }.map(\.member)
                return .rows((order?.rows ?? linked).map { RowReference(destination, $0) })
            }
            return Conflict.Property(
                name: relationship.relationship.name,
                base: rows(\.base),
                local: rows(\.local),
                remote: rows(\.remote),
                kept: rows(\.kept)
            )
        }
    }

    /// Whether these are the versions of a link: 1 if the rows were linked, 0 if they were not.
    var isLink: Bool { member > 0 }

    /// Whether these are the versions of a list's order: a ``ListOrder`` each.
    var isOrder: Bool { member == ListOrder.member }

    /// Returns the versions as an app sees them; nil for a column that is not that of a property.
    private func property(of entity: EntityLayout, in layout: StoreLayout) -> Conflict.Property? {
        if let relationship = layout.relationships[column]?.relationship {
            return property(named: relationship.name) { value in
                .objects(String.fromDatabaseValue(value) ?? "{}")
            }
        }
        let columns = layout.tables[entity.table].columns
        guard let index = columns.firstIndex(where: { $0.name == column }) else { return nil }
        if let attribute = entity.attributes.first(where: { $0.column == index })?.attribute {
            return property(named: attribute.name) { .value(Value($0, type: attribute.type)) }
        }
        let relationship = entity.relationships.first {
            if case .column(index) = $0.storage { true } else { false }
        }
        guard let relationship else { return nil }
        let destination = layout.entities[relationship.destination].name
        return property(named: relationship.relationship.name) { value in
            .row(Int64.fromDatabaseValue(value).map { RowReference(destination, $0) })
        }
    }

    private func property(
        named name: String,
        _ version: (DatabaseValue) -> Conflict.Version
    ) -> Conflict.Property? {
        // The values of a deleted row that never had any say nothing.
        guard [base, local, remote].contains(where: { !$0.isNull }) else { return nil }
        return Conflict.Property(
            name: name,
            base: version(base),
            local: version(local),
            remote: version(remote),
            kept: version(kept)
        )
    }
}
