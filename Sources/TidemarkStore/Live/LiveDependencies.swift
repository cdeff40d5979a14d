import GRDB
import TidemarkModel

/// The tables and columns that a live result is computed from, and how its rows lead to them.
struct LiveDependencies: Sendable {
    private let layout: StoreLayout

    /// The paths from the rows of the request to other rows, by the relationships on them; the
    /// empty path is that of the rows themselves.
    private var paths: [[String]: Path]

    /// The columns, by table, that determine which row a locator in the predicate means: such a
    /// change may concern all rows of the request.
    private var located: [Int: ColumnMask] = [:]

    /// Whether the predicate contains SQL, whose tables are not known.
    private(set) var isOpaque = false

    private struct Path: Sendable {
        let hops: [RelationshipLayout]
        let table: Int
        /// The columns whose values are read at the end of the path, or that lead further.
        var columns = ColumnMask()

        /// The relationship that leads to the end.
        var link: RelationshipLayout? { hops.last }
    }

    /// Creates the dependencies of a request without conditions and values.
    init(on entity: EntityLayout, in layout: StoreLayout) {
        self.layout = layout
        paths = [[]: Path(hops: [], table: entity.table)]
    }

    // MARK: Building

    /// Adds the rows at the end of a path: their links, not their values.
    mutating func add(_ hops: [RelationshipLayout]) {
        for length in hops.indices {
            let prefix = Array(hops[...length])
            let key = prefix.map(\.identifier)
            let hop = hops[length]
            if paths[key] == nil {
                paths[key] = Path(hops: prefix, table: layout.entities[hop.destination].table)
            }
            switch hop.storage {
            case .column(let column): paths[key.dropLast()]?.columns.insert(column)
            case .inverse(_, let column, _): paths[key]?.columns.insert(column)
            case .join: break
            }
        }
    }

    /// Adds the values of a column of the rows at the end of a path.
    mutating func add(column: Int, at hops: [RelationshipLayout]) {
        add(hops)
        paths[hops.map(\.identifier)]?.columns.insert(column)
    }

    /// Adds the order of the rows at the end of a path.
    mutating func add(orderOf hops: [RelationshipLayout]) {
        guard case .inverse(_, _, let position?) = hops.last?.storage else { return }
        add(column: position, at: hops)
    }

    /// Adds the condition and the order of a request for the rows at the end of a path.
    mutating func add(
        _ request: RecordRequest,
        of entity: EntityLayout,
        at hops: [RelationshipLayout] = []
    ) throws {
        if let predicate = try request.predicate?.typed(for: entity, in: layout) {
            add(predicate, rows: [hops])
        }
        for key in request.sort {
            add(try RequestSQL.value(at: key.path, of: entity, in: layout).path, rows: [hops])
        }
    }

    /// Adds the properties of a record type, of the rows at the end of a path.
    mutating func add(_ binding: EntityBinding, at hops: [RelationshipLayout] = []) {
        for name in binding.names {
            if let attribute = binding.entity.attribute(name) {
                add(column: attribute.column, at: hops)
            } else if let relationship = binding.entity.relationship(name) {
                add(hops + [relationship])
            }
        }
    }

    /// Adds what a typed request reads of the rows at the end of a path.
    mutating func add<Record>(
        _ request: EntityRequest<Record>,
        at hops: [RelationshipLayout] = []
    ) throws {
        let binding = try layout.binding(of: Record.self)
        add(hops)
        add(binding, at: hops)
        try add(request.record, of: binding.entity, at: hops)
        for inclusion in request.inclusions { try inclusion.depend(&self, hops, layout) }
    }

