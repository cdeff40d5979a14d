import GRDB
import TidemarkModel

extension PredicateSQL {
    /// The tables along a chain of relationships, and the conditions that join them.
    struct Chain {
        var sources: [SQLText] = []
        var conditions: [SQLText] = []
        /// The alias of the first linked row.
        var first = ""
        /// The alias of the last linked row.
        var alias: String
    }

    /// Joins the rows that a chain of relationships leads to.
    mutating func chain(from start: String, _ hops: [RelationshipLayout]) -> Chain {
        var chain = Chain(alias: start)
        for hop in hops {
            let from = chain.alias
            chain.alias = nextAlias()
            if chain.first.isEmpty { chain.first = chain.alias }
            join(hop, from: from, to: chain.alias, in: &chain)
            let table = layout.entities[hop.destination].table
            chain.sources.append("\(sql: layout.name(of: table)) AS \(sql: chain.alias)")
        }
        return chain
    }

    private mutating func nextAlias() -> String {
        aliases += 1
        return "_\(aliases - 1)"
    }

    private mutating func join(
        _ hop: RelationshipLayout,
        from: String,
        to: String,
        in chain: inout Chain
    ) {
        switch hop.storage {
        case .column(let column):
            let reference = layout.name(of: column, in: hop.table)
            chain.conditions.append("\(sql: to)._id = \(sql: from).\(sql: reference)")
        case .inverse(let table, let column, _):
            let reference = layout.name(of: column, in: table)
            chain.conditions.append("\(sql: to).\(sql: reference) = \(sql: from)._id")
        case .join(let join, let side):
            let pairs = layout.joins[join].name.quotedDatabaseIdentifier
            let alias = nextAlias()
            switch side {
            case .owner, .member:
                let (own, other) = side == .owner ? ("owner", "member") : ("member", "owner")
                chain.sources.append("\(sql: pairs) AS \(sql: alias)")
                chain.conditions.append("\(sql: alias).\(sql: own) = \(sql: from)._id")
                chain.conditions.append("\(sql: to)._id = \(sql: alias).\(sql: other)")
            case .either:
                chain.conditions.append(
                    """
                    \(sql: to)._id IN \
                    (SELECT member FROM \(sql: pairs) WHERE owner = \(sql: from)._id \
                    UNION ALL SELECT owner FROM \(sql: pairs) WHERE member = \(sql: from)._id)
                    """
                )
            }
        }
    }

    // MARK: Values

    /// Returns the value at the end of a path; NULL if a row on the path does not exist.
    func value(_ path: TypedPath) -> SQLText {
        let path = path.direct
        // Aliases in a subquery are not visible outside, so their numbers can be used again.
        var inner = self
        let chain = inner.chain(from: alias(of: path.origin), path.hops)
        let end = inner.end(path.end, of: chain.alias)
        guard !path.hops.isEmpty else { return end }
        return """
            (SELECT \(end) FROM \(chain.sources.joined(by: ", ")) \
            WHERE \(chain.conditions.joined(by: " AND ")))
            """
    }

    private func end(_ end: TypedPath.End, of alias: String) -> SQLText {
        switch end {
        case .row: return "\(sql: alias)._id"
        case .column(let table, let column):
            return "\(sql: alias).\(sql: layout.name(of: column, in: table))"
        case .count(let relationship, nil): return count(relationship, of: alias)
        case .count(let relationship, let condition?):
            return count(relationship, of: alias, where: condition)
        }
    }

    private func count(_ relationship: RelationshipLayout, of row: String) -> SQLText {
        switch relationship.storage {
        case .column(let column):
            let reference = layout.name(of: column, in: relationship.table)
            return "(\(sql: row).\(sql: reference) IS NOT NULL)"
        case .inverse(let table, let column, _):
            let source = layout.name(of: table)
            let reference = layout.name(of: column, in: table)
            return """
                (SELECT count(*) FROM \(sql: source) AS _n \
                WHERE _n.\(sql: reference) = \(sql: row)._id)
                """
        case .join(let join, let side):
            let pairs = layout.joins[join].name.quotedDatabaseIdentifier
            let sides =
                side == .owner ? ["owner"] : side == .member ? ["member"] : ["owner", "member"]
            // One query with OR counts the pair of a row with itself once.
            let conditions = sides.map { "_n.\($0) = \(row)._id" }.joined(separator: " OR ")
            return "(SELECT count(*) FROM \(sql: pairs) AS _n WHERE \(sql: conditions))"
        }
    }
}

extension TypedPath {
    /// The path with a final to-one relationship replaced by its column.
    ///
    /// The referenced row does not have to be read then.
    var direct: TypedPath {
        guard case .row = end, let last = hops.last, case .column(let column) = last.storage else {
            return self
        }
        return TypedPath(
            origin: origin,
            hops: hops.dropLast(),
            end: .column(table: last.table, column)
        )
    }
}
