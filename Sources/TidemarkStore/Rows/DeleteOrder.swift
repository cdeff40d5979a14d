import TidemarkModel

/// The order in which rows of several tables are deleted: referring rows come before the rows they
/// refer to, so that SQLite's own cascades have nothing left to delete.
///
/// SQLite runs cascades as nested triggers, and fails at a depth of more than 1,000 rows
/// (`SQLITE_MAX_TRIGGER_DEPTH`).
struct DeleteOrder {
    /// For each table, the tables that it refers to with `ON DELETE CASCADE`.
    private let parents: [Int: Set<Int>]

    /// For each table, the columns with `ON DELETE CASCADE` that are part of a cycle of references,
    /// within the table or through others.
    ///
    /// No order avoids those cascades, so these columns are cleared first.
    let circular: [Int: [Int]]

    init(_ layout: StoreLayout) {
        let indexes = Dictionary(
            uniqueKeysWithValues: layout.tables.enumerated().map { ($0.element.name, $0.offset) }
        )
        var references: [(table: Int, column: Int, parent: Int)] = []
        for (table, content) in layout.tables.enumerated() {
            for (column, definition) in content.columns.enumerated() {
                guard case .reference(let reference) = definition.content,
                    reference.onDelete == .cascade, let parent = indexes[reference.table]
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

    /// Returns the rows by table, in the order in which the tables are deleted from.
    func sorted(_ rows: [Int: RowSet]) -> [(table: Int, rows: RowSet)] {
        var rest = rows.keys.sorted()
        var sorted: [Int] = []
        while !rest.isEmpty {
            // Tables in a cycle have no order; their columns are cleared before.
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
