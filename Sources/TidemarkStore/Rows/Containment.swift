import TidemarkModel

/// The relationships by which rows contain rows without a primary key.
struct Containment {
    /// The tables of entities without a primary key.
    let keylessTables: Set<Int>

    /// By table, the relationships whose linked rows are deleted with a row of the table, if they
    /// have no primary key and no other row is linked to them.
    private(set) var contents: [Int: [RelationshipLayout]] = [:]

    /// By table, the relationships by which other rows contain rows of the table.
    private(set) var containers: [Int: [RelationshipLayout]] = [:]

    /// By table and column, the relationships whose links are stored in the column.
    private(set) var columns: [Int: [Int: [RelationshipLayout]]] = [:]

    init(_ layout: StoreLayout) {
        keylessTables = Set(layout.entities.filter(\.key.isEmpty).map(\.table))
        for relationship in layout.relationships.values {
            if Self.isContainer(relationship, in: layout) {
                let table = layout.entities[relationship.destination].table
                containers[table, default: []].append(relationship)
            }
            if relationship.relationship.orphans == .delete,
                relationship.relationship.deleteRule != .deny
            {
                contents[relationship.table, default: []].append(relationship)
            }
            switch relationship.storage {
            case .column(let column):
                columns[relationship.table, default: [:]][column, default: []].append(relationship)
            case .inverse(let table, let column, _):
                columns[table, default: [:]][column, default: []].append(relationship)
            case .join:
                continue
            }
        }
    }

    /// Returns whether the linked rows of a relationship are contained in the rows that have it.
    ///
    /// This is false for the inverse of a list: a member of the list does not contain its parent.
    private static func isContainer(
        _ relationship: RelationshipLayout,
        in layout: StoreLayout
    ) -> Bool {
        guard let inverse = layout.inverse(of: relationship), inverse.relationship.isToMany,
            case .inverse = inverse.storage
        else { return true }
        // Deleting a row deletes the members of its own list, so a member does not keep its parent.
        // The exception is a member that may have a primary key: it keeps a parent that may have
        // one too, or whose list has no cascade.
        let table = layout.entities[relationship.destination].table
        let mayHaveKey = !layout.tables[table].keys.isEmpty
        return (mayHaveKey || inverse.relationship.deleteRule != .cascade)
            && !layout.tables[relationship.table].keys.isEmpty
    }
}
