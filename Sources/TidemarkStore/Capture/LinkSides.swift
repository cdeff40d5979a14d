package import GRDB
import TidemarkModel

/// The relationships whose links are sent with the rows that have them, where a service shows that
/// it expects them there, or its configuration says so.
///
/// Links of a many-to-many relationship, and of a one-to-many relationship that a service keeps as
/// a list in the parent, can be sent with either row. Without an entry the model decides: a
/// reference is sent with the row that has it, and a pair with its owner. With entries for both,
/// the links are sent with both rows.
package struct LinkSides: Hashable, Sendable {
    /// The identifiers of the relationships.
    package var identifiers: Set<String>

    package init(_ identifiers: Set<String> = []) {
        self.identifiers = identifiers
    }

    func contains(_ relationship: RelationshipLayout) -> Bool {
        identifiers.contains(relationship.identifier)
    }

    /// Reads the sides that a store records.
    package static func read(_ db: Database) throws -> LinkSides {
        try Capture.isInstalled(db) ? StoreMetadata.linkSides(db) : LinkSides()
    }
}

/// Two relationships that are the two ends of the same links, which can be sent with either.
package struct LinkPair: Sendable {
    package let relationship: RelationshipLayout
    package let inverse: RelationshipLayout

    /// Both ends.
    package var both: [RelationshipLayout] { [relationship, inverse] }

    /// Whether the model says with which rows the links are sent.
    package var isDecidedByModel: Bool { both.contains { $0.relationship.json.push != nil } }

    /// The ends whose lists have an order.
    fileprivate var ordered: [RelationshipLayout] {
        both.filter { $0.relationship.isToMany && $0.relationship.isOrdered }
    }
}

extension StoreLayout {
    /// The relationships whose links can be sent with either of two rows, with their inverses.
    package var linkPairs: [LinkPair] {
        var pairs: [LinkPair] = []
        var seen: Set<String> = []
        for relationship in relationships.values.sorted(by: { $0.identifier < $1.identifier }) {
            guard seen.insert(relationship.identifier).inserted,
                let inverse = inverse(of: relationship), mayChooseSide(relationship, inverse)
            else { continue }
            seen.insert(inverse.identifier)
            pairs.append(LinkPair(relationship: relationship, inverse: inverse))
        }
        return pairs
    }

    /// Returns the sides of links, by what objects have shown.
    ///
    /// - Parameters:
    ///   - isSeen: Returns whether objects had the links of a relationship, as keys.
    ///   - configured: The identifiers of relationships that the configuration has chosen.
    ///   - current: The sides so far: where both are seen, the choice does not change.
    ///   - rowCount: Returns the number of rows of a table.
    /// - Returns: The sides.
    package func linkSides(
        where isSeen: (RelationshipLayout) -> Bool,
        configured: Set<String>,
        current: LinkSides,
        rowCount: (Int) throws -> Int
    ) rethrows -> LinkSides {
        var sides = LinkSides()
        for pair in linkPairs {
            if let chosen = pair.both.first(where: { configured.contains($0.identifier) }) {
                sides.identifiers.insert(chosen.identifier)
                continue
            }
            guard !pair.isDecidedByModel else { continue }
            let seen = pair.both.filter(isSeen)
            if seen.count == 1 {
                sides.identifiers.insert(seen[0].identifier)
            } else if seen.count == 2 {
                sides.identifiers.formUnion(try seenOnBothSides(pair, current, rowCount))
            }
        }
        return sides
    }

    /// Returns the sides of links that the service shows on both.
    ///
    /// An order is a part of its list alone: each list that has one is sent. The references of its
    /// members are sent as well, because some services accept links nowhere else.
    private func seenOnBothSides(
        _ pair: LinkPair,
        _ current: LinkSides,
        _ rowCount: (Int) throws -> Int
    ) rethrows -> [String] {
        let ordered = pair.ordered
        guard pair.both.allSatisfy(\.relationship.isToMany) else {
            return ordered.isEmpty ? [] : pair.both.map(\.identifier)
        }
        guard ordered.isEmpty else { return ordered.map(\.identifier) }
        let known = pair.both.first { current.contains($0) }
        return [try (known ?? cheaper(pair.relationship, pair.inverse, rowCount)).identifier]
    }

    /// Returns the ordered relationships whose order no request contains, sorted.
    ///
    /// The links are sent with the rows on the other side, whose objects have no place for it.
    package func unsentOrders(_ sides: LinkSides) -> [RelationshipLayout] {
        let sent = CapturePlan(self, sides: sides).lists.filter { $0.order != nil }
        let identifiers = Set(sent.map(\.relationship.identifier))
        return linkPairs.flatMap(\.ordered).filter { !identifiers.contains($0.identifier) }
            .sorted { $0.identifier < $1.identifier }
    }

