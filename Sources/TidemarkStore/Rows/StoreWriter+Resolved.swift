import GRDB
import TidemarkModel

/// Linking of unresolved references whose rows are stored now.
extension StoreWriter {
    /// Links the unresolved references to rows that this transaction inserted or gave another key.
    package func linkResolvedReferences() throws {
        try writePending()
        try removeLinksOfRetyped()
        try recordChildrenOfRekeyed()
        for entity in parentsFirst {
            let inserted = changes(ifAnyIn: entity.table)?.inserted
            let rekeyed = rekeyed[entity.table] ?? []
            guard inserted?.count ?? 0 > 0 || !rekeyed.isEmpty, try isAwaited(entity) else {
                continue
            }
            // The service knows these links by their keys.
            try withoutCapture {
                if let first = inserted?.first, let last = inserted?.last {
                    try linkRows(of: entity, from: first, to: last)
                }
                for row in rekeyed {
                    try linkRows(of: entity, from: row, to: row)
                }
            }
        }
    }

    /// The entities with a primary key.
    ///
    /// Those whose key contains the key of a parent come after the parent's entity, because a link
    /// to the parent may complete their key.
    private var parentsFirst: [EntityLayout] {
        let keyed = layout.entities.filter { !$0.key.isEmpty }
        guard keyed.contains(where: \.hasParentInKey) else { return keyed }
        return keyed.filter { !$0.hasParentInKey }
            + keyed.filter(\.hasParentInKey).sorted { $0.keyDepth < $1.keyDepth }
    }

    /// Records the rows whose primary key contains that of a row whose key changed.
    private func recordChildrenOfRekeyed() throws {
        var open = rekeyed
        while !open.isEmpty {
            var next: [Int: [Int64]] = [:]
            for (parent, rows) in open {
                for (table, column) in layout.keyReferences(to: parent) {
                    let children = try statement(
                        "SELECT _id FROM \(name(of: table)) WHERE \(name(of: column, in: table)) = ?"
                    )
                    for row in rows {
                        children.bind(row, at: 1)
                        while try children.step() {
                            next[table, default: []].append(children.integer(at: 0))
                        }
                        children.reset()
                    }
                }
            }
            for (table, rows) in next {
                for row in rows { recordKeyChange(of: row, in: table) }
            }
            open = next
        }
    }