    /// Adds a condition.
    ///
    /// - Parameters:
    ///   - predicate: The condition.
    ///   - rows: The paths to the rows that it refers to, by the depths of ``TypedPath/Origin``.
    private mutating func add(_ predicate: TypedPredicate, rows: [[RelationshipLayout]]) {
        switch predicate {
        case .constant: break
        case .not(let part): add(part, rows: rows)
        case .all(let parts), .any(let parts): for part in parts { add(part, rows: rows) }
        case .exists(let origin, let hops, let part):
            let linked = rows[origin.depth] + hops
            add(linked)
            add(part, rows: rows + [linked])
        case .sql: isOpaque = true
        case .test(let test):
            for operand in [test.left] + test.operands { add(operand, rows: rows) }
        }
    }

    private mutating func add(_ operand: TypedOperand, rows: [[RelationshipLayout]]) {
        switch operand.content {
        case .value: break
        case .path(let path): add(path, rows: rows)
        case .row(let entity, let identifier):
            // A number means the same row while that exists, and a deleted row loses its links.
            if case .number = identifier, entity.family == nil { return }
            // The key of a row changes with that of a parent in it.
            if entity.hasParentInKey { isOpaque = true }
            var columns = located[entity.table] ?? ColumnMask()
            for column in entity.key { columns.insert(column) }
            located[entity.table] = columns
        }
    }

    private mutating func add(_ path: TypedPath, rows: [[RelationshipLayout]]) {
        let hops = rows[path.origin.depth] + path.hops
        add(hops)
        switch path.end {
        case .row: break
        case .column(_, let column): add(column: column, at: hops)
        case .count(let relationship, let condition):
            add(hops + [relationship])
            if let condition { add(condition, rows: rows + [hops + [relationship]]) }
        }
    }

    // MARK: Tables

    /// The ends of links whose removal must be recorded, because the new state does not show it.
    var endpoints: Set<LinkEndpoint> {
        var endpoints: Set<LinkEndpoint> = []
        for path in paths.values {
            endpoints.insert(.row(table: layout.tables[path.table].name))
            endpoints.formUnion(self.endpoints(of: path))
        }
        return endpoints
    }

    /// The ends of links by which the rows before the end of a path lose a link to it.
    private func endpoints(of path: Path) -> [LinkEndpoint] {
        switch path.link?.storage {
        case nil, .column: []
        case .inverse(let table, let column, _):
            [
                .reference(
                    table: layout.tables[table].name,
                    column: layout.tables[table].columns[column].name
                )
            ]
        case .join(let join, .owner): [.owner(join: layout.joins[join].name)]
        case .join(let join, .member): [.member(join: layout.joins[join].name)]
        case .join(let join, .either):
            [.owner(join: layout.joins[join].name), .member(join: layout.joins[join].name)]
        }
    }

    /// Returns whether rows of a table are read.
    func depends(onTable name: String) -> Bool {
        isOpaque || located.keys.contains { layout.tables[$0].name == name }
            || paths.values.contains { path in
                if case .join(let join, _) = path.link?.storage, layout.joins[join].name == name {
                    return true
                }
                return layout.tables[path.table].name == name
            }
    }

    // MARK: Changes

    /// Returns whether changes may concern the result.
    func concerns(_ changes: RowChanges) -> Bool {
        if changes.isUnspecific { return true }
        if isOpaque { return !changes.isEmpty }
        if located.contains(where: { !rows(of: $0, with: $1, in: changes).isEmpty }) { return true }
        return paths.values.contains { path in
            !rows(of: path.table, with: path.columns, in: changes).isEmpty
                || endpoints(of: path).contains { changes.endpoints[$0]?.isEmpty == false }
                || !changes.pairs(of: path.link, in: layout).isEmpty
        }
    }

