import TidemarkModel

/// The order in which rows are removed whose tables refer to each other: who refers goes first, so
/// that SQLite's own cascades find nothing left to do.
///
/// They follow a chain of rows to a depth of a thousand and then give up.
struct DeleteOrder {
    /// The tables that a table's rows go with, by SQLite's own action.
    private let parents: [Int: Set<Int>]

    /// The columns of cascades that lead back to their own table, at once or by way of others: no
    /// order would do for those.
    let circular: [Int: [Int]]

    init(_ layout: StoreLayout) {
        let places = Dictionary(
            uniqueKeysWithValues: layout.tables.enumerated().map { ($0.element.name, $0.offset) }
        )
        var references: [(table: Int, column: Int, parent: Int)] = []
        for (table, content) in layout.tables.enumerated() {
            for (column, definition) in content.columns.enumerated() {
                guard case .reference(let reference) = definition.content,
                    reference.onDelete == .cascade, let parent = places[reference.table]
                else { continue }
                references.append((table, column, parent))
            }
        }
        var parents: [Int: Set<Int>] = [:]
        for reference in references {
            parents[reference.table, default: []].insert(reference.parent)
        }
        var circular: [Int: [Int]] = [:]
        for reference in references
        where Self.leads(from: reference.parent, to: reference.table, parents) {
            circular[reference.table, default: []].append(reference.column)
        }
        self.parents = parents
        self.circular = circular
    }

    private static func leads(from start: Int, to end: Int, _ parents: [Int: Set<Int>]) -> Bool {
        var known: Set<Int> = [start]
        var open = [start]
        while let table = open.popLast() {
            if table == end { return true }
            open += (parents[table] ?? []).filter { known.insert($0).inserted }
        }
        return false
    }

    /// The rows of each table, those first that refer to others.
    func sorted(_ rows: [Int: RowSet]) -> [(table: Int, rows: RowSet)] {
        var rest = rows.keys.sorted()
        var sorted: [Int] = []
        while !rest.isEmpty {
            let next =
                rest.first { table in
                    !rest.contains { $0 != table && parents[$0]?.contains(table) == true }
                } ?? rest[0]
            rest.removeAll { $0 == next }
            sorted.append(next)
        }
        return sorted.compactMap { table in rows[table].map { (table, $0) } }
    }
}