    private func isAwaited(_ entity: EntityLayout) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM _tidemark_held WHERE destination = ?)"
            ),
            arguments: [entity.name]
        ) ?? false
    }

    /// Links unresolved references to rows in a range of row numbers, in batches to limit memory
    /// use.
    private func linkRows(of entity: EntityLayout, from first: Int64, to last: Int64) throws {
        var next = (member: first, reference: Int64.min)
        while true {
            let arrivals = try arrivals(entity, from: next, to: last)
            try linkResolved(arrivals)
            guard arrivals.count == Self.arrivalLimit, let reached = arrivals.last else { return }
            // The batch may have ended between two references to the same row, and references that
            // cannot be linked stay.
            next = (reached.member, reached.number + 1)
        }
    }

    private static let arrivalLimit = 10_000

    /// An unresolved reference whose row is stored now.
    private struct Arrival {
        let number: Int64
        let relationship: String
        let owner: Int64
        let member: Int64
        let position: Int64?
    }

    /// Returns the unresolved references to rows in a range, in the order of the rows.
    ///
    /// - Parameters:
    ///   - entity: The entity of the rows.
    ///   - first: The number of the first row, and the smallest number of a reference to it.
    ///   - last: The number of the last row.
    /// - Returns: At most ``arrivalLimit`` references.
    /// - Throws: `DatabaseError`.
    private func arrivals(
        _ entity: EntityLayout,
        from first: (member: Int64, reference: Int64),
        to last: Int64
    ) throws -> [Arrival] {
        let table = layout.tables[entity.table]
        // The unary plus removes the affinity of the column, with which SQLite could not use the
        // index on `key`.
        let key = layout.keyExpression(layout.keyExpressions(of: entity, in: "d").map { "+\($0)" })
        let family = entity.family.map { names in
            " AND d._entity IN (\(names.map(\.quotedText).joined(separator: ", ")))"
        }
        let rows = try Row.fetchAll(
            db,
            // CROSS JOIN fixes the order of the loops: SQLite's planner does not reorder its
            // tables.
            sql: """
                SELECT h._id, h.relationship, h.owner, d._id, h.position \
                FROM \(table.name.quotedDatabaseIdentifier) d \
                CROSS JOIN _tidemark_held h ON h.destination = ? AND h.key = \(key) \
                WHERE d._id BETWEEN ? AND ? AND (d._id > ? OR h._id >= ?)\(family ?? "") \
                ORDER BY d._id, h._id LIMIT \(Self.arrivalLimit)
                """,
            arguments: [entity.name, first.member, last, first.member, first.reference]
        )
        return rows.map {
            Arrival(
                number: $0[0],
                relationship: $0[1],
                owner: $0[2],
                member: $0[3],
                position: $0[4]
            )
        }
    }

    private func linkResolved(_ arrivals: [Arrival]) throws {
        for arrival in arrivals {
            if let relationship = layout.relationships[arrival.relationship],
                try exists(arrival.owner, in: relationship.table)
            {
                guard try isLinked(arrival, by: relationship) else { continue }
            }
            try discardUnresolved(arrival.number)
        }
    }

    /// Links the rows of a reference.
    ///
    /// Returns false if that would give the owner the same primary key as another row; the
    /// reference then remains unresolved.
    private func isLinked(
        _ arrival: Arrival,
        by relationship: RelationshipLayout
    ) throws -> Bool {
        do {
            try link(arrival, by: relationship)
            return true
        } catch let error as DatabaseError
            where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE
        {
            return false
        }
    }

    /// Links the rows of a reference, unless the row was imported with its own links and the owner
    /// is not among them.
    ///
    /// Links that were imported with a row are newer than a reference that was waiting for it.
    private func link(_ arrival: Arrival, by relationship: RelationshipLayout) throws {
        let inverse = layout.inverse(of: relationship)
        if let inverse, try isOmitted(arrival.owner, by: inverse, of: arrival.member) { return }
        if !unresolved.current.contains(arrival.number) {
            if try isTaken(relationship, of: arrival.owner, byOtherThan: arrival.member) { return }
            if let inverse, try isTaken(inverse, of: arrival.member, byOtherThan: arrival.owner) {
                return
            }
            if let inverse, try isAwaiting(inverse, of: arrival.member) { return }
        }
        let isNew = try link(
            relationship,
            of: arrival.owner,
            to: arrival.member,
            at: arrival.position
        )
        if !isNew, let position = arrival.position {
            try put(arrival.member, at: position, in: relationship, of: arrival.owner)
        }
    }

    /// Returns whether a to-one relationship of a row already links to a different row.
    ///
    /// That link is newer than a reference that was recorded by an earlier transaction.
    private func isTaken(
        _ relationship: RelationshipLayout,
        of row: Int64,
        byOtherThan other: Int64
    ) throws -> Bool {
        guard !relationship.relationship.isToMany else { return false }
        return try linked(relationship, of: row).first.map { $0 != other } ?? false
    }

    /// Returns whether this transaction has recorded that a to-one relationship of a row refers to
    /// one that is not stored.
    ///
    /// That is newer, too: the service says what the row is linked to.
    private func isAwaiting(_ relationship: RelationshipLayout, of row: Int64) throws -> Bool {
        guard !relationship.relationship.isToMany, try hasUnresolved(relationship) else {
            return false
        }
        return try unresolvedNumbers(relationship, of: row)
            .contains(where: unresolved.current.contains)
    }
}

extension EntityLayout {
    /// The largest number of references that a part of the primary key goes through.
    fileprivate var keyDepth: Int { keyParts.map(\.references.count).max() ?? 0 }
}
