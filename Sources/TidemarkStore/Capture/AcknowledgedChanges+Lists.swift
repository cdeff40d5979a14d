package import GRDB
import TidemarkModel

package import struct Foundation.Date

/// What lists show of changes that the service has accepted.
extension AcknowledgedChanges {
    /// What a list that was read to its end has shown.
    package enum Reading: Sendable {
        /// The keys of all objects, or that there are as many as rows.
        case keys
        /// That nothing has changed since it was read before.
        case unmodified
        /// All objects.
        case objects
    }

    /// After how many complete lists without a property it counts as one that lists do not show.
    private static let readings = 3

    /// For how many seconds after a change neither a list nor an object need show it.
    ///
    /// Search indexes and replicas are rarely later. A row that another client has deleted stays
    /// that much longer.
    private static let lag = 600.0

    /// Forgets what a list that was read to its end has decided.
    ///
    /// - Parameters:
    ///   - reading: What the list has shown.
    ///   - entities: The entities of its objects.
    ///   - start: When it was requested: it shows nothing of what was accepted later.
    /// - Returns: The rows of which no list shows the changed properties.
    /// - Throws: `DatabaseError`.
    package func forget(
        shownBy reading: Reading,
        of entities: Set<String>,
        before start: Date
    ) throws -> [RowReference] {
        let names = entities.sorted()
        let arguments = StatementArguments(names) + [start.timeIntervalSince1970]
        let decided = """
            entity IN (\(databaseQuestionMarks(count: names.count))) AND time <= ? AND doubt IS NULL
            """
        func forget(_ condition: String) throws {
            let rows = "SELECT _id FROM _tidemark_acknowledged WHERE \(decided) AND \(condition)"
            try db.execute(
                sql: "DELETE FROM _tidemark_former WHERE change IN (\(rows))",
                arguments: arguments
            )
            try db.execute(
                sql: "DELETE FROM _tidemark_acknowledged WHERE \(decided) AND \(condition)",
                arguments: arguments
            )
        }
        try forget("kind = 'delete'")
        guard reading != .keys else { return [] }
        try forget("NOT \(Self.lacksValue)")
        // A list that is not modified shows what it has shown before.
        let isRepeated = reading == .unmodified ? "AND missed > 0" : ""
        try db.execute(
            sql:
                "UPDATE _tidemark_acknowledged SET missed = missed + 1 WHERE \(decided) \(isRepeated)",
            arguments: arguments
        )
        let notShown = try Row.fetchAll(
            db,
            sql: """
                SELECT tree, entity, row FROM _tidemark_acknowledged \
                WHERE \(decided) AND missed >= \(Self.readings) ORDER BY _id
                """,
            arguments: arguments
        )
        try forget("missed >= \(Self.readings)")
        return try notShown.compactMap { row in
            let table = (row[0] as String).quotedDatabaseIdentifier
            let isStored = try Bool.fetchOne(
                db,
                sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE _id = ?)",
                arguments: [row[2] as Int64]
            )
            return isStored == true ? RowReference(row[1], row[2]) : nil
        }
    }

    /// Returns the numbers of rows whose acknowledged changes are unconfirmed, by entity; none of a
    /// store that records no local changes.
    package static func unconfirmedCounts(_ db: Database, in store: Store) throws -> [String: Int] {
        guard try Capture.isInstalled(db) else { return [:] }
        return try AcknowledgedChanges(db, store.layout).unconfirmedCounts()
    }

    /// The condition on the changes `a` of which an object has yet to show something.
    private static let isUnconfirmed = "waits AND (kind = 'delete' OR \(lacksValue))"

    /// The condition on the changes of which an object has yet to show a value.
    static let lacksValue = """
        (unshown OR EXISTS (SELECT 1 FROM _tidemark_former \
        WHERE change = _tidemark_acknowledged._id))
        """

    /// Returns rows whose acknowledged changes are unconfirmed, the oldest changes first.
    package func unconfirmedRows(limit: Int) throws -> [RowReference] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT entity, row FROM _tidemark_acknowledged \
                WHERE \(Self.isUnconfirmed) ORDER BY _id LIMIT ?
                """,
            arguments: [limit]
        )
        .map { RowReference($0[0], $0[1]) }
    }

    /// Returns the numbers of rows whose acknowledged changes are unconfirmed, by entity.
    package func unconfirmedCounts() throws -> [String: Int] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT entity, count(*) FROM _tidemark_acknowledged \
                WHERE \(Self.isUnconfirmed) GROUP BY entity
                """
        )
        return Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
    }

    /// Removes the rows from unlisted ones whose changes were accepted since their list was last
    /// read completely, because lists lag.
    ///
    /// Their objects are read then. A row whose object cannot be read is spared a few times.
    ///
    /// - Parameters:
    ///   - rows: The numbers of the rows.
    ///   - table: The index of their table.
    ///   - time: The present time; nil for that of SQLite's clock.
    /// - Returns: The others.
    /// - Throws: `DatabaseError`.
    package func spare(_ rows: [Int64], in table: Int, at time: Date?) throws -> [Int64] {
        let name = layout.tables[table].name
        let acknowledged = try Int64.fetchSet(
            db.cachedStatement(
                sql: """
                    SELECT row FROM _tidemark_acknowledged \
                    WHERE tree = ?1 AND kind <> 'delete' AND (missed < ?2 OR \(Self.isRecent))
                    """
            ),
            arguments: [name, Self.readings, time?.timeIntervalSince1970]
        )
        guard !acknowledged.isEmpty else { return rows }
        return try rows.filter { row in
            guard acknowledged.contains(row) else { return true }
            try doubt(row, in: table, because: .absent)
            return false
        }
    }

    /// The condition on the changes that lists and objects need not show at the time `?3`.
    ///
    /// A time in the future was recorded before the clock was set back.
    private static let isRecent = """
        abs(time - coalesce(?3, (julianday('now') - 2440587.5) * 86400)) < \(lag)
        """

    /// Returns whether the service has accepted a change of a row so recently that neither lists
    /// nor its object need show it.
    ///
    /// - Parameters:
    ///   - row: The number of the row.
    ///   - table: The index of its table.
    ///   - kind: The kind of the change; nil for any.
    ///   - time: The present time.
    /// - Returns: Whether a missing object proves nothing.
    /// - Throws: `DatabaseError`.
    package func isRecent(
        _ row: Int64,
        in table: Int,
        kind: LocalChangeKind? = nil,
        at time: Date
    ) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM _tidemark_acknowledged \
                    WHERE tree = ?1 AND row = ?2 AND kind = coalesce(?4, kind) AND \(Self.isRecent))
                    """
            ),
            arguments: [
                layout.tables[table].name, row, time.timeIntervalSince1970, kind?.rawValue,
            ]
        ) == true
    }
}
