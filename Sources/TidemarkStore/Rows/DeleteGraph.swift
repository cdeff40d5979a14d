import TidemarkModel

/// The rows that are deleted together with given rows, according to the delete rules of the model.
///
/// SQLite's own foreign key actions are a fallback for other programs. They are not sufficient
/// here: a rule may be declared on the side that has the reference, a `deny` rule can only be
/// evaluated when all rows to be deleted are known, and references to deleted rows must be
/// recorded.
package struct DeleteGraph {
    /// The rows to be deleted, by table.
    package private(set) var doomed: [Int: RowSet] = [:]

    /// The rows that are not deleted because of a `deny` rule, with the relationship that has it.
    private(set) var denials: [DeleteOutcome.DeleteViolation] = []

    private let writer: StoreWriter
    private let rules: DeleteRules
    /// The rows whose deletion was requested, by table.
    private let roots: [Int: RowSet]
    /// Rows that no cascade may delete.
    private let kept: [Int: RowSet]
    /// Rows without a primary key that are contained only in rows to be deleted.
    private var abandoned: [Int: RowSet] = [:]
    /// Rows that are not deleted: a rule denies it, or their cascades would delete a denied row.
    private var spared: [Int: RowSet] = [:]

    /// Determines all rows that are deleted together with given rows.
    ///
    /// - Parameters:
    ///   - roots: The rows whose deletion is requested, by table.
    ///   - isWithContents: Whether to delete rows without a primary key that only deleted rows
    ///     contain.
    ///   - kept: Rows, by table, that no cascade may delete.
    ///   - writer: The writer of the transaction.
    /// - Returns: The rows to be deleted.
    /// - Throws: `DatabaseError`.
    package static func resolve(
        deleting roots: [Int: [Int64]],
        withContents isWithContents: Bool = true,
        keeping kept: [Int: RowSet] = [:],
        with writer: StoreWriter
    ) throws -> DeleteGraph {
        var graph = DeleteGraph(
            writer: writer,
            rules: DeleteRules(writer.layout),
            roots: roots.mapValues { RowSet($0) },
            kept: kept
        )
        var next = roots.sorted { $0.key < $1.key }.flatMap { table, rows in
            rows.map { TableRow(table: table, number: $0) }
        }
        // Each round adds the rows that only rows of the previous rounds contain.
        while !next.isEmpty {
            let collected = try graph.collect(next)
            try graph.judge(collected)
            guard isWithContents else { break }
            let contents = try collected.filter(graph.isDoomed).flatMap(writer.contents)
            next = try writer.abandoned(contents, besides: graph.doomed).sorted()
            for row in next { rows(of: row.table, in: &graph.abandoned).insert(row.number) }
        }
        return graph
    }

    /// Adds rows and everything that cascades from them to the rows to be deleted, and returns all
    /// that are new.
    private mutating func collect(_ rows: [TableRow]) throws -> [TableRow] {
        var collected: [TableRow] = []
        var frontier = rows
        while let row = frontier.popLast() {
            guard Self.rows(of: row.table, in: &doomed).insert(row.number) else { continue }
            unspare(row)
            collected.append(row)
            frontier += try taken(along: row)
                .filter { kept[$0.table]?.contains($0.number) != true }
        }
        return collected
    }

    /// Removes a row from the spared rows.
    ///
    /// More rows are to be deleted now, so its rules are evaluated again.
    private mutating func unspare(_ row: TableRow) {
        guard spared[row.table]?.contains(row.number) == true else { return }
        spared[row.table]?.remove(row.number)
        let table = writer.layout.tables[row.table].name
        denials.removeAll { $0.table == table && $0.row == row.number }
    }

    /// Removes the rows that a rule denies from those to be deleted, among those collected last.
    private mutating func judge(_ collected: [TableRow]) throws {
        var judged = collected.filter { rules.denials[$0.table] != nil }.sorted()
        while !judged.isEmpty {
            let denied = try deny(judged)
            let withdrawn = try withdraw(denied)
            // A row that is not deleted may be the reason why a `deny` rule applies to another.
            // Only such rows have to be evaluated again.
            judged = try deniable(by: withdrawn)
        }
    }

    /// Returns the set of a table's rows, and creates it if it does not exist.
    private static func rows(of table: Int, in sets: inout [Int: RowSet]) -> RowSet {
        if let rows = sets[table] { return rows }
        let rows = RowSet()
        sets[table] = rows
        return rows
    }

    // MARK: Cascades

    private func isDoomed(_ row: TableRow) -> Bool {
        doomed[row.table]?.contains(row.number) == true
    }

    /// Returns the rows that are deleted with a row because of its own cascades.
    private func taken(along row: TableRow) throws -> [TableRow] {
        try (rules.cascades[row.table] ?? []).flatMap { try linked($0, of: row.number) }
    }

    private func linked(_ relationship: RelationshipLayout, of row: Int64) throws -> [TableRow] {
        let destination = writer.layout.entities[relationship.destination].table
        return try writer.linked(relationship, of: row)
            .map { TableRow(table: destination, number: $0) }
    }

    /// Returns the rows to be deleted that are linked to a row by any of the relationships.
    private func doomedOwners(
        of row: TableRow,
        by relationships: [Int: [RelationshipLayout]]
    ) throws -> [TableRow] {
        try relationships.values.joined()
            .filter { writer.layout.entities[$0.destination].table == row.table }
            .flatMap { relationship in
                try writer.owners(of: relationship, pointingAt: row.number)
                    .map { TableRow(table: relationship.table, number: $0) }
            }
            .filter(isDoomed)
    }

    // MARK: Denials

    /// Returns the rows to be deleted that are linked, by a relationship with a `deny` rule, to a
    /// row that is no longer to be deleted.
    private func deniable(by withdrawn: Set<TableRow>) throws -> [TableRow] {
        var rows: Set<TableRow> = []
        for row in withdrawn {
            try rows.formUnion(doomedOwners(of: row, by: rules.denials))
        }
        return rows.sorted()
    }

    /// Spares the rows for which a `deny` rule applies, together with the rows whose cascades would
    /// delete them, and returns all spared rows.
    ///
    /// All rules are evaluated against the same set of rows to be deleted, before any row is
    /// removed from it.
    private mutating func deny(_ rows: [TableRow]) throws -> [TableRow] {
        var denied: [TableRow] = []
        for row in rows {
            for relationship in rules.denials[row.table] ?? [] {
                guard try keeps(row.number, by: relationship) else { continue }
                let added = try spare(row)
                guard !added.isEmpty else { continue }
                denied += added
                denials.append(
                    DeleteOutcome.DeleteViolation(
                        table: writer.layout.tables[row.table].name,
                        row: row.number,
                        relationship: relationship.identifier
                    )
                )
            }
        }
        return denied
    }

    /// Returns whether a relationship links a row to one that is not to be deleted.
    private func keeps(_ row: Int64, by relationship: RelationshipLayout) throws -> Bool {
        try !linked(relationship, of: row).allSatisfy(isDoomed)
    }

    /// Spares a row and all rows whose cascades would delete it, and returns those that were not
    /// spared before.
    private mutating func spare(_ row: TableRow) throws -> [TableRow] {
        guard Self.rows(of: row.table, in: &spared).insert(row.number) else { return [] }
        var added = [row]
        var next = 0
        while next < added.count {
            for owner in try doomedOwners(of: added[next], by: rules.cascades)
            where Self.rows(of: owner.table, in: &spared).insert(owner.number) {
                added.append(owner)
            }
            next += 1
        }
        return added
    }

    // MARK: Withdrawal

    /// Removes spared rows, and rows that only their cascades would have deleted, from those to be
    /// deleted, and returns all that are no longer to be deleted.
    private func withdraw(_ rows: [TableRow]) throws -> Set<TableRow> {
        var withdrawn: Set<TableRow> = []
        var frontier = rows
        while let row = frontier.popLast() {
            guard isDoomed(row) else { continue }
            doomed[row.table]?.remove(row.number)
            withdrawn.insert(row)
            frontier += try taken(along: row)
            // The rows that it contains are no longer abandoned.
            frontier += try writer.contents(of: row)
                .filter { abandoned[$0.table]?.contains($0.number) == true }
        }
        // Some of these rows were requested to be deleted, or another row that is still to be
        // deleted cascades to them.
        for row in withdrawn where try isDeletedAnyway(row) { frontier.append(row) }
        while let row = frontier.popLast() {
            guard withdrawn.remove(row) != nil else { continue }
            doomed[row.table]?.insert(row.number)
            frontier += try taken(along: row)
        }
        return withdrawn
    }

    private func isDeletedAnyway(_ row: TableRow) throws -> Bool {
        guard spared[row.table]?.contains(row.number) != true else { return false }
        if roots[row.table]?.contains(row.number) == true { return true }
        return try !doomedOwners(of: row, by: rules.cascades).isEmpty
    }
}

/// The delete rules of a model, by the table of the deleted row.
struct DeleteRules {
    /// The relationships whose linked rows are deleted as well.
    var cascades: [Int: [RelationshipLayout]] = [:]

    /// The relationships that prevent the deletion of a row while it is linked.
    var denials: [Int: [RelationshipLayout]] = [:]

    init(_ layout: StoreLayout) {
        let all = layout.relationships.values.sorted { $0.identifier < $1.identifier }
        for relationship in all {
            let rule = relationship.relationship.deleteRule
            switch layout.isParentInKey(relationship) ? rule.ofKeyPart : rule {
            case .cascade: cascades[relationship.table, default: []].append(relationship)
            case .deny: denials[relationship.table, default: []].append(relationship)
            case .nullify, .noAction: break
            }
        }
    }
}
