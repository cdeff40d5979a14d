import TidemarkModel

/// The rows that go when some rows are deleted, worked out along the delete rules of the model.
///
/// SQLite's own foreign key actions are the net for other writers. They cannot do this work: a rule
/// may be declared on the side that holds the reference, a denial must be judged when everything
/// that goes is known, and whoever pointed at a row must be remembered.
struct DeleteGraph {
    /// The rows that go, by table.
    private(set) var doomed: [Int: RowSet] = [:]

    /// The rows that cannot go, with the relationship that denies it.
    private(set) var denials: [DeleteOutcome.Denial] = []

    private let writer: StoreWriter
    private let rules: DeleteRules
    private let roots: [Int64]
    private let rootTable: Int
    /// Rows that no other takes along.
    private let kept: [Int: RowSet]
    /// Rows that stay: denied themselves, or taking a denied row along.
    private var spared: [Int: RowSet] = [:]

    /// Works out what goes with some rows of a table.
    init(
        _ writer: StoreWriter,
        deleting roots: [Int64],
        from table: Int,
        keeping kept: [Int: RowSet] = [:]
    ) throws {
        self.writer = writer
        self.kept = kept
        self.roots = roots
        rootTable = table
        rules = DeleteRules(writer.layout)
        try collect()
        while try deny() {
            try collect()
        }
    }

    /// Follows the cascades from the roots; rows that are spared stay out, and what leads to them.
    private mutating func collect() throws {
        doomed = [:]
        var frontier: [(table: Int, row: Int64)] = []
        for root in roots where spared[rootTable]?.contains(root) != true {
            if insert(root, rootTable) {
                frontier.append((rootTable, root))
            }
        }
        while let (table, row) = frontier.popLast() {
            for relationship in rules.cascades[table] ?? [] {
                let destination = writer.layout.entities[relationship.destination].table
                for linked in try writer.reader.linked(relationship, of: row) {
                    if spared[destination]?.contains(linked) == true { continue }
                    if kept[destination]?.contains(linked) == true { continue }
                    if insert(linked, destination) {
                        frontier.append((destination, linked))
                    }
                }
            }
        }
    }

    private mutating func insert(_ row: Int64, _ table: Int) -> Bool {
        Self.rows(of: table, in: &doomed).insert(row)
    }

    /// The set of a table's rows, made when it is first asked for.
    private static func rows(of table: Int, in sets: inout [Int: RowSet]) -> RowSet {
        if let rows = sets[table] { return rows }
        let rows = RowSet()
        sets[table] = rows
        return rows
    }

    /// Spares the rows that a rule denies to go, and returns whether there were any.
    private mutating func deny() throws -> Bool {
        var isAny = false
        for (table, relationships) in rules.denials.sorted(by: { $0.key < $1.key }) {
            for row in doomed[table].map({ Array($0.rows) }) ?? [] {
                for relationship in relationships
                where try keeps(row, relationship) && spare(row, table) {
                    isAny = true
                    denials.append(
                        DeleteOutcome.Denial(
                            table: writer.layout.tables[table].name,
                            row: row,
                            relationship: relationship.identifier
                        )
                    )
                }
            }
        }
        return isAny
    }

    /// Whether a relationship links a row to one that does not go.
    private func keeps(_ row: Int64, _ relationship: RelationshipLayout) throws -> Bool {
        let destination = writer.layout.entities[relationship.destination].table
        return try writer.reader.linked(relationship, of: row).contains {
            doomed[destination]?.contains($0) != true
        }
    }

    /// Spares a row and whatever would take it along.
    private mutating func spare(_ row: Int64, _ table: Int) throws -> Bool {
        guard Self.rows(of: table, in: &spared).insert(row) else { return false }
        var frontier = [(table: table, row: row)]
        while let (table, row) = frontier.popLast() {
            for relationship in rules.cascades.values.joined()
            where writer.layout.entities[relationship.destination].table == table {
                for owner in try writer.owners(of: relationship, pointingAt: row)
                where doomed[relationship.table]?.contains(owner) == true
                    && Self.rows(of: relationship.table, in: &spared).insert(owner)
                {
                    frontier.append((relationship.table, owner))
                }
            }
        }
        return true
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
            switch relationship.relationship.deleteRule {
            case .cascade: cascades[relationship.table, default: []].append(relationship)
            case .deny: denials[relationship.table, default: []].append(relationship)
            case .nullify, .noAction: break
            }
        }
    }
}
