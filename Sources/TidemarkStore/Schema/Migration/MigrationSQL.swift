import GRDB
import TidemarkModel

/// The SQL that moves rows and links from old tables to new ones.
struct MigrationSQL {
    let plan: MigrationPlan

    /// The SQL function that converts a value.
    ///
    /// Its arguments are the index of a conversion, and the value.
    static let convert = "tidemark_migrated"

    /// The SQL function that returns whether a value does not convert, with the same arguments.
    static let fails = "tidemark_unmigrated"

    // MARK: Rows

    /// Returns an expression for each column of a new table, over the rows of an old one.
    func expressions(_ source: TableSource, of table: Int) -> [String] {
        plan.new.tables[table].columns.indices.map { column in
            byEntity(
                source.entities.map { ($0.old.name, expression($0.columns[column], in: source)) }
            )
        }
    }

    /// Returns the expression for the new entity name of a row.
    func entity(_ source: TableSource) -> String {
        byEntity(source.entities.map { ($0.old.name, $0.new.name.quotedText) })
    }

    /// Returns the condition that selects the rows of an old table that are kept, or nil for all.
    func filter(_ source: TableSource) -> String? {
        let table = plan.old.tables[source.table]
        let all = plan.oldEntities.count { $0.table == source.table }
        guard table.hasEntityColumn, source.entities.count < all else { return nil }
        return isOneOf(source.entities.map(\.old.name))
    }

    /// Returns the condition that a row belongs to one of the given entities.
    func isOneOf(_ entities: [String]) -> String {
        "\"_entity\" IN (\(entities.map(\.quotedText).joined(separator: ", ")))"
    }

    private func byEntity(_ choices: [(entity: String, expression: String)]) -> String {
        guard let first = choices.first else { return "NULL" }
        if choices.allSatisfy({ $0.expression == first.expression }) { return first.expression }
        let cases = choices.map { "WHEN \($0.entity.quotedText) THEN \($0.expression)" }
        return "CASE \"_entity\" \(cases.joined(separator: " ")) END"
    }

    private func expression(_ column: ColumnSource, in source: TableSource) -> String {
        switch column {
        case .nothing: "NULL"
        case .column(let column): plan.old.name(of: column, in: source.table)
        case .converted(let column, let conversion):
            """
            \(Self.convert)(\(conversion), \
            \(column.map { plan.old.name(of: $0, in: source.table) } ?? "NULL"))
            """
        }
    }

    // MARK: Links

    /// Returns a query for the links of an old relationship, as rows of owner, member, position and
    /// inversePosition from the side of the new relationship.
    func pairs(_ source: LinkSource) -> String {
        let own = "owner, member, position, inversePosition"
        let flipped =
            "member AS owner, owner AS member, inversePosition AS position, "
            + "position AS inversePosition"
        let links = pairs(source.relationship, of: source.entities)
        return "SELECT \(source.isFlipped ? flipped : own) FROM (\(links))"
    }

    /// Returns a query for the links of a new relationship, each pair once.
    func pairs(_ link: LinkMove) -> String {
        var sources = link.sources.map { pairs($0) }
        // Both rows of such a link have a column that refers to the other.
        if plan.new.isOwnInverse(link.relationship), !link.relationship.relationship.isToMany {
            sources += link.sources.map {
                "SELECT member AS owner, owner AS member, NULL, NULL FROM (\(pairs($0)))"
            }
        }
        if case .join(_, .either) = link.relationship.storage {
            sources = sources.map {
                """
                SELECT min(owner, member) AS owner, max(owner, member) AS member, \
                NULL AS position, NULL AS inversePosition FROM (\($0))
                """
            }
        }
        // Several sources may have the same pair; max() ignores the nulls of unordered ones.
        return """
            SELECT owner, member, max(position) AS position, \
            max(inversePosition) AS inversePosition \
            FROM (\(sources.joined(separator: " UNION ALL "))) GROUP BY owner, member
            """
    }

    /// Returns a query for the links of an old relationship, from the side of its owners.
    ///
    /// - Parameters:
    ///   - relationship: The old relationship.
    ///   - entities: The entities whose links are returned; nil for all.
    /// - Returns: The query.
    func pairs(_ relationship: RelationshipLayout, of entities: [String]?) -> String {
        let pairs = storedPairs(relationship)
        guard let entities else { return pairs }
        let table = relationship.table
        let chosen =
            plan.old.tables[table].hasEntityColumn ? " WHERE \(isOneOf(entities))" : ""
        return """
            SELECT owner, member, position, inversePosition FROM (\(pairs)) WHERE owner IN \
            (SELECT _id FROM \(plan.old.name(of: table))\(chosen))
            """
    }

    private func storedPairs(_ relationship: RelationshipLayout) -> String {
        let old = plan.old
        switch relationship.storage {
        case .column(let column):
            let table = relationship.table
            let name = old.name(of: column, in: table)
            let position = old.positionColumn(inInverseOf: relationship).map {
                old.name(of: $0, in: table)
            }
            return """
                SELECT _id AS owner, \(name) AS member, NULL AS position, \
                \(position ?? "NULL") AS inversePosition FROM \(old.name(of: table)) \
                WHERE \(name) IS NOT NULL
                """
        case .inverse(let table, let column, let position):
            let name = old.name(of: column, in: table)
            return """
                SELECT \(name) AS owner, _id AS member, \
                \(position.map { old.name(of: $0, in: table) } ?? "NULL") AS position, \
                NULL AS inversePosition FROM \(old.name(of: table)) WHERE \(name) IS NOT NULL
                """
        case .join(let join, let side):
            return storedPairs(of: old.joins[join].name.quotedDatabaseIdentifier, side: side)
        }
    }

    private func storedPairs(of join: String, side: JoinSide) -> String {
        switch side {
        case .owner: "SELECT owner, member, position, inversePosition FROM \(join)"
        case .member:
            """
            SELECT member AS owner, owner AS member, inversePosition AS position, \
            position AS inversePosition FROM \(join)
            """
        // Each pair is stored once, but is a link of both rows.
        case .either:
            """
            SELECT owner, member, NULL AS position, NULL AS inversePosition FROM \(join) \
            UNION SELECT member, owner, NULL, NULL FROM \(join)
            """
        }
    }
}
