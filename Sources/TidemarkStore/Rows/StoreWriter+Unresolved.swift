import GRDB
package import TidemarkModel

/// Unresolved references: links to rows that are not stored yet.
///
/// A reference by primary key whose row is not stored is recorded in `_tidemark_held`. It becomes a
/// link as soon as any write gives a row that key, so rows can be imported in any order. It is
/// deleted when its owner is deleted or gets another value.
extension StoreWriter {
    /// Returns whether any row has an unresolved reference in a relationship.
    package func hasUnresolved(_ relationship: RelationshipLayout) throws -> Bool {
        guard try hasAnyUnresolved() else { return false }
        if let known = unresolvedByRelationship[relationship.identifier] { return known }
        let found =
            try Bool.fetchOne(
                db,
                sql: "SELECT EXISTS (SELECT 1 FROM _tidemark_held WHERE relationship = ?)",
                arguments: [relationship.identifier]
            ) ?? false
        unresolvedByRelationship[relationship.identifier] = found
        return found
    }

    private func markUnresolved(_ relationship: RelationshipLayout) {
        anyUnresolved = true
        unresolvedByRelationship[relationship.identifier] = true
    }

    /// Replaces the unresolved references of a row in a relationship.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - row: The number of the row that has the relationship.
    ///   - keys: The primary keys of the rows that are not stored, each with all its parts.
    ///   - positions: The positions of the keys in an ordered list.
    ///   - isAddition: Whether the existing unresolved references are kept.
    /// - Throws: `DatabaseError`.
    package func setUnresolved(
        _ relationship: RelationshipLayout,
        of row: Int64,
        keys: [[StoredValue]],
        positions: [Int64]? = nil,
        isAddition: Bool = false
    ) throws {
        // Saves a query for each row: most relationships have no unresolved references.
        if keys.isEmpty, try !hasUnresolved(relationship) { return }
        try recordingReferences(relationship, of: row) {
            try replaceUnresolved(
                relationship,
                of: row,
                keys: keys,
                positions: positions,
                isAddition: isAddition
            )
        }
    }

    private func replaceUnresolved(
        _ relationship: RelationshipLayout,
        of row: Int64,
        keys: [[StoredValue]],
        positions: [Int64]?,
        isAddition: Bool
    ) throws {
        var kept: Set<Int64> = []
        for (index, key) in keys.enumerated() {
            if try linkConflicts?.isRemoved(relationship, of: row, to: key) == true { continue }
            let reference = UnresolvedReference(
                relationship: relationship,
                owner: row,
                key: key,
                position: positions?[index]
            )
            let number = try number(of: reference, besides: kept)
            kept.insert(number)
            unresolved.current.insert(number)
        }
        if !isAddition { try discardUnresolved(relationship, of: row) { !kept.contains($0) } }
        if !keys.isEmpty {
            markUnresolved(relationship)
        }
    }

    /// A reference to a row that is not stored.
    private struct UnresolvedReference {
        let relationship: RelationshipLayout
        let owner: Int64
        let key: [StoredValue]
        var position: Int64?
    }

    /// Records an unresolved reference and returns its number.
    ///
    /// If it is already recorded, nothing is written.
    ///
    /// A key that occurs twice in a list keeps its first position.
    private func number(
        of reference: UnresolvedReference,
        besides kept: Set<Int64>
    ) throws -> Int64 {
        if let number = try stored(reference, where: "position IS ?3") { return number }
        if reference.position != nil {
            var anywhere = reference
            anywhere.position = nil
            if let number = try stored(anywhere, where: "?3 IS NULL"), kept.contains(number) {
                return number
            }
        }
        unresolved.newCount += 1
        return try insert(reference)
    }

    private func stored(
        _ reference: UnresolvedReference,
        where condition: String
    ) throws -> Int64? {
        let find = try statement(
            ofSystemTables: """
                SELECT _id FROM _tidemark_held WHERE relationship = ?1 AND owner = ?2 \
                AND key = \(boundKey(reference.key)) AND \(condition)
                """
        )
        return try run(find, for: reference)
    }

    /// Inserts an unresolved reference, or updates its position, and returns its number.
    private func insert(_ reference: UnresolvedReference) throws -> Int64 {
        let destination = layout.entities[reference.relationship.destination].name.quotedText
        let insert = try statement(
            ofSystemTables: """
                INSERT INTO _tidemark_held (relationship, owner, position, destination, key) \
                VALUES (?1, ?2, ?3, \(destination), \(boundKey(reference.key))) \
                ON CONFLICT DO UPDATE SET position = excluded.position RETURNING _id
                """
        )
        return try run(insert, for: reference) ?? 0
    }

    private func boundKey(_ key: [StoredValue]) -> String {
        layout.keyExpression((4..<4 + key.count).map { "?\($0)" })
    }

