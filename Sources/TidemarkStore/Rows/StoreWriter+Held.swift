import GRDB
package import TidemarkModel

/// References to rows that are not here yet.
///
/// A reference by key whose row is not stored is held in `_tidemark_held` and becomes a link as
/// soon as any write gives a row that key, in whatever order things arrive. It ends when its owner
/// gets another value or goes.
extension StoreWriter {
    /// Whether any row's reference in this relationship is held.
    package func hasHeld(_ relationship: RelationshipLayout) throws -> Bool {
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

    /// Whether any reference is held.
    package func hasAnyHeld() throws -> Bool { try reader.hasAnyHeld() }

    private func noteHeld(_ relationship: RelationshipLayout) {
        reader.isAnythingHeld = true
        heldRelationships[relationship.identifier] = true
    }

    /// Makes the held references of a row's relationship just these.
    ///
    /// - Parameters:
    ///   - relationship: the relationship, seen from the row.
    ///   - row: the row's number.
    ///   - keys: the keys of rows that are not here, each with all its parts.
    ///   - places: their places in an ordered list.
    ///   - isAddition: whether what is held already stays held too.
    /// - Throws: `DatabaseError`.
    package func hold(
        _ relationship: RelationshipLayout,
        of row: Int64,
        keys: [[StoredValue]],
        places: [Int64]? = nil,
        isAddition: Bool = false
    ) throws {
        if keys.isEmpty, try !hasHeld(relationship) { return }
        var kept: Set<Int64> = []
        for (index, key) in keys.enumerated() {
            let number = try hold(relationship, row, key, places?[index], besides: kept)
            kept.insert(number)
            heldNow.insert(number)
        }
        if !isAddition { try release(relationship, of: row) { !kept.contains($0) } }
        if !keys.isEmpty {
            noteHeld(relationship)
        }
    }

    /// Holds one reference, and returns its number; nothing is written where it is held already.
    ///
    /// A key that comes twice has its first place.
    private func hold(
        _ relationship: RelationshipLayout,
        _ row: Int64,
        _ key: [StoredValue],
        _ place: Int64?,
        besides kept: Set<Int64>
    ) throws -> Int64 {
        if let number = try held(relationship, row, key, place, "position IS ?3") { return number }
        if place != nil, let number = try held(relationship, row, key, nil, "?3 IS NULL"),
            kept.contains(number)
        {
            return number
        }
        newReferences += 1
        return try insertHeld(relationship, row, key, place)
    }

    private func held(
        _ relationship: RelationshipLayout,
        _ row: Int64,
        _ key: [StoredValue],
        _ place: Int64?,
        _ condition: String
    ) throws -> Int64? {
        let known = try statement(
            """
            SELECT _id FROM _tidemark_held WHERE relationship = ?1 AND owner = ?2 \
            AND key = \(boundKey(key)) AND \(condition)
            """
        )
        return try run(known, relationship, row, key, place)
    }

    /// Holds one reference, or gives it another place, and returns its number.
    private func insertHeld(
        _ relationship: RelationshipLayout,
        _ row: Int64,
        _ key: [StoredValue],
        _ place: Int64?
    ) throws -> Int64 {
        let insert = try statement(
            """
            INSERT INTO _tidemark_held (relationship, owner, position, destination, key) \
            VALUES (?1, ?2, ?3, \(destination(of: relationship).quotedText), \(boundKey(key))) \
            ON CONFLICT DO UPDATE SET position = excluded.position RETURNING _id
            """
        )
        return try run(insert, relationship, row, key, place) ?? 0
    }

    private func boundKey(_ key: [StoredValue]) -> String {
        keyExpression((4..<4 + key.count).map { "?\($0)" })
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
    package func release(_ relationship: RelationshipLayout, of row: Int64) throws {
        if try hasHeld(relationship) {
            try release(relationship, of: row) { _ in true }
        }
    }

    private func release(
        _ relationship: RelationshipLayout,
        of row: Int64,
        where isStale: (Int64) -> Bool
    ) throws {
        for number in try heldNumbers(relationship, of: row) where isStale(number) {
            try forget(number)
        }
    }

    func heldNumbers(
        _ relationship: RelationshipLayout,
        of row: Int64
    ) throws -> [Int64] {
        let find = try statement(
            "SELECT _id FROM _tidemark_held WHERE relationship = ? AND owner = ?"
        )
        var identifier = relationship.identifier
        return try identifier.withUTF8 { identifier in
            find.bind(.text(UnsafeRawBufferPointer(identifier)), at: 1)
            find.bind(row, at: 2)
            defer { find.reset() }
            var numbers: [Int64] = []
            while try find.step() { numbers.append(find.integer(at: 0)) }
            return numbers
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
        let table = name(of: destination.table)
        let parts = layout.keyExpressions(of: destination, in: table)
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_held (relationship, owner, destination, key) \
                SELECT ?, ?, ?, \(keyExpression(parts)) FROM \(table) \
                WHERE _id = ? AND \(parts.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")) \
                ON CONFLICT DO NOTHING
                """
        ).execute(arguments: [relationship.identifier, owner, destination.name, row])
        noteHeld(relationship)
    }

    /// The one value that stands for a key in `_tidemark_held`: its part, or all parts as a list.
    package func keyExpression(_ parts: [String]) -> String {
        parts.count == 1 ? parts[0] : parts.map { "quote(\($0))" }.joined(separator: " || ',' || ")
    }

    func forget(_ number: Int64) throws {
        let delete = try statement("DELETE FROM _tidemark_held WHERE _id = ?")
        delete.bind(number, at: 1)
        try delete.run()
        heldNow.remove(number)
        forgotten.insert(number)
    }

    /// Forgets the references that this transaction was the first to hold.
    package func forgetHeldReferences(after highest: Int64) throws {
        for number in Array(heldNow.rows) where number > highest || forgotten.contains(number) {
            try db.cachedStatement(sql: "DELETE FROM _tidemark_held WHERE _id = ?")
                .execute(arguments: [number])
        }
    }

    /// The highest number of a held reference.
    package func highestHeldReference() throws -> Int64 {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT coalesce(max(_id), 0) FROM _tidemark_held")
        ) ?? 0
    }
}

extension String {
    /// The text as a literal in SQL.
    var quotedText: String {
        "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }
}
