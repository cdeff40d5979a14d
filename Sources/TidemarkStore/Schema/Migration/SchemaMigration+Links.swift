import GRDB
import TidemarkModel

extension SchemaMigration {
    /// Returns the name of the temporary table for links of the plan.
    private func stage(_ index: Int) -> String { "temp.\"_tidemark_links_\(index)\"" }

    /// Copies the links whose storage changes to temporary tables.
    func stageLinks() throws {
        for (index, link) in plan.links.enumerated() where link.way == .staged {
            try execute(
                """
                CREATE TEMPORARY TABLE "_tidemark_links_\(index)" ("owner" INTEGER, \
                "member" INTEGER, "position" INTEGER, "inversePosition" INTEGER, \
                PRIMARY KEY ("owner", "member")) WITHOUT ROWID
                """
            )
            try execute("INSERT INTO \(stage(index)) \(sql.pairs(link))")
        }
    }

    /// Stores the staged links, deletes links to dropped rows, and adjusts positions.
    func placeLinks() throws {
        for (index, link) in plan.links.enumerated() {
            if link.way == .staged {
                try unstage(index, link: link)
                try execute("DROP TABLE \(stage(index))")
            }
            try clearDangling(link)
            try arrange(link)
        }
    }

    private func unstage(_ index: Int, link: LinkMove) throws {
        let new = plan.new
        switch link.relationship.storage {
        case .column(let column):
            let table = link.relationship.table
            // The row with the column is the owner here, and a member of the list: its position is
            // the inverse one.
            let position = new.positionColumn(inInverseOf: link.relationship)
                .map { ", \(new.name(of: $0, in: table)) = s.inversePosition" }
            try execute(
                """
                UPDATE \(new.name(of: table)) SET \(new.name(of: column, in: table)) = s.member\
                \(position ?? "") FROM \(stage(index)) s WHERE _id = s.owner
                """
            )
        case .join(let join, _):
            let layout = new.joins[join]
            try execute(
                """
                INSERT INTO \(layout.name.quotedDatabaseIdentifier) \
                (owner, member, position, inversePosition) \
                SELECT owner, member, \(layout.isOrdered ? "position" : "NULL"), \
                \(layout.isInverseOrdered ? "inversePosition" : "NULL") \
                FROM \(stage(index)) ORDER BY owner, position, member
                """
            )
        case .inverse:
            return
        }
    }

    // MARK: Dropped rows

    private func clearDangling(_ link: LinkMove) throws {
        let ends = link.sources.flatMap { source in
            [source.relationship.table, plan.old.entities[source.relationship.destination].table]
        }
        // Only dropped rows leave links behind, and the search reads the whole table.
        guard ends.contains(where: { !plan.droppedEntities(in: $0).isEmpty }) else { return }
        let new = plan.new
        switch link.relationship.storage {
        case .column(let column):
            let content = new.tables[link.relationship.table].columns[column].content
            guard case .reference(let reference) = content else { return }
            let name = new.name(of: column, in: link.relationship.table)
            try execute(
                """
                UPDATE \(new.name(of: link.relationship.table)) SET \(name) = NULL \
                WHERE \(name) IS NOT NULL AND \(isMissing(name, from: reference.table))
                """
            )
        case .join(let join, _):
            let layout = new.joins[join]
            try execute(
                """
                DELETE FROM \(layout.name.quotedDatabaseIdentifier) \
                WHERE \(isMissing("owner", from: layout.ownerTable)) \
                OR \(isMissing("member", from: layout.memberTable))
                """
            )
        case .inverse:
            return
        }
    }

    private func isMissing(_ number: String, from table: String) -> String {
        "\(number) NOT IN (SELECT _id FROM \(table.quotedDatabaseIdentifier))"
    }

    // MARK: Order

    /// Sets positions where a list has become ordered, and clears them where it is not ordered any
    /// more.
    ///
    /// A list that becomes ordered is in the order of its row numbers at first.
    private func arrange(_ link: LinkMove) throws {
        switch link.relationship.storage {
        case .column(let column):
            let table = link.relationship.table
            if let position = plan.new.positionColumn(inInverseOf: link.relationship),
                !plan.wasInverseOrdered(link)
            {
                try number(
                    plan.new.name(of: table),
                    position: plan.new.name(of: position, in: table),
                    by: plan.new.name(of: column, in: table),
                    order: "_id"
                )
            }
        case .join(let join, _):
            try arrange(plan.new.joins[join], of: link)
        case .inverse:
            return
        }
    }

    private func arrange(_ join: JoinLayout, of link: LinkMove) throws {
        let name = join.name.quotedDatabaseIdentifier
        let sides = [
            (join.isOrdered, plan.wasOrdered(link), "position", "owner", "member"),
            (
                join.isInverseOrdered, plan.wasInverseOrdered(link), "inversePosition", "member",
                "owner"
            ),
        ]
        for (isOrdered, wasOrdered, position, end, other) in sides where isOrdered != wasOrdered {
            if isOrdered {
                try number(name, position: position, by: end, order: other)
            } else {
                try execute("UPDATE \(name) SET \(position) = NULL WHERE \(position) IS NOT NULL")
            }
        }
    }

    private func number(
        _ table: String,
        position: String,
        by list: String,
        order: String
    ) throws {
        try execute(
            """
            UPDATE \(table) SET \(position) = n.number FROM (SELECT _id AS row, \
            row_number() OVER (PARTITION BY \(list) ORDER BY \(order)) - 1 AS number \
            FROM \(table) WHERE \(list) IS NOT NULL) n WHERE _id = n.row
            """
        )
    }
}
