import GRDB
import TidemarkModel

extension MigrationCheck {
    // MARK: Uniqueness

    /// Checks that no two rows will have the same primary key, or the same values in a UNIQUE
    /// constraint.
    mutating func checkUniqueness(in table: Int) throws {
        let layout = plan.new.tables[table]
        for list in layout.keys + layout.uniques where !isUniqueAlready(list, in: table) {
            let values = plan.tables[table].sources.enumerated().map { index, source in
                let expressions = sql.expressions(source, of: table)
                let columns = list.enumerated().map { "\(expressions[$1]) AS k\($0)" }
                return "SELECT \(index) AS source, _id, \(columns.joined(separator: ", ")) "
                    + "FROM \(plan.old.name(of: source.table))"
                    + (sql.filter(source).map { " WHERE \($0)" } ?? "")
            }
            guard !values.isEmpty else { continue }
            let keys = list.indices.map { "k\($0)" }
            try checkUniqueness(
                in: table,
                columns: list,
                values: values.joined(separator: " UNION ALL "),
                keys: keys
            )
        }
    }

    private mutating func checkUniqueness(
        in table: Int,
        columns list: [Int],
        values: String,
        keys: [String]
    ) throws {
        // SQLite does not compare rows with a null in a UNIQUE constraint.
        let present = keys.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        let group = keys.joined(separator: ", ")
        // Row number and source are combined in one integer, so that its minimum and maximum are
        // two rows of a group, each with the table it is in.
        let repeated = """
            WITH v AS (\(values)) SELECT min(_id * \(plan.tables[table].sources.count) + source) \
            AS one, max(_id * \(plan.tables[table].sources.count) + source) AS other \
            FROM v WHERE \(present) GROUP BY \(group) HAVING count(*) > 1
            """
        let pair = try Row.fetchOne(db, sql: "\(repeated) ORDER BY one LIMIT 1")
        guard let pair else { return }
        let rows = try [pair[0], pair[1]].map { try reference($0, of: table) }
        let count = try count(of: repeated)
        let layout = plan.new.tables[table]
        let names = list.map { layout.columns[$0].name }.joined(separator: ", ")
        reject(
            at: layout.name,
            because: "\(rows[0]) and \(rows[1]) have the same \(names), which must be unique"
                + (count > 1
                    ? ", and so have \(counted(count - 1, noun: "other group")) of rows." : "."),
            hint: "Change or delete one of them first.",
            row: rows[0],
            count: count
        )
    }

    private func reference(_ code: Int64, of table: Int) throws -> RowReference {
        let sources = plan.tables[table].sources
        return try reference(
            code / Int64(sources.count),
            in: sources[Int(code % Int64(sources.count))].table
        )
    }

    private func isUniqueAlready(_ list: [Int], in table: Int) -> Bool {
        let move = plan.tables[table]
        guard move.sources.count == 1 else { return false }
        let former = plan.formerColumns(of: table)
        let columns = list.compactMap { former[$0] }
        let layout = plan.old.tables[move.sources[0].table]
        return columns.count == list.count
            && (layout.keys + layout.uniques).contains { Set($0).isSubset(of: columns) }
    }

    // MARK: Links

    /// Checks that links refer only to rows of the relationship's destination, and come only from
    /// rows that have the relationship.
    mutating func checkEnds(of link: LinkMove) throws {
        let destination = plan.new.entities[link.relationship.destination]
        let members = Set(
            plan.new.model[destination.name].map(plan.new.model.family)?.map(\.name) ?? []
        )
        let owners = Set(
            plan.new.entities.filter {
                $0.relationship(link.relationship.relationship.name)?.identifier
                    == link.relationship.identifier
            }
            .map(\.name)
        )
        try checkOtherEnds(of: link)
        for source in link.sources {
            let own = source.relationship.table
            let other = plan.old.entities[source.relationship.destination].table
            try checkEnd(
                "member",
                table: source.isFlipped ? own : other,
                allowed: members,
                source: source,
                link: link
            )
            try checkEnd(
                "owner",
                table: source.isFlipped ? other : own,
                allowed: owners,
                source: source,
                link: link
            )
        }
    }

    /// Checks that rows which lose their side of a relationship have no links: the other side,
    /// which is kept, would lose them too.
    private mutating func checkOtherEnds(of link: LinkMove) throws {
        guard let inverse = link.inverse else { return }
        let others = plan.sources(of: inverse, isFlipped: true).map(\.relationship.identifier)
        for source in link.sources where !source.isFlipped {
            guard let entities = source.entities,
                let former = plan.old.inverse(of: source.relationship),
                others.contains(former.identifier)
            else { continue }
            let left = plan.oldEntities.filter { entity in
                !entities.contains(entity.name) && plan.successor(of: entity) != nil
                    && entity.relationship(source.relationship.relationship.name)?.identifier
                        == source.relationship.identifier
            }
            guard !left.isEmpty else { continue }
            let lost =
                "SELECT owner FROM (\(sql.pairs(source.relationship, of: left.map(\.name))))"
            try rejectLinks(
                of: inverse,
                .leadingTo,
                rows: lost,
                inTable: source.relationship.table
            )
        }
    }

