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

    private typealias Place = TableRow

    /// Determines all rows that are deleted together with given rows.
    ///
    /// - Parameters:
    ///   - writer: The writer of the transaction.
    ///   - roots: The rows whose deletion is requested, by table.
    ///   - isWithContents: Whether to delete rows without a primary key that only deleted rows
    ///     contain.
    ///   - kept: Rows, by table, that no cascade may delete.
    /// - Throws: `DatabaseError`.
    package init(
        _ writer: StoreWriter,
        deleting roots: [Int: [Int64]],
        withContents isWithContents: Bool = true,
        keeping kept: [Int: RowSet] = [:]
    ) throws {
        self.writer = writer
        self.kept = kept
        self.roots = roots.mapValues { RowSet($0) }
        rules = DeleteRules(writer.layout)
        var next = roots.sorted { $0.key < $1.key }.flatMap { table, rows in
            rows.map { Place(table: table, number: $0) }
        }
        // Each round adds the rows that only rows of the previous rounds contain.
        while !next.isEmpty {
            let collected = try collect(next)
            try judge(collected)
            guard isWithContents else { break }
            let contents = try collected.filter(isDoomed).flatMap(writer.contents)
            next = try writer.abandoned(contents, besides: doomed).sorted()
            for place in next { Self.rows(of: place.table, in: &abandoned).insert(place.number) }
        }
    }

    /// Adds rows and everything that cascades from them to the rows to be deleted, and returns all
    /// that are new.
    private mutating func collect(_ places: [Place]) throws -> [Place] {
        var collected: [Place] = []
        var frontier = places
        while let place = frontier.popLast() {
            guard Self.rows(of: place.table, in: &doomed).insert(place.number) else { continue }
            unspare(place)
            collected.append(place)
            frontier += try taken(along: place)
                .filter { kept[$0.table]?.contains($0.number) != true }
        }
        return collected
    }

    /// Removes a row from the spared rows.
    ///
    /// More rows are to be deleted now, so its rules are evaluated again.
    private mutating func unspare(_ place: Place) {
        guard spared[place.table]?.contains(place.number) == true else { return }
        spared[place.table]?.remove(place.number)
        let table = writer.layout.tables[place.table].name
        denials.removeAll { $0.table == table && $0.row == place.number }
    }

    /// Removes the rows that a rule denies from those to be deleted, among those collected last.
    private mutating func judge(_ collected: [Place]) throws {
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

    private func isDoomed(_ place: Place) -> Bool {
        doomed[place.table]?.contains(place.number) == true
    }

    /// Returns the rows that are deleted with a row because of its own cascades.
    private func taken(along place: Place) throws -> [Place] {
        try (rules.cascades[place.table] ?? []).flatMap { try linked($0, of: place.number) }
    }

    private func linked(_ relationship: RelationshipLayout, of row: Int64) throws -> [Place] {
        let destination = writer.layout.entities[relationship.destination].table
        return try writer.reader.linked(relationship, of: row)
            .map { Place(table: destination, number: $0) }
    }

    /// Returns the rows to be deleted that are linked to a row by any of the relationships.
    private func doomedOwners(
        of place: Place,
        by relationships: [Int: [RelationshipLayout]]
    ) throws -> [Place] {
        try relationships.values.joined()
            .filter { writer.layout.entities[$0.destination].table == place.table }
            .flatMap { relationship in
                try writer.owners(of: relationship, pointingAt: place.number)
                    .map { Place(table: relationship.table, number: $0) }
            }
            .filter(isDoomed)
    }

    // MARK: Denials

    /// Returns the rows to be deleted that are linked, by a relationship with a `deny` rule, to a
    /// row that is no longer to be deleted.
    private func deniable(by withdrawn: Set<Place>) throws -> [Place] {
        var places: Set<Place> = []
        for place in withdrawn {
            try places.formUnion(doomedOwners(of: place, by: rules.denials))
        }
        return places.sorted()
    }

    /// Spares the rows for which a `deny` rule applies, together with the rows whose cascades would
    /// delete them, and returns all spared rows.
    ///
    /// All rules are evaluated against the same set of rows to be deleted, before any row is
    /// removed from it.
    private mutating func deny(_ places: [Place]) throws -> [Place] {
        var denied: [Place] = []
        for place in places {
            for relationship in rules.denials[place.table] ?? [] {
                guard try keeps(place.number, relationship) else { continue }
                let news = try spare(place)
                guard !news.isEmpty else { continue }
                denied += news
                denials.append(
                    DeleteOutcome.DeleteViolation(
                        table: writer.layout.tables[place.table].name,
                        row: place.number,
                        relationship: relationship.identifier
                    )
                )
            }
        }
        return denied
    }

    /// Returns whether a relationship links a row to one that is not to be deleted.
    private func keeps(_ row: Int64, _ relationship: RelationshipLayout) throws -> Bool {
        try !linked(relationship, of: row).allSatisfy(isDoomed)
    }

    /// Spares a row and all rows whose cascades would delete it, and returns those that were not
    /// spared before.
    private mutating func spare(_ place: Place) throws -> [Place] {
        guard Self.rows(of: place.table, in: &spared).insert(place.number) else { return [] }
        var news = [place]
        var next = 0
        while next < news.count {
            for owner in try doomedOwners(of: news[next], by: rules.cascades)
            where Self.rows(of: owner.table, in: &spared).insert(owner.number) {
                news.append(owner)
            }
            next += 1
        }
        return news
    }

    // MARK: Withdrawal

    /// Removes spared rows, and rows that only their cascades would have deleted, from those to be
    /// deleted, and returns all that are no longer to be deleted.
    private func withdraw(_ places: [Place]) throws -> Set<Place> {
        var withdrawn: Set<Place> = []
        var frontier = places
        while let place = frontier.popLast() {
            guard isDoomed(place) else { continue }
            doomed[place.table]?.remove(place.number)
            withdrawn.insert(place)
            frontier += try taken(along: place)
            // The rows that it contains are no longer abandoned.
            frontier += try writer.contents(of: place)
                .filter { abandoned[$0.table]?.contains($0.number) == true }
        }
        // Some of these rows were requested to be deleted, or another row that is still to be
        // deleted cascades to them.
        for place in withdrawn where try goesAnyway(place) { frontier.append(place) }
        while let place = frontier.popLast() {
            guard withdrawn.remove(place) != nil else { continue }
            doomed[place.table]?.insert(place.number)
            frontier += try taken(along: place)
        }
        return withdrawn
    }

    private func goesAnyway(_ place: Place) throws -> Bool {
        guard spared[place.table]?.contains(place.number) != true else { return false }
        if roots[place.table]?.contains(place.number) == true { return true }
        return try !doomedOwners(of: place, by: rules.cascades).isEmpty
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
