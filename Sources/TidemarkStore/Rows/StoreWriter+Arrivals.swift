import GRDB
import TidemarkModel

/// Held references whose rows have arrived.
extension StoreWriter {
    /// Links the held references whose rows this transaction has brought.
    package func linkHeldReferences() throws {
        try noteChildrenOfRekeyed()
        for entity in parentsFirst {
            let inserted = changes(ifAnyIn: entity.table)?.inserted
            let rekeyed = rekeyed[entity.table] ?? []
            guard inserted?.count ?? 0 > 0 || !rekeyed.isEmpty, try isAwaited(entity) else {
                continue
            }
            if let first = inserted?.first, let last = inserted?.last {
                try linkRows(of: entity, from: first, to: last)
            }
            for row in rekeyed {
                try linkRows(of: entity, from: row, to: row)
            }
        }
    }

    /// The entities that have a key; those whose key contains that of a parent after it: a link to
    /// the parent may give them their key.
    private var parentsFirst: [EntityLayout] {
        let keyed = layout.entities.filter { !$0.key.isEmpty }
        guard keyed.contains(where: \.hasParentInKey) else { return keyed }
        return keyed.filter { !$0.hasParentInKey }
            + keyed.filter(\.hasParentInKey).sorted { $0.keyDepth < $1.keyDepth }
    }

    /// Tracks the rows whose key contains that of a row that has another key now.
    private func noteChildrenOfRekeyed() throws {
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
                for row in rows { noteKey(of: row, in: table) }
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

    /// Links what waits for rows in a range, in batches: memory does not grow with them.
    private func linkRows(of entity: EntityLayout, from first: Int64, to last: Int64) throws {
        var next = first
        while next <= last {
            let arrivals = try arrivals(entity, from: next, to: last)
            try linkHeld(arrivals)
            guard arrivals.count == Self.arrivalLimit, let reached = arrivals.last?.member else {
                return
            }
            next = reached
        }
    }

    private static let arrivalLimit = 10_000

    /// A held reference whose row is here.
    private struct Arrival {
        let number: Int64
        let relationship: String
        let owner: Int64
        let member: Int64
        let place: Int64?
    }

    /// The held references to rows in a range, by row.
    private func arrivals(
        _ entity: EntityLayout,
        from first: Int64,
        to last: Int64
    ) throws -> [Arrival] {
        let table = layout.tables[entity.table]
        // Without its plus sign a column's affinity would keep SQLite from using the index on
        // `key`.
        let key = keyExpression(layout.keyExpressions(of: entity, in: "d").map { "+\($0)" })
        let family = entity.family.map { names in
            " AND d._entity IN (\(names.map(\.quotedText).joined(separator: ", ")))"
        }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT h._id, h.relationship, h.owner, d._id, h.position \
                FROM \(table.name.quotedDatabaseIdentifier) d \
                CROSS JOIN _tidemark_held h ON h.destination = ? AND h.key = \(key) \
                WHERE d._id BETWEEN ? AND ?\(family ?? "") ORDER BY d._id LIMIT \(Self.arrivalLimit)
                """,
            arguments: [entity.name, first, last]
        )
        return rows.map {
            Arrival(number: $0[0], relationship: $0[1], owner: $0[2], member: $0[3], place: $0[4])
        }
    }

    private func linkHeld(_ arrivals: [Arrival]) throws {
        for arrival in arrivals {
            if let relationship = layout.relationships[arrival.relationship],
                try exists(arrival.owner, in: relationship.table)
            {
                guard try isLinked(arrival, relationship) else { continue }
            }
            try forget(arrival.number)
        }
    }

    /// Links an arrival; false where another row has the key that the owner would have with it: the
    /// reference then stays held.
    private func isLinked(
        _ arrival: Arrival,
        _ relationship: RelationshipLayout
    ) throws -> Bool {
        do {
            try link(arrival, relationship)
            return true
        } catch let error as DatabaseError
            where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE
        {
            return false
        }
    }

    /// Links an arrival, unless the row itself has come with links of its own, and the owner is not
    /// among them.
    private func link(_ arrival: Arrival, _ relationship: RelationshipLayout) throws {
        let inverse = layout.inverse(of: relationship)
        if let inverse, try isLeftOut(arrival.owner, inverse, of: arrival.member) { return }
        if !heldNow.contains(arrival.number) {
            if try isTaken(relationship, of: arrival.owner, byOtherThan: arrival.member) { return }
            if let inverse, try isTaken(inverse, of: arrival.member, byOtherThan: arrival.owner) {
                return
            }
        }
        let isNew = try link(
            relationship,
            of: arrival.owner,
            to: arrival.member,
            at: arrival.place
        )
        if !isNew, let place = arrival.place {
            try put(arrival.member, at: place, relationship, of: arrival.owner)
        }
    }

    /// Whether a row has the one link that it can have: what waited since an earlier transaction
    /// is older than that.
    private func isTaken(
        _ relationship: RelationshipLayout,
        of row: Int64,
        byOtherThan other: Int64
    ) throws -> Bool {
        guard !relationship.relationship.isToMany else { return false }
        return try reader.linked(relationship, of: row).first.map { $0 != other } ?? false
    }

    /// Whether a row is in a table: another writer may have removed the owner of a held reference.
    func exists(_ row: Int64, in table: Int) throws -> Bool {
        let find = try statement("SELECT 1 FROM \(name(of: table)) WHERE _id = ?")
        find.bind(row, at: 1)
        defer { find.reset() }
        return try find.step()
    }
}

extension EntityLayout {
    /// Through how many rows the longest part of the primary key leads.
    fileprivate var keyDepth: Int { keyParts.map(\.references.count).max() ?? 0 }
}
