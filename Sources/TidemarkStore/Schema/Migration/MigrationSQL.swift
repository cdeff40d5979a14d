import GRDB
import TidemarkModel

/// The texts of statements that bring rows and links from old tables into new ones.
struct MigrationSQL {
    let plan: MigrationPlan

    /// The function that converts values: the number of a conversion, and the value.
    static let convert = "tidemark_migrated"

    /// The function that tells whether a value does not convert.
    static let fails = "tidemark_unmigrated"

    // MARK: Rows

    /// The expressions for the columns of a new table over the rows of an old one.
    func expressions(_ source: TableSource, of table: Int) -> [String] {
        plan.new.tables[table].columns.indices.map { column in
            byEntity(source.entities.map { ($0.old.name, expression($0.columns[column], source)) })
        }
    }

    /// The expression for the entity of a row, as it is called from now on.
    func entity(_ source: TableSource) -> String {
        byEntity(source.entities.map { ($0.old.name, $0.new.name.quotedText) })
    }

    /// What chooses the rows of an old table that go on; nil when all do.
    func filter(_ source: TableSource) -> String? {
        let table = plan.old.tables[source.table]
        let all = plan.oldEntities.count { $0.table == source.table }
        guard table.hasEntityColumn, source.entities.count < all else { return nil }
        return isOneOf(source.entities.map(\.old.name))
    }

    /// The condition that a row is of one of some entities.
    func isOneOf(_ entities: [String]) -> String {
        "\"_entity\" IN (\(entities.map(\.quotedText).joined(separator: ", ")))"
    }

    private func byEntity(_ choices: [(entity: String, expression: String)]) -> String {
        guard let first = choices.first else { return "NULL" }
        if choices.allSatisfy({ $0.expression == first.expression }) { return first.expression }
        let cases = choices.map { "WHEN \($0.entity.quotedText) THEN \($0.expression)" }
        return "CASE \"_entity\" \(cases.joined(separator: " ")) END"
    }

    private func expression(_ column: ColumnSource, _ source: TableSource) -> String {
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

    /// The links of an old relationship, as rows of owner, member, position and inversePosition,
    /// seen from the new relationship.
    func pairs(_ source: LinkSource) -> String {
        let own = "owner, member, position, inversePosition"
        let flipped =
            "member AS owner, owner AS member, inversePosition AS position, "
            + "position AS inversePosition"
        let links = pairs(source.relationship, of: source.entities)
        return "SELECT \(source.isFlipped ? flipped : own) FROM (\(links))"
    }

    /// The links of a new relationship, each pair once.
    func pairs(_ link: LinkMove) -> String {
        var sources = link.sources.map { pairs($0) }
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
        return """
            SELECT owner, member, max(position) AS position, \
            max(inversePosition) AS inversePosition \
            FROM (\(sources.joined(separator: " UNION ALL "))) GROUP BY owner, member
            """
    }

    /// The links of an old relationship, seen from its owners; nil stands for all entities.
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
            let position = old.position(behind: relationship).map { old.name(of: $0, in: table) }
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
            return storedPairs(old.joins[join].name.quotedDatabaseIdentifier, side)
        }
    }

    private func storedPairs(_ join: String, _ side: JoinSide) -> String {
        switch side {
        case .owner: "SELECT owner, member, position, inversePosition FROM \(join)"
        case .member:
            """
            SELECT member AS owner, owner AS member, inversePosition AS position, \
            position AS inversePosition FROM \(join)
            """
        case .either:
            """
            SELECT owner, member, NULL AS position, NULL AS inversePosition FROM \(join) \
            UNION SELECT member, owner, NULL, NULL FROM \(join)
            """
        }
    }
}