    /// Whether links can be sent with either of two rows.
    private func mayChooseSide(
        _ relationship: RelationshipLayout,
        _ inverse: RelationshipLayout
    ) -> Bool {
        let both = [relationship, inverse]
        return relationship.identifier != inverse.identifier
            && both.allSatisfy { side in
                side.relationship.json.isExportable
                    && !entities[side.destination].key.isEmpty
                    && !tables[side.table].keys.isEmpty
            }
            && both.contains(where: \.relationship.isToMany)
    }

    /// Returns the side with the shorter lists: that of the entity with more rows.
    private func cheaper(
        _ relationship: RelationshipLayout,
        _ inverse: RelationshipLayout,
        _ rowCount: (Int) throws -> Int
    ) rethrows -> RelationshipLayout {
        try rowCount(relationship.table) >= rowCount(inverse.table) ? relationship : inverse
    }
}

extension Capture {
    /// Records links with other rows from now on.
    ///
    /// Changes of links that were not pushed yet move to the rows on the other side. While a
    /// request with links is being sent, or its outcome is unknown, nothing changes.
    ///
    /// - Parameter sides: The new sides.
    /// - Throws: `DatabaseError`.
    package func change(to sides: LinkSides) throws {
        let old = try CapturePlan.of(db, layout)
        guard try StoreMetadata.linkSides(db) != sides else { return }
        let new = CapturePlan(layout, sides: sides)
        let before = Dictionary(grouping: old.lists, by: \.relationship.identifier)
        let after = Dictionary(grouping: new.lists, by: \.relationship.identifier)
        let changed = Set(before.keys).symmetricDifference(after.keys)
        try collect()
        let touched = affected(changed)
        guard try !hasSentLinks(of: touched) else { return }
        // What both plans record, such as the order of a list, stays where it is.
        let ended = touched.filter { !($0.isRecorded(by: old) && $0.isRecorded(by: new)) }
        let moved = try takeLinks(of: ended)
        try StoreMetadata.recordLinkSides(db, sides)
        try Self.install(db, layout)
        for link in moved { try record(link, by: new) }
        try forgetEmpty()
    }

    /// A link that differs from what the service knows.
    private struct ChangedLink: Hashable {
        let relationship: String
        let row: Int64
        let other: Int64
        let wasLinked: Bool
    }

    /// The identifiers of the relationships whose links may be recorded with other rows now: those
    /// with a changed list, and their inverses.
    private func affected(_ changed: Set<String>) -> [RelationshipLayout] {
        layout.relationships.values.filter { relationship in
            changed.contains(relationship.identifier)
                || layout.inverse(of: relationship).map { changed.contains($0.identifier) } == true
        }
        .sorted { $0.identifier < $1.identifier }
    }

