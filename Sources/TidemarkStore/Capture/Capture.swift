package import GRDB
import TidemarkModel

/// The capture of local changes in one transaction.
///
/// In a store that pushes, triggers record every change that a program makes to a row, with the
/// values that the service knows. New rows need no trigger: row numbers are never used again, so a
/// row above the *watermark* of its table was created locally. What an import writes is the
/// service's own state: capture is suppressed for it, and the watermark is advanced.
package struct Capture {
    let db: Database
    let layout: StoreLayout

    /// Returns the capture of a transaction; nil if the store records no local changes.
    package static func of(_ db: Database, _ layout: StoreLayout) throws -> Capture? {
        try isInstalled(db) ? Capture(db: db, layout: layout) : nil
    }

    /// Returns whether a store records local changes.
    package static func isInstalled(_ db: Database) throws -> Bool {
        try StoreMetadata.capture(db) != nil
    }

    // MARK: Installation

    /// Starts to record local changes, if the store does not record those of this layout already.
    ///
    /// Rows that are stored already, with or without a key, count as known to the service.
    ///
    /// - Parameters:
    ///   - db: A connection, inside a write transaction.
    ///   - layout: The layout of the tables.
    /// - Throws: `DatabaseError`.
    package static func install(_ db: Database, _ layout: StoreLayout) throws {
        let plan = try CapturePlan.of(db, layout)
        guard try StoreMetadata.capture(db) != plan.fingerprint else { return }
        try create(db, plan)
    }

    static func create(_ db: Database, _ plan: CapturePlan) throws {
        for statement in CaptureTables.creation { try db.execute(sql: statement) }
        try dropTriggers(db)
        try writeWatermarks(db, plan)
        try createTriggers(db, plan)
    }

    /// Records the entities whose keys this client chooses, not the service.
    ///
    /// An object that is created again keeps such a key. It is recorded in the store because a
    /// decision about a conflict knows only the store.
    package static func recordClientKeys(_ db: Database, of entities: Set<String>) throws {
        guard try StoreMetadata.clientKeys(db) != entities else { return }
        try StoreMetadata.recordClientKeys(db, of: entities)
    }

    /// Returns whether an object that is created again keeps its key.
    ///
    /// It does if this client chooses the key, or if the key contains references: without its
    /// parent, the row would have no place.
    package func keepsKey(of entity: EntityLayout) throws -> Bool {
        try entity.hasParentInKey || StoreMetadata.clientKeys(db).contains(entity.name)
    }

    /// Records local changes of other tables from now on, after the store was migrated.
    ///
    /// - Parameters:
    ///   - db: A connection, inside the transaction of the migration, which has collected local
    ///     creations and dropped the triggers.
    ///   - layout: The layout of the new tables.
    /// - Throws: `DatabaseError`.
    static func resume(_ db: Database, _ layout: StoreLayout) throws {
        let plan = try CapturePlan.of(db, layout)
        // All rows are accounted for, whatever the names of the tables were.
        try db.execute(sql: "DELETE FROM _tidemark_capture")
        try writeWatermarks(db, plan)
        try createTriggers(db, plan)
    }

    private static func createTriggers(_ db: Database, _ plan: CapturePlan) throws {
        for statement in plan.creation { try db.execute(sql: statement) }
        try StoreMetadata.recordCapture(db, fingerprint: plan.fingerprint)
        try recordTriggers(db)
    }

    /// Drops the triggers, so that tables can be altered.
    ///
    /// ``install(_:_:)`` creates them again.
    static func dropTriggers(_ db: Database) throws {
        let names = try String.fetchAll(
            db,
            sql: """
                SELECT name FROM sqlite_master \
                WHERE type = 'trigger' AND name GLOB '\(CapturePlan.prefix)*'
                """
        )
        for name in names { try db.execute(sql: "DROP TRIGGER \(name.quotedDatabaseIdentifier)") }
    }

    private static func writeWatermarks(_ db: Database, _ plan: CapturePlan) throws {
        let names = plan.trees.map { plan.layout.tables[$0].name }
        for name in names {
            try db.execute(
                sql: """
                    INSERT INTO _tidemark_capture (tree, watermark) \
                    VALUES (?1, coalesce((SELECT seq FROM sqlite_sequence WHERE name = ?1), 0)) \
                    ON CONFLICT DO NOTHING
                    """,
                arguments: [name]
            )
        }
        let list = names.map(\.quotedText).joined(separator: ", ")
        try db.execute(sql: "DELETE FROM _tidemark_capture WHERE tree NOT IN (\(list))")
    }

    // MARK: Suppression

    /// Runs a body that writes what the service has sent: nothing is recorded, and new rows are
    /// known to the service.
    ///
    /// Local creations that came before in the transaction are collected first.
    ///
    /// - Parameter body: The work.
    /// - Returns: The value that `body` returns.
    /// - Throws: Errors that `body` throws, `DatabaseError`.
    package func applyingRemote<T>(_ body: () throws -> T) throws -> T {
        guard try isEnabled else { return try body() }
        try collect()
        return try disabled(
            until: """
                UPDATE _tidemark_capture SET isEnabled = 1, watermark = max(watermark, \
                coalesce((SELECT seq FROM sqlite_sequence WHERE name = tree), 0))
                """,
            body
        )
    }

    /// Runs a body that writes what is not a local change, such as a link to a row that has just
    /// got the key of an unresolved reference.
    ///
    /// New rows are local creations nevertheless.
    package func suppressed<T>(_ body: () throws -> T) throws -> T {
        guard try isEnabled else { return try body() }
        return try disabled(until: Self.enabling, body)
    }

    /// Runs a body that writes local changes again, within one that writes what the service has
    /// sent.
    package func recorded<T>(_ body: () throws -> T) throws -> T {
        guard try !isEnabled else { return try body() }
        try execute(Self.enabling)
        let value = try body()
        try execute(Self.disabling)
        return value
    }

    /// Runs a body while nothing is recorded.
    ///
    /// An import may be part of another one's hook: only the outer one calls this.
    private func disabled<T>(until end: String, _ body: () throws -> T) throws -> T {
        try execute(Self.disabling)
        let value: T
        do {
            value = try body()
        } catch {
            // The caller may continue its transaction. SQLite has ended it after some errors.
            if db.isInsideTransaction { try execute(end) }
            throw error
        }
        try execute(end)
        return value
    }

    private static let enabling = "UPDATE _tidemark_capture SET isEnabled = 1"
    private static let disabling = "UPDATE _tidemark_capture SET isEnabled = 0"

    /// Executes a statement that is prepared once.
    private func execute(_ sql: String) throws {
        try db.cachedStatement(sql: sql).execute()
    }

    /// Whether changes are recorded now.
    var isEnabled: Bool {
        get throws {
            try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT isEnabled FROM _tidemark_capture LIMIT 1")
            ) ?? false
        }
    }
}

extension StoreReader {
    /// Whether the store records local changes, so that a push can send them.
    package var recordsLocalChanges: Bool {
        get throws { try Capture.isInstalled(db) }
    }
}
