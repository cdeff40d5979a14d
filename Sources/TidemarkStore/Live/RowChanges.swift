import TidemarkModel

/// The rows that transactions have changed, as far as live results have to know.
///
/// It may contain rows that have not changed, such as those of a savepoint that was rolled back:
/// each row is read again.
struct RowChanges: Sendable {
    /// The changes of a table, by its name.
    private(set) var tables: [String: Table] = [:]

    /// The rows that lost a link, by the end of the links.
    private(set) var endpoints: [LinkEndpoint: Set<Int64>] = [:]

    /// Whether any row may have changed: another process has written, or there are too many.
    private(set) var isUnspecific = false

    /// The changes of a table.
    struct Table: Sendable {
        /// The rows that were inserted or deleted.
        var present: Set<Int64> = []

        /// The rows with other values.
        var updated: Set<Int64> = []

        /// The columns of them that have changed in any row; nil for all columns.
        var columns: ColumnMask? = ColumnMask()
    }

    /// The number of rows from which on it is faster to read all of them.
    static let limit = 25_000

    /// Whether nothing has changed.
    var isEmpty: Bool { !isUnspecific && tables.isEmpty && endpoints.isEmpty }

    /// Everything may have changed.
    static var unspecific: RowChanges {
        var changes = RowChanges()
        changes.makeUnspecific()
        return changes
    }

    mutating func makeUnspecific() {
        tables = [:]
        endpoints = [:]
        isUnspecific = true
    }

    /// Adds the changes that a writer has recorded.
    mutating func add(_ changes: StoreChanges) {
        for name in changes.tableNames where !isUnspecific {
            guard let table = changes.table(ifChanged: name) else { continue }
            let count = table.inserted.count + table.deleted.count + table.updated.count
            guard count <= Self.limit else { return makeUnspecific() }
            var own = tables[name] ?? Table()
            own.present.formUnion(table.inserted.rows)
            own.present.formUnion(table.deleted.rows)
            own.updated.formUnion(table.updated.rows)
            own.columns?.formUnion(table.updatedColumns)
            // The entity of a row is in no column of the model.
            if !table.retyped.isEmpty { own.columns = nil }
            tables[name] = own
        }
    }

    /// Adds a row that SQL has inserted or deleted.
    mutating func add(present row: Int64, in table: String) {
        guard !isUnspecific else { return }
        tables[table, default: Table()].present.insert(row)
        limit(tables[table]?.present.count)
    }

    /// Adds a row that SQL has updated.
    mutating func add(updated row: Int64, in table: String) {
        guard !isUnspecific else { return }
        tables[table, default: Table()].updated.insert(row)
        tables[table]?.columns = nil
        limit(tables[table]?.updated.count)
    }

    /// Adds a row that has lost a link, or was deleted.
    mutating func add(endpoint row: Int64, of link: LinkEndpoint) {
        guard !isUnspecific else { return }
        endpoints[link, default: []].insert(row)
        limit(endpoints[link]?.count)
    }

    private mutating func limit(_ count: Int?) {
        if count ?? 0 > Self.limit { makeUnspecific() }
    }

    /// Adds other changes.
    mutating func formUnion(_ other: RowChanges) {
        guard !isUnspecific else { return }
        guard !other.isUnspecific else { return makeUnspecific() }
        for (name, table) in other.tables {
            var own = tables[name] ?? Table()
            own.present.formUnion(table.present)
            own.updated.formUnion(table.updated)
            if let columns = table.columns {
                own.columns?.formUnion(columns)
            } else {
                own.columns = nil
            }
            tables[name] = own
        }
        for (link, rows) in other.endpoints { endpoints[link, default: []].formUnion(rows) }
        let counts =
            tables.values.map { $0.present.count + $0.updated.count }
            + endpoints.values.map(\.count)
        limit(counts.reduce(0, +))
    }
}

/// The end of links at which SQLite does not report that one was removed.
enum LinkEndpoint: Hashable, Sendable {
    /// The rows of a table, which `REPLACE` may delete.
    case row(table: String)
    /// The rows that a column refers to.
    case reference(table: String, column: String)
    /// The owners of the pairs of a join table.
    case owner(join: String)
    /// The members of the pairs of a join table.
    case member(join: String)
}
