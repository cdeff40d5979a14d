import TidemarkModel

/// Which relationships make a row without a key a part of another.
struct Containment {
    /// The tables that have rows of entities without a key.
    let keylessTables: Set<Int>

    /// The relationships whose linked rows are deleted with a row of a table, if they have no key
    /// and no other row is linked to them.
    private(set) var contents: [Int: [RelationshipLayout]] = [:]

    /// The relationships by which rows of a table are contained in others.
    private(set) var containers: [Int: [RelationshipLayout]] = [:]

    /// The relationships whose links a column has, by table.
    private(set) var columns: [Int: [Int: [RelationshipLayout]]] = [:]

    init(_ layout: StoreLayout) {
        keylessTables = Set(layout.entities.filter(\.key.isEmpty).map(\.table))
        for relationship in layout.relationships.values {
            if Self.isContainer(relationship, layout) {
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

    /// Whether the rows that a relationship leads to are contained in the rows that have it: it is
    /// not just the way back from a row that they contain themselves.
    private static func isContainer(
        _ relationship: RelationshipLayout,
        _ layout: StoreLayout
    ) -> Bool {
        guard let inverse = layout.inverse(of: relationship), inverse.relationship.isToMany,
            case .inverse = inverse.storage
        else { return true }
        // A member of the row's own list goes with the row, unless it has a key and the row may get
        // one.
        let table = layout.entities[relationship.destination].table
        let mayHaveKey = !layout.tables[table].keys.isEmpty
        return (mayHaveKey || inverse.relationship.deleteRule != .cascade)
            && !layout.tables[relationship.table].keys.isEmpty
    }
}