    /// Records a rejection if a query finds rows whose links would be lost.
    private mutating func rejectLinks(
        of relationship: RelationshipLayout,
        _ direction: LinkDirection,
        rows query: String,
        inTable table: Int
    ) throws {
        guard let row = try first(query, in: table) else { return }
        let count = try count(of: query)
        reject(
            at: relationship.identifier,
            because:
                "\(counted(count, noun: "link")) \(count == 1 ? direction.one : direction.many) rows "
                + "that it cannot \(direction.many) any longer, the first \(row).",
            hint: "Take these links away first.",
            row: row,
            count: count
        )
    }

    private mutating func checkEnd(
        _ end: String,
        table: Int,
        allowed: Set<String>,
        source: LinkSource,
        link: LinkMove
    ) throws {
        let misfits = plan.oldEntities.filter { entity in
            entity.table == table
                && plan.successor(of: entity).map { !allowed.contains($0.name) } ?? false
        }
        guard !misfits.isEmpty else { return }
        let rows = misfits.map { "SELECT _id FROM \(self.rows(of: $0))" }
        let lost = """
            SELECT \(end) FROM (\(sql.pairs(source))) \
            WHERE \(end) IN (\(rows.joined(separator: " UNION ALL ")))
            """
        try rejectLinks(
            of: link.relationship,
            end == "member" ? .leadingTo : .comingFrom,
            rows: lost,
            inTable: table
        )
    }

    /// Checks that no row has several links in a relationship that becomes to-one.
    mutating func checkCounts(of link: LinkMove) throws {
        let isSelf = plan.new.isOwnInverse(link.relationship)
        let former = link.sources.map(\.relationship)
        if !link.relationship.relationship.isToMany,
            isSelf || link.sources.count > 1 || !link.sources.allSatisfy(isToOne)
        {
            try checkCount(of: link, relationship: link.relationship, end: "owner", former: former)
        }
        if let inverse = link.inverse, !inverse.relationship.isToMany,
            link.sources.count > 1 || !link.sources.allSatisfy(isInverseToOne)
        {
            try checkCount(
                of: link,
                relationship: inverse,
                end: "member",
                former: former.compactMap(plan.old.inverse)
            )
        }
    }

    private func isToOne(_ source: LinkSource) -> Bool {
        source.isFlipped
            ? plan.old.inverse(of: source.relationship).map { !$0.relationship.isToMany } ?? false
            : !source.relationship.relationship.isToMany
    }

    private func isInverseToOne(_ source: LinkSource) -> Bool {
        source.isFlipped
            ? !source.relationship.relationship.isToMany
            : plan.old.inverse(of: source.relationship).map { !$0.relationship.isToMany } ?? false
    }

    private mutating func checkCount(
        of link: LinkMove,
        relationship: RelationshipLayout,
        end: String,
        former: [RelationshipLayout]
    ) throws {
        let other = end == "owner" ? "member" : "owner"
        let waiting = plan.sources(of: relationship, isFlipped: false).map {
            $0.relationship.identifier.quotedText
        }
        // An unresolved reference becomes a link when its row is stored.
        let several = """
            SELECT one FROM (SELECT \(end) AS one, \(other) AS other FROM (\(sql.pairs(link))) \
            UNION ALL SELECT owner, key FROM _tidemark_held \
            WHERE relationship IN (\(waiting.joined(separator: ", ")))) \
            GROUP BY one HAVING count(*) > 1
            """
        guard let source = link.sources.first else { return }
        let isOwn = (end == "owner") != source.isFlipped
        let table =
            isOwn
            ? source.relationship.table
            : plan.old.entities[source.relationship.destination].table
        guard let row = try first(several, in: table) else { return }
        let count = try count(of: several)
        reject(
            at: relationship.identifier,
            because:
                "It becomes to-one, but \(counted(count, noun: "row")) \(count == 1 ? "has" : "have") "
                + "more than one link, the first \(row).",
            hint: "Leave each of them one link first.",
            row: row,
            count: count
        )
    }
}

/// The direction of links from or to rows, as a verb for one link or for many.
private enum LinkDirection {
    case leadingTo
    case comingFrom

    var one: String {
        switch self {
        case .leadingTo: "leads to"
        case .comingFrom: "comes from"
        }
    }

    var many: String {
        switch self {
        case .leadingTo: "lead to"
        case .comingFrom: "come from"
        }
    }
}
