import GRDB
public import TidemarkModel

/// References to rows that are not here yet.
///
/// A reference by key whose row is not stored is held in `_tidemark_held` and becomes a link as
/// soon as any write gives a row that key, in whatever order things arrive. It ends when its owner
/// gets another value or goes.
extension StoreWriter {
    /// Whether any row's reference in this relationship is held.
    public func hasHeld(_ relationship: RelationshipLayout) throws -> Bool {
        guard try hasAnyHeld() else { return false }
        if let known = heldRelationships[relationship.identifier] { return known }
        let found =
            try Bool.fetchOne(
                db,
                sql: "SELECT EXISTS (SELECT 1 FROM _tidemark_held WHERE relationship = ?)",
                arguments: [relationship.identifier]
            ) ?? false
        heldRelationships[relationship.identifier] = found
        return found
    }

    private func hasAnyHeld() throws -> Bool {
        if let isAnythingHeld { return isAnythingHeld }
        let found =
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM _tidemark_held)") ?? false
        isAnythingHeld = found
        return found
    }

    private func noteHeld(_ relationship: RelationshipLayout) {
        isAnythingHeld = true
        heldRelationships[relationship.identifier] = true
    }

    /// Makes the held references of a row's relationship just these.
    ///
    /// - Parameters:
    ///   - relationship: the relationship, seen from the row.
    ///   - row: the row's number.
    ///   - keys: the keys of rows that are not here, each with all its parts.
    ///   - places: their places in an ordered list.
    /// - Throws: `DatabaseError`.
    public func hold(
        _ relationship: RelationshipLayout,
        of row: Int64,
        keys: [[StoredValue]],
        places: [Int64]? = nil
    ) throws {
        if keys.isEmpty, try !hasHeld(relationship) { return }
        var kept: Set<Int64> = []
        for (index, key) in keys.enumerated() {
            let number = try hold(relationship, of: row, key: key, place: places?[index])
            kept.insert(number)
            heldNow.insert(number)
        }
        try release(relationship, of: row) { !kept.contains($0) }
        if !keys.isEmpty {
            noteHeld(relationship)
        }
    }

    /// Holds one reference, and returns its number; nothing is written where it is held already.
    private func hold(
        _ relationship: RelationshipLayout,
        of row: Int64,
        key: [StoredValue],
        place: Int64?
    ) throws -> Int64 {
        let expression = keyExpression((4..<4 + key.count).map { "?\($0)" })
        let known = try statement(
            """
            SELECT _id FROM _tidemark_held WHERE relationship = ?1 AND owner = ?2 \
            AND key = \(expression) AND position IS ?3
            """
        )
        if let number = try run(known, relationship, row, key, place) { return number }
        let insert = try statement(
            """
            INSERT INTO _tidemark_held (relationship, owner, position, destination, key) \
            VALUES (?1, ?2, ?3, \(destination(of: relationship).quotedText), \(expression)) \
            ON CONFLICT DO UPDATE SET position = excluded.position RETURNING _id
            """
        )
        return try run(insert, relationship, row, key, place) ?? 0
    }

    /// Runs a statement about one held reference, and returns the number it gives.
    private func run(
        _ statement: RowStatement,
        _ relationship: RelationshipLayout,
        _ row: Int64,
        _ key: [StoredValue],
        _ place: Int64?
    ) throws -> Int64? {
        var identifier = relationship.identifier
        return try identifier.withUTF8 { identifier in
            statement.bind(.text(UnsafeRawBufferPointer(identifier)), at: 1)
            statement.bind(row, at: 2)
            statement.bind(place.map(StoredValue.integer) ?? .null, at: 3)
            for (index, part) in key.enumerated() {
                statement.bind(part, at: 4 + index)
            }
            defer { statement.reset() }
            return try statement.step() ? statement.integer(at: 0) : nil
        }
    }

    private func destination(of relationship: RelationshipLayout) -> String {
        layout.entities[relationship.destination].name
    }

    /// Forgets the held references of a row's relationship.
    public func release(_ relationship: RelationshipLayout, of row: Int64) throws {
        if try hasHeld(relationship) {
            try release(relationship, of: row) { _ in true }
        }
    }

    private func release(
        _ relationship: RelationshipLayout,
        of row: Int64,
        where isStale: (Int64) -> Bool
    ) throws {
        let numbers = try Int64.fetchAll(
            db,
            sql: "SELECT _id FROM _tidemark_held WHERE relationship = ? AND owner = ?",
            arguments: [relationship.identifier, row]
        )
        for number in numbers where isStale(number) {
            try forget(number)
        }
    }

    /// Remembers what pointed at a row that is about to go, so that it is linked again if it comes
    /// back.
    func holdPointer(
        _ relationship: RelationshipLayout,
        of owner: Int64,
        to row: Int64
    ) throws {
        let destination = layout.entities[relationship.destination]
        guard !destination.key.isEmpty else { return }
        let table = destination.table
        let parts = destination.key.map { name(of: $0, in: table) }
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_held (relationship, owner, destination, key) \
                SELECT ?, ?, ?, \(keyExpression(parts)) FROM \(name(of: table)) \
                WHERE _id = ? AND \(parts.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")) \
                ON CONFLICT DO NOTHING
                """
        ).execute(arguments: [relationship.identifier, owner, destination.name, row])
        noteHeld(relationship)
    }

    /// The one value that stands for a key in `_tidemark_held`: its part, or all parts as a list.
    private func keyExpression(_ parts: [String]) -> String {
        parts.count == 1 ? parts[0] : parts.map { "quote(\($0))" }.joined(separator: " || ',' || ")
    }

    // MARK: Linking what arrived

    /// Links the held references whose rows this transaction has brought.
    public func linkHeldReferences() throws {
        for entity in layout.entities where !entity.key.isEmpty {
            let inserted = changes(ifAnyIn: entity.table)?.inserted
            let rekeyed = rekeyed[entity.table] ?? []
            guard inserted?.count ?? 0 > 0 || !rekeyed.isEmpty, try isAwaited(entity) else {
                continue
            }
            if let inserted, inserted.count > 0 {
                try linkNewRows(of: entity, inserted)
            }
            for row in rekeyed {
                try linkHeld(arrivals(entity, from: row, to: row))
            }
        }
    }

    private func isAwaited(_ entity: EntityLayout) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: "SELECT EXISTS (SELECT 1 FROM _tidemark_held WHERE destination = ?)",
            arguments: [entity.name]
        ) ?? false
    }

    /// Goes through the new rows in batches, so that memory does not grow with them.
    private func linkNewRows(of entity: EntityLayout, _ inserted: RowSet) throws {
        guard let first = inserted.first, let last = inserted.last else { return }
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
        let key = keyExpression(entity.key.map { "+d.\(name(of: $0, in: entity.table))" })
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
                try link(arrival, relationship)
            }
            try forget(arrival.number)
        }
    }

    /// Links an arrival, unless the row itself has come with a list that the owner is not in.
    private func link(_ arrival: Arrival, _ relationship: RelationshipLayout) throws {
        if let inverse = layout.inverse(of: relationship), inverse.relationship.isToMany,
            try isLeftOut(arrival.owner, inverse, of: arrival.member)
        {
            return
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

    private func forget(_ number: Int64) throws {
        try db.cachedStatement(sql: "DELETE FROM _tidemark_held WHERE _id = ?")
            .execute(arguments: [number])
        heldNow.remove(number)
        forgotten.insert(number)
    }

    /// Forgets the references that this transaction was the first to hold.
    public func forgetHeldReferences(after highest: Int64) throws {
        for number in Array(heldNow.rows) where number > highest || forgotten.contains(number) {
            try db.cachedStatement(sql: "DELETE FROM _tidemark_held WHERE _id = ?")
                .execute(arguments: [number])
        }
    }

    /// The highest number of a held reference.
    public func highestHeldReference() throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT coalesce(max(_id), 0) FROM _tidemark_held") ?? 0
    }

    /// Whether a row is in a table: another writer may have removed the owner of a held reference.
    private func exists(_ row: Int64, in table: Int) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM \(name(of: table)) WHERE _id = ?)"
            ),
            arguments: [row]
        ) ?? false
    }
}

extension String {
    /// The text as a literal in SQL.
    var quotedText: String {
        "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }
}