    /// Runs a statement about one unresolved reference, and returns the number in its result.
    private func run(
        _ statement: RowStatement,
        for reference: UnresolvedReference
    ) throws -> Int64? {
        var identifier = reference.relationship.identifier
        // The statement borrows the bytes of the identifier until it is reset.
        return try identifier.withUTF8 { identifier in
            statement.bind(.text(UnsafeRawBufferPointer(identifier)), at: 1)
            statement.bind(reference.owner, at: 2)
            statement.bind(reference.position.map(StoredValue.integer) ?? .null, at: 3)
            for (index, part) in reference.key.enumerated() {
                statement.bind(part, at: 4 + index)
            }
            defer { statement.reset() }
            return try statement.step() ? statement.integer(at: 0) : nil
        }
    }

    /// Deletes the unresolved references of a row in a relationship.
    package func discardUnresolved(_ relationship: RelationshipLayout, of row: Int64) throws {
        if try hasUnresolved(relationship) {
            try recordingReferences(relationship, of: row) {
                try discardUnresolved(relationship, of: row) { _ in true }
            }
        }
    }

    /// Runs a body that changes the unresolved references of a row; local changes are recorded.
    private func recordingReferences(
        _ relationship: RelationshipLayout,
        of row: Int64,
        _ body: () throws -> Void
    ) throws {
        guard let capture = try Capture.of(db, layout) else { return try body() }
        try capture.recordingReferences(relationship, of: row, body)
    }

    private func discardUnresolved(
        _ relationship: RelationshipLayout,
        of row: Int64,
        where isStale: (Int64) -> Bool
    ) throws {
        for number in try unresolvedNumbers(relationship, of: row) where isStale(number) {
            try discardUnresolved(number)
        }
    }

    func unresolvedNumbers(
        _ relationship: RelationshipLayout,
        of row: Int64
    ) throws -> [Int64] {
        let find = try statement(
            ofSystemTables: "SELECT _id FROM _tidemark_held WHERE relationship = ? AND owner = ?"
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

    /// Records a link to a row that is about to be deleted as an unresolved reference, so that it
    /// is linked again if the row is inserted again, at its position in an ordered list.
    ///
    /// Does nothing for a row without a primary key.
    func recordUnresolvedLink(
        _ relationship: RelationshipLayout,
        of owner: Int64,
        to row: Int64
    ) throws {
        let destination = layout.entities[relationship.destination]
        // Without a key, the row could not be recognized when it is inserted again.
        guard !destination.key.isEmpty else { return }
        let table = name(of: destination.table)
        let parts = layout.keyExpressions(of: destination, in: table)
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_held (relationship, owner, position, destination, key) \
                SELECT ?1, ?2, \(positionSQL(relationship)), ?3, \(layout.keyExpression(parts)) \
                FROM \(table) WHERE _id = ?4 \
                AND \(parts.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")) \
                ON CONFLICT DO NOTHING
                """
        ).execute(arguments: [relationship.identifier, owner, destination.name, row])
        markUnresolved(relationship)
    }

    /// Returns the SQL expression for the position of the row `?4` in a list of the row `?2`; NULL
    /// if the relationship is not an ordered list in a join table.
    private func positionSQL(_ relationship: RelationshipLayout) -> String {
        guard case .join(let index, let side) = relationship.storage,
            let position = layout.joins[index].positionColumn(side)
        else { return "NULL" }
        return """
            (SELECT \(position) FROM \(layout.joins[index].name.quotedDatabaseIdentifier) \
            WHERE \(side.ownColumn) = ?2 AND \(side.otherColumn) = ?4)
            """
    }

    func discardUnresolved(_ number: Int64) throws {
        let delete = try statement(ofSystemTables: "DELETE FROM _tidemark_held WHERE _id = ?")
        delete.bind(number, at: 1)
        try delete.run()
        unresolved.current.remove(number)
        unresolved.deleted.insert(number)
    }

    /// Deletes the unresolved references that this transaction recorded first.
    ///
    /// - Parameter highest: The highest number before the transaction. A reference with a lower
    ///   number is new, too, if this transaction deleted another one with that number.
    /// - Throws: `DatabaseError`.
    package func discardNewUnresolved(after highest: Int64) throws {
        for number in Array(unresolved.current.rows)
        where number > highest || unresolved.deleted.contains(number) {
            try db.cachedStatement(sql: "DELETE FROM _tidemark_held WHERE _id = ?")
                .execute(arguments: [number])
        }
    }

    /// Returns the highest number of an unresolved reference; 0 if the store has none.
    package func highestUnresolvedNumber() throws -> Int64 {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT coalesce(max(_id), 0) FROM _tidemark_held")
        ) ?? 0
    }
}

extension String {
    /// The text as an SQL string literal.
    var quotedText: String {
        "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }
}