    private func hasSentLinks(of relationships: [RelationshipLayout]) throws -> Bool {
        let properties = relationships.flatMap(properties)
        return try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM _tidemark_change WHERE frozen = 1 AND (kind = 'create' \
                OR _id IN (SELECT change FROM _tidemark_base \
                WHERE property IN (\(databaseQuestionMarks(count: properties.count))))))
                """,
            arguments: StatementArguments(properties)
        ) ?? false
    }

    /// The names under which the links of a relationship are recorded.
    private func properties(_ relationship: RelationshipLayout) -> [String] {
        guard case .column(let column) = relationship.storage else {
            return [relationship.identifier]
        }
        return [layout.tables[relationship.table].columns[column].name]
    }

    /// Removes the recorded changes of links, and returns them.
    private func takeLinks(of relationships: [RelationshipLayout]) throws -> Set<ChangedLink> {
        var links: Set<ChangedLink> = []
        for relationship in relationships {
            switch relationship.storage {
            case .column(let column): try takeReferences(relationship, column, into: &links)
            case .inverse, .join: try takeMembers(relationship, into: &links)
            }
            links.formUnion(try linksOfCreations(relationship))
        }
        return links
    }

    private func takeReferences(
        _ relationship: RelationshipLayout,
        _ column: Int,
        into links: inout Set<ChangedLink>
    ) throws {
        let name = layout.tables[relationship.table].columns[column].name
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT c._id, c.row, b.value, t.\(name.quotedDatabaseIdentifier) \
                FROM _tidemark_change c JOIN _tidemark_base b ON b.change = c._id \
                JOIN \(layout.name(of: relationship.table)) t ON t._id = c.row \
                WHERE c.tree = ? AND c.kind = 'update' AND b.property = ? AND b.member = 0
                """,
            arguments: [layout.tables[relationship.table].name, name]
        )
        for row in rows {
            let own: Int64 = row[1]
            let (former, present) = (row[2] as Int64?, row[3] as Int64?)
            for (other, wasLinked) in [(former, true), (present, false)] where former != present {
                guard let other else { continue }
                links.insert(
                    ChangedLink(
                        relationship: relationship.identifier,
                        row: own,
                        other: other,
                        wasLinked: wasLinked
                    )
                )
            }
            try db.execute(
                sql: "DELETE FROM _tidemark_base WHERE change = ? AND property = ?",
                arguments: [row[0] as Int64, name]
            )
        }
    }

    private func takeMembers(
        _ relationship: RelationshipLayout,
        into links: inout Set<ChangedLink>
    ) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT c._id, c.row, b.member, b.value FROM _tidemark_change c \
                JOIN _tidemark_base b ON b.change = c._id \
                WHERE c.kind = 'update' AND b.property = ? AND b.member > 0
                """,
            arguments: [relationship.identifier]
        )
        for row in rows {
            links.insert(
                ChangedLink(
                    relationship: relationship.identifier,
                    row: row[1],
                    other: row[2],
                    wasLinked: row[3] as Int64? == 1
                )
            )
        }
        try db.execute(
            sql: """
                DELETE FROM _tidemark_base WHERE (property = ?1 OR property GLOB ?1 || ':*') \
                AND change IN (SELECT _id FROM _tidemark_change WHERE kind = 'update')
                """,
            arguments: [relationship.identifier]
        )
    }

    /// Returns the links of rows that the service does not have, which their creations contain.
    private func linksOfCreations(_ relationship: RelationshipLayout) throws -> Set<ChangedLink> {
        let created = try Int64.fetchAll(
            db,
            sql: "SELECT row FROM _tidemark_change WHERE tree = ? AND kind = 'create'",
            arguments: [layout.tables[relationship.table].name]
        )
        let reader = StoreReader(db, layout: layout)
        var links: Set<ChangedLink> = []
        for row in created {
            for other in try reader.linked(relationship, of: row) {
                links.insert(
                    ChangedLink(
                        relationship: relationship.identifier,
                        row: row,
                        other: other,
                        wasLinked: false
                    )
                )
            }
        }
        return links
    }

    /// Records a link with the row that sends it.
    private func record(_ link: ChangedLink, by plan: CapturePlan) throws {
        guard let relationship = layout.relationships[link.relationship],
            let inverse = layout.inverse(of: relationship)
        else { return }
        let (side, row, member) =
            relationship.isRecorded(by: plan)
            ? (relationship, link.row, link.other) : (inverse, link.other, link.row)
        let name = layout.tables[side.table].name
        try db.execute(
            sql: """
                INSERT INTO _tidemark_change (tree, row, entity, kind) \
                SELECT ?1, _id, \(layout.entityExpression(side.table, in: "t")), 'update' \
                FROM \(layout.name(of: side.table)) t WHERE _id = ?2 ON CONFLICT DO NOTHING
                """,
            arguments: [name, row]
        )
        let base: (property: String, member: Int64, value: Int64?)
        if case .column(let column) = side.storage {
            // One reference may have changed from one row to another.
            let columnName = layout.tables[side.table].columns[column].name
            base = (columnName, 0, link.wasLinked ? member : nil)
        } else {
            base = (side.identifier, member, link.wasLinked ? 1 : 0)
        }
        try db.execute(
            sql: """
                INSERT INTO _tidemark_base (change, property, member, value) \
                SELECT _id, ?, ?, ? FROM _tidemark_change \
                WHERE tree = ? AND row = ? AND frozen = 0 AND kind = 'update' \
                ON CONFLICT DO UPDATE SET value = coalesce(excluded.value, value)
                """,
            arguments: [base.property, base.member, base.value, name, row]
        )
    }

    /// Removes updates without a property that differs.
    private func forgetEmpty() throws {
        try db.execute(
            sql: """
                DELETE FROM _tidemark_change WHERE kind = 'update' AND frozen = 0 AND NOT EXISTS \
                (SELECT 1 FROM _tidemark_base WHERE change = _tidemark_change._id)
                """
        )
    }
}

extension RelationshipLayout {
    /// Whether a plan records the links with the rows that have the relationship.
    fileprivate func isRecorded(by plan: CapturePlan) -> Bool {
        guard case .column(let column) = storage else {
            return plan.lists.contains { $0.relationship.identifier == identifier }
        }
        return plan.columns[table].contains(column)
    }
}
