import TidemarkModel

/// The rows that a statement joins with those of a request, to sort by their values.
///
/// SQLite sorts by the values of joined rows faster than by those of subqueries.
struct JoinedRows {
    let layout: StoreLayout

    /// The joins, each with a space before it.
    private(set) var sql: SQLText = ""

    /// The aliases of the joined rows, by the names of the relationships that lead to them.
    private var aliases: [[String]: String] = [[]: PredicateSQL.row]

    init(layout: StoreLayout) {
        self.layout = layout
    }

    /// Returns the value at the end of a path that begins at the row of the request.
    mutating func value(_ path: TypedPath) -> SQLText {
        guard case .column(let table, let column) = path.end,
            let alias = join(path.hops[...])
        else { return PredicateSQL(layout: layout).value(path) }
        return "\(sql: alias).\(sql: layout.name(of: column, in: table))"
    }

    /// Joins the rows that references lead to, and returns the alias of the last one.
    ///
    /// Returns nil if the referring row is at the other end of a relationship.
    private mutating func join(_ hops: ArraySlice<RelationshipLayout>) -> String? {
        let names = hops.map(\.relationship.name)
        if let alias = aliases[names] { return alias }
        guard let hop = hops.last, case .column(let column) = hop.storage,
            let row = join(hops.dropLast())
        else { return nil }
        // No other alias begins like this: see ``PredicateSQL/row``.
        let alias = "_s\(aliases.count)"
        let table = layout.name(of: layout.entities[hop.destination].table)
        let reference = layout.name(of: column, in: hop.table)
        sql.append(
            """
             LEFT JOIN \(sql: table) AS \(sql: alias) \
            ON \(sql: alias)._id = \(sql: row).\(sql: reference)
            """
        )
        aliases[names] = alias
        return alias
    }
}
