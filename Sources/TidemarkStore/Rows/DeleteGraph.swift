import TidemarkModel

/// The rows that go when some rows are deleted, worked out along the delete rules of the model.
///
/// SQLite's own foreign key actions are the net for other writers. They cannot do this work: a rule
/// may be declared on the side that holds the reference, a denial must be judged when everything
/// that goes is known, and whoever pointed at a row must be remembered.
package struct DeleteGraph {
    /// The rows that are deleted, by table.
    package private(set) var doomed: [Int: RowSet] = [:]

    /// The rows that cannot go, with the relationship that denies it.
    private(set) var denials: [DeleteOutcome.DeleteViolation] = []

    private let writer: StoreWriter
    private let rules: DeleteRules
    /// The rows that are to go, by table.
    private let roots: [Int: RowSet]
    /// Rows that no other takes along.
    private let kept: [Int: RowSet]
    /// Rows without a key that only rows contain that go.
    private var abandoned: [Int: RowSet] = [:]
    /// Rows that stay: denied themselves, or taking a denied row along.
    private var spared: [Int: RowSet] = [:]

    private typealias Place = TableRow

    /// Determines the rows that are deleted with some rows, by table.
    ///
    /// - Parameters:
    ///   - writer: The transaction.
    ///   - roots: The rows that are to go, by table.
    ///   - isWithContents: Whether rows without a key are deleted as well that only deleted rows
    ///     contain.
    ///   - kept: Rows by table that no other takes along.
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
        while !next.isEmpty {
            let collected = try collect(next)
            try judge(collected)
            guard isWithContents else { break }
            let contents = try collected.filter(isDoomed).flatMap(writer.contents)
            next = try writer.abandoned(contents, besides: doomed).sorted()
            for place in next { Self.rows(of: place.table, in: &abandoned).insert(place.number) }
        }
    }

    /// Adds rows to those that go, follows the cascades from them, and returns all that are new.
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

    /// Forgets that a row was spared: more rows go now, so it is judged again.
    private mutating func unspare(_ place: Place) {
        guard spared[place.table]?.contains(place.number) == true else { return }
        spared[place.table]?.remove(place.number)
        let table = writer.layout.tables[place.table].name
        denials.removeAll { $0.table == table && $0.row == place.number }
    }

    /// Takes back the rows that a rule denies to go, among those collected last.
    private mutating func judge(_ collected: [Place]) throws {
        var judged = collected.filter { rules.denials[$0.table] != nil }.sorted()
        while !judged.isEmpty {
            let denied = try deny(judged)
            let withdrawn = try withdraw(denied)
            // A row that stays after all may be what another has to stay for: those are judged
            // next, and no others.
            judged = try deniable(by: withdrawn)
        }
    }

    /// The set of a table's rows, made when it is first asked for.
    private static func rows(of table: Int, in sets: inout [Int: RowSet]) -> RowSet {
        if let rows = sets[table] { return rows }
        let rows = RowSet()
        sets[table] = rows
        return rows
    }

    // MARK: Along the rules

    private func isDoomed(_ place: Place) -> Bool {
        doomed[place.table]?.contains(place.number) == true
    }

    /// The rows that a row takes along by a rule of its own.
    private func taken(along place: Place) throws -> [Place] {
        try (rules.cascades[place.table] ?? []).flatMap { try linked($0, of: place.number) }
    }

    private func linked(_ relationship: RelationshipLayout, of row: Int64) throws -> [Place] {
        let destination = writer.layout.entities[relationship.destination].table
        return try writer.reader.linked(relationship, of: row)
            .map { Place(table: destination, number: $0) }
    }

    /// The rows that go and are linked to a row by one of some relationships.
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

    /// The rows that go, and are linked by a rule that denies to one that no longer does.
    private func deniable(by withdrawn: Set<Place>) throws -> [Place] {
        var places: Set<Place> = []
        for place in withdrawn {
            try places.formUnion(doomedOwners(of: place, by: rules.denials))
        }
        return places.sorted()
    }

    /// Spares the rows that a rule denies to go with what would take them along, and returns them.
    ///
    /// All are judged by what goes before any of them is spared.
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

    /// Whether a relationship links a row to one that does not go.
    private func keeps(_ row: Int64, _ relationship: RelationshipLayout) throws -> Bool {
        try !linked(relationship, of: row).allSatisfy(isDoomed)
    }

    /// Spares a row and whatever would take it along, and returns those that were not spared yet.
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

    /// Takes spared rows from those that go, with what only they would have taken along, and
    /// returns all that no longer go.
    private func withdraw(_ places: [Place]) throws -> Set<Place> {
        var withdrawn: Set<Place> = []
        var frontier = places
        while let place = frontier.popLast() {
            guard isDoomed(place) else { continue }
            doomed[place.table]?.remove(place.number)
            withdrawn.insert(place)
            frontier += try taken(along: place)
            // What it contains is not abandoned any more.
            frontier += try writer.contents(of: place)
                .filter { abandoned[$0.table]?.contains($0.number) == true }
        }
        // Some of them are to go themselves, or go with a row that still does.
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

/// The delete rules of a model, by the table of the row that goes.
struct DeleteRules {
    /// The relationships that take the linked rows along.
    var cascades: [Int: [RelationshipLayout]] = [:]

    /// The relationships that keep a row while it is linked.
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
