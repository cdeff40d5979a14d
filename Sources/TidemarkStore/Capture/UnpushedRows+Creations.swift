package import GRDB
import TidemarkModel

package import struct Foundation.Date

/// Rows that the service does not have yet, or does not have any more.
extension UnpushedRows {
    /// A creation that was sent, and that the service may have applied.
    package enum SentCreation: String, Sendable {
        /// Its response may still come.
        case inFlight
        /// Its response was lost.
        case uncertain
    }

    /// Returns whether the run that has sent a change does not have the lease any more.
    ///
    /// The object of a creation would otherwise become a second row, which nothing makes one with
    /// the first if the response does not come.
    func isOvertaken(_ change: Int64) throws -> Bool {
        guard try db.tableExists("_tidemark_request") else { return false }
        let isCurrent = try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM _tidemark_request JOIN _tidemark_lease \
                    ON run = token WHERE change = ?)
                    """
            ),
            arguments: [change]
        )
        return isCurrent == false
    }

    /// Returns the rows of a table that the service may have created, sorted.
    package func sentCreations(in table: Int) throws -> [(row: Int64, state: SentCreation)] {
        try readAll()
        return (rows[table] ?? [:])
            .compactMap { row, changes in changes.sentCreation.map { (row: row, state: $0) } }
            .sorted { $0.row < $1.row }
    }

    /// Returns whether the service has confirmed that it has created, or will create, the object of
    /// a row, without naming it.
    package func isClaimed(creationOf row: Int64, in table: Int) throws -> Bool {
        guard let creation = try changes(of: row, in: table)?.frozen,
            try db.tableExists("_tidemark_request")
        else { return false }
        let claim = try String.fetchOne(
            db.cachedStatement(sql: "SELECT claim FROM _tidemark_request WHERE change = ?"),
            arguments: [creation]
        )
        return claim == "created" || claim == "accepted"
    }

    /// Returns whether the request that was sent to create a row has chosen the key of the object.
    ///
    /// A service that makes keys itself may ignore the one that a row still has whose object was
    /// deleted.
    package func hasChosenKey(creationOf row: Int64, in table: Int) throws -> Bool {
        guard let creation = try changes(of: row, in: table)?.frozen,
            try db.tableExists("_tidemark_request")
        else { return false }
        // Such a request is sent on the condition that there is no object with the key.
        let isConditional = try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT version IS NOT NULL FROM _tidemark_request WHERE change = ?"
            ),
            arguments: [creation]
        )
        return isConditional == true
    }

    /// Returns whether the links of a relationship, or the objects without a key that it contains,
    /// are sent with the rows that have it.
    package func isSent(_ relationship: RelationshipLayout) throws -> Bool {
        let plan = try plan.get()
        if case .column(let column) = relationship.storage,
            plan.columns[relationship.table].contains(column)
        {
            return true
        }
        return plan.lists.contains { $0.relationship.identifier == relationship.identifier }
            || plan.parts.contains { $0.path.first?.identifier == relationship.identifier }
    }

    /// Returns the rows of a list whose links a change contains.
    package func members(of relationship: RelationshipLayout, in change: Int64) throws -> Set<Int64>
    {
        try Int64.fetchSet(
            db.cachedStatement(
                sql: """
                    SELECT member FROM _tidemark_base \
                    WHERE change = ? AND property = ? AND member > 0
                    """
            ),
            arguments: [change, relationship.identifier]
        )
    }

    /// Removes the creation of a row, because the service has created the object.
    ///
    /// - Parameters:
    ///   - row: The number of the row.
    ///   - table: The index of its table.
    ///   - time: The present time; nil for that of SQLite's clock.
    /// - Throws: `DatabaseError`.
    package func confirmCreation(of row: Int64, in table: Int, at time: Date?) throws {
        var change = AcknowledgedChange(.create)
        change.isUnshown = true
        change.isUnread = true
        let reference = RowReference(try entity(of: row, in: table), row)
        try AcknowledgedChanges(db, layout).record(change, of: reference, in: table, at: time)
        acknowledged[table, default: [:]][row] = change
        waiting.any = true
        guard let creation = try changes(of: row, in: table)?.frozen else { return }
        if let update = try Self.sendOmittedLinks(db, ofCreation: creation) {
            rows[table]?[row]?.open = update
        }
        try remove(creation)
        rows[table]?[row]?.frozen = nil
        rows[table]?[row]?.isCreation = false
        rows[table]?[row]?.sentCreation = nil
        if rows[table]?[row]?.open == nil { rows[table]?[row] = nil }
    }

    /// Lets the links be sent that the request of a new object has left out, because a linked row
    /// had no key.
    ///
    /// - Parameters:
    ///   - db: A connection, inside a transaction that removes the creation afterwards.
    ///   - creation: The number of the creation, whose base values are these links.
    /// - Returns: The number of the row's update that contains them; nil without such links.
    /// - Throws: `DatabaseError`.
    @discardableResult
    package static func sendOmittedLinks(
        _ db: Database,
        ofCreation creation: Int64
    ) throws -> Int64? {
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_change (tree, row, entity, kind, since) \
                SELECT tree, row, entity, 'update', since FROM _tidemark_change WHERE _id = ?1 \
                AND kind = 'create' AND EXISTS (SELECT 1 FROM _tidemark_base WHERE change = ?1) \
                ON CONFLICT DO NOTHING
                """
        ).execute(arguments: [creation])
        let update = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT u._id FROM _tidemark_change c JOIN _tidemark_change u \
                    ON u.tree = c.tree AND u.row = c.row AND u.frozen = 0 AND u.kind = 'update' \
                    WHERE c._id = ?1 AND c.kind = 'create' \
                    AND EXISTS (SELECT 1 FROM _tidemark_base WHERE change = ?1)
                    """
            ),
            arguments: [creation]
        )
        guard let update else { return nil }
        try db.cachedStatement(
            sql: "UPDATE OR IGNORE _tidemark_base SET change = ? WHERE change = ?"
        ).execute(arguments: [update, creation])
        return update
    }

    /// The most objects that are recorded as candidates for that of a creation.
    private static let mostCandidates = 10

    /// Records that the service has an object which may be that of a creation of unknown outcome.
    ///
    /// - Parameters:
    ///   - key: The primary key of the object, as text.
    ///   - row: The row.
    ///   - table: The index of its table.
    /// - Throws: `DatabaseError`.
    package func note(resembling key: String, creationOf row: Int64, in table: Int) throws {
        guard let creation = try changes(of: row, in: table)?.frozen else { return }
        try db.execute(
            sql: """
                UPDATE _tidemark_request SET \
                resembling = json_insert(coalesce(resembling, '[]'), '$[#]', ?1) \
                WHERE change = ?2 AND json_array_length(coalesce(resembling, '[]')) < ?3 AND \
                NOT EXISTS (SELECT 1 FROM json_each(coalesce(resembling, '[]')) WHERE value = ?1)
                """,
            arguments: [key, creation, Self.mostCandidates]
        )
    }

    /// Turns the creation of a row into an update, because the service has the object.
    ///
    /// - Parameters:
    ///   - change: The creation.
    ///   - row: The number of the row.
    ///   - table: The index of its table.
    ///   - columns: The columns that differ from the object; their base is null.
    ///   - given: The columns of which the object has a value: what else the row has was not sent.
    /// - Throws: `DatabaseError`.
    package func becomeUpdate(
        _ change: Int64,
        of row: Int64,
        in table: Int,
        columns: [String],
        given: Set<String>
    ) throws {
        try db.cachedStatement(
            sql: "UPDATE _tidemark_change SET kind = 'update' WHERE _id = ? AND kind = 'create'"
        ).execute(arguments: [change])
        let own = try plan.get().columns[table].map { layout.tables[table].columns[$0].name }
        let stored = try storedRow(row, in: table)
        let others = own.filter { column in
            !given.contains(column) && stored.map { !($0[column] as DatabaseValue).isNull } == true
        }
        for column in columns + others {
            try db.cachedStatement(
                sql: """
                    INSERT INTO _tidemark_base (change, property, value) VALUES (?, ?, NULL) \
                    ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: [change, column])
        }
        try addBaseOfLists(of: row, in: table, to: change)
        rows[table]?[row]?.isCreation = false
    }

    /// Turns an update of a row into its creation, because the service has deleted the object.
    package func becomeCreation(_ change: Int64, of row: Int64, in table: Int) throws {
        try db.cachedStatement(
            sql: """
                UPDATE _tidemark_change SET kind = 'create', state = 'pending' \
                WHERE _id = ? AND kind = 'update'
                """
        ).execute(arguments: [change])
        try db.cachedStatement(sql: "DELETE FROM _tidemark_base WHERE change = ?")
            .execute(arguments: [change])
        rows[table]?[row]?.isCreation = true
    }
}