    /// Returns the rows of the request whose values, order or membership may have changed; nil if
    /// all of them may have.
    ///
    /// A row whose derived values have changed has changed itself, or it reached a changed row by a
    /// path. Consider the first link of that path that has changed, if there is one: the row before
    /// it either contains the link, so that it has changed itself; or it has lost the link, so that
    /// it is an endpoint; or it has got the link, so that it is found from the row behind the link,
    /// in the new state. All links before that one are unchanged, so the row of the request is
    /// found from there. Without a changed link, it is found from the changed row.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - reader: A reader of the state after them.
    ///   - limit: The number of rows from which on it is faster to read all.
    /// - Returns: The rows.
    /// - Throws: `DatabaseError`.
    func affectedRows(
        by changes: RowChanges,
        _ reader: StoreReader,
        limit: Int
    ) throws -> Set<Int64>? {
        if changes.isUnspecific || isOpaque { return nil }
        if located.contains(where: { !rows(of: $0, with: $1, in: changes).isEmpty }) { return nil }
        var affected: Set<Int64> = []
        for path in paths.values {
            var touched = rows(of: path.table, with: path.columns, in: changes)
            for next in paths.values where next.hops.count == path.hops.count + 1 {
                guard next.hops.dropLast().elementsEqual(path.hops, by: ===) else { continue }
                for endpoint in endpoints(of: next) {
                    touched.formUnion(changes.endpoints[endpoint] ?? [])
                }
                touched.formUnion(try owners(of: next.link, in: changes, reader))
            }
            guard touched.count <= limit else { return nil }
            affected.formUnion(try origins(of: touched, at: path, reader))
            guard affected.count <= limit else { return nil }
        }
        return affected
    }

    /// Returns the changed rows of a table, if one of some columns has changed.
    private func rows(
        of table: Int,
        with columns: ColumnMask,
        in changes: RowChanges
    ) -> Set<Int64> {
        let name = layout.tables[table].name
        let removed = changes.endpoints[.row(table: name)] ?? []
        guard let table = changes.tables[name] else { return removed }
        let isRead = table.columns.map { $0.intersects(columns) } ?? true
        return (isRead ? table.present.union(table.updated) : table.present).union(removed)
    }

    /// Returns the rows before a link whose pairs were inserted or reordered.
    private func owners(
        of link: RelationshipLayout?,
        in changes: RowChanges,
        _ reader: StoreReader
    ) throws -> Set<Int64> {
        let pairs = changes.pairs(of: link, in: layout)
        guard !pairs.isEmpty, case .join(let join, let side) = link?.storage else { return [] }
        let columns = side == .either ? ["owner", "member"] : [side.ownColumn]
        var owners: Set<Int64> = []
        for column in columns {
            let table = layout.joins[join].name.quotedDatabaseIdentifier
            let sql: SQLText = """
                SELECT \(sql: column) FROM \(sql: table) \
                WHERE rowid IN (\(.each(pairs)))
                """
            try reader.forEachRow(of: sql) { owners.insert($0.integer(at: 0)) }
        }
        return owners
    }

    /// Returns the rows of the request from which a path leads to one of some rows.
    private func origins(
        of rows: Set<Int64>,
        at path: Path,
        _ reader: StoreReader
    ) throws -> Set<Int64> {
        guard !rows.isEmpty, let first = paths[[]], !path.hops.isEmpty else { return rows }
        var sql = PredicateSQL(layout: layout)
        let chain = sql.chain(from: PredicateSQL.row, path.hops)
        let sources =
            ["\(sql: layout.name(of: first.table)) AS \(sql: PredicateSQL.row)"]
            + chain.sources
        var origins: Set<Int64> = []
        try reader.forEachRow(
            of: """
                SELECT DISTINCT \(sql: RequestSQL.number) FROM \(sources.joined(by: ", ")) \
                WHERE \(chain.conditions.joined(by: " AND ")) \
                AND \(sql: chain.alias)._id IN (\(.each(rows)))
                """
        ) { origins.insert($0.integer(at: 0)) }
        return origins
    }
}

extension RowChanges {
    /// Returns the pairs of a link that were inserted, deleted or reordered.
    fileprivate func pairs(
        of link: RelationshipLayout?,
        in layout: StoreLayout
    ) -> Set<Int64> {
        guard case .join(let join, _) = link?.storage,
            let pairs = tables[layout.joins[join].name]
        else { return [] }
        return pairs.present.union(pairs.updated)
    }
}
