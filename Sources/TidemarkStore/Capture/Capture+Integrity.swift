package import GRDB
import TidemarkModel

package import struct Foundation.Date

/// Whether all local edits are recorded.
///
/// Any program may drop a trigger: those that rebuild a table to change its schema do so. Edits
/// without it look like what the service has sent, and the next pull would undo them.
extension Capture {
    /// How many rows are kept as conflicts because their edits may not have been recorded.
    private static let mostKept = 10_000

    /// Returns what keeps edits from being recorded now.
    ///
    /// - Parameters:
    ///   - db: A connection, which may be read-only.
    ///   - layout: The layout of the tables.
    /// - Returns: The causes; none in a store that records no edits.
    /// - Throws: `DatabaseError`.
    static func gaps(_ db: Database, _ layout: StoreLayout) throws -> Set<UnrecordedEdits.Cause> {
        guard try isInstalled(db) else { return [] }
        var found: Set<UnrecordedEdits.Cause> = []
        if try StoreMetadata.triggers(db) != triggerText(db) { found.insert(.triggers) }
        let trees = layout.tables.count { !$0.keys.isEmpty }
        let recording = try Int.fetchOne(
            db,
            sql: "SELECT count(*) FROM _tidemark_capture WHERE isEnabled = 1"
        )
        if recording != trees { found.insert(.recording) }
        let isReused = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM _tidemark_capture LEFT JOIN sqlite_sequence \
                ON name = tree WHERE watermark > coalesce(seq, 0))
                """
        )
        if isReused == true { found.insert(.rowNumbers) }
        return found
    }

    /// Records the triggers that exist, to be compared with those of later.
    static func recordTriggers(_ db: Database) throws {
        try StoreMetadata.recordTriggers(db, fingerprint: triggerText(db))
    }

    /// Returns a fingerprint of the triggers as the database has them.
    private static func triggerText(_ db: Database) throws -> String {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT name, tbl_name, sql FROM sqlite_master \
                WHERE type = 'trigger' AND name GLOB '\(CapturePlan.prefix)*' ORDER BY name
                """
        )
        var fingerprint = Fingerprint()
        while let row = try rows.next() {
            for column in 0..<3 {
                fingerprint.add((row[column] as String? ?? "").utf8)
                fingerprint.add([0])
            }
        }
        return fingerprint.text
    }

    /// Lets all edits be recorded again, and marks the store if some may not have been.
    ///
    /// All lists are read completely by the next pull then, because it has to compare all rows.
    ///
    /// - Parameters:
    ///   - db: A connection, inside a write transaction.
    ///   - layout: The layout of the tables.
    ///   - date: The time.
    /// - Returns: What was found; nil if all edits were recorded.
    /// - Throws: `DatabaseError`.
    package static func repair(
        _ db: Database,
        _ layout: StoreLayout,
        at date: Date
    ) throws -> UnrecordedEdits? {
        let gaps = try gaps(db, layout)
        guard !gaps.isEmpty else { return nil }
        let plan = try CapturePlan.of(db, layout)
        try create(db, plan)
        try db.execute(sql: "UPDATE _tidemark_capture SET isEnabled = 1")
        // Rows that are inserted from now on have numbers that were never used.
        try db.execute(
            sql: """
                UPDATE sqlite_sequence SET seq = watermark FROM _tidemark_capture \
                WHERE tree = name AND seq < watermark;
                INSERT INTO sqlite_sequence (name, seq) SELECT tree, watermark \
                FROM _tidemark_capture WHERE watermark > 0 \
                AND tree NOT IN (SELECT name FROM sqlite_sequence)
                """
        )
        let capture = Capture(db: db, layout: layout)
        try capture.collect()
        try capture.recordLinks(withCreationsBy: plan)
        let former = try StoreMetadata.unrecorded(db)
        let edits = UnrecordedEdits(
            causes: gaps.union(former?.causes ?? []),
            noticed: former?.noticed ?? date,
            conflicts: former?.conflicts ?? 0,
            overwritten: former?.overwritten ?? 0
        )
        try StoreMetadata.markUnrecorded(db, edits)
        if try db.tableExists("_tidemark_resource") {
            try db.execute(sql: "UPDATE _tidemark_resource SET reading = ''")
        }
        return edits
    }

    /// Records the links of lists to local creations: the service cannot have shown them.
    private func recordLinks(withCreationsBy plan: CapturePlan) throws {
        for list in plan.lists where !layout.tables[list.relationship.table].keys.isEmpty {
            let table = list.relationship.table
            let members = layout.entities[list.relationship.destination].table
            let created = """
                \(list.source.quotedDatabaseIdentifier) s JOIN _tidemark_change m \
                ON m.tree = \(layout.tables[members].name.quotedText) \
                AND m.row = s.\(list.member.quotedDatabaseIdentifier) \
                AND m.frozen = 0 AND m.kind = 'create'
                """
            let owner = "s.\(list.owner.quotedDatabaseIdentifier)"
            let tree = layout.tables[table].name.quotedText
            try db.execute(
                sql: """
                    INSERT INTO _tidemark_change (tree, row, entity, kind) \
                    SELECT \(tree), t._id, \(layout.entityExpression(table, in: "t")), 'update' \
                    FROM \(created) JOIN \(layout.name(of: table)) t ON t._id = \(owner) \
                    WHERE 1 ON CONFLICT DO NOTHING;
                    INSERT INTO _tidemark_base (change, property, member, value) \
                    SELECT c._id, \(list.relationship.identifier.quotedText), m.row, 0 \
                    FROM \(created) JOIN _tidemark_change c ON c.tree = \(tree) \
                    AND c.row = \(owner) AND c.frozen = 0 AND c.kind = 'update' \
                    WHERE 1 ON CONFLICT DO NOTHING;
                    """
            )
        }
    }

    /// Records that all rows were compared with the service.
    ///
    /// - Returns: What was found; nil if nothing was in doubt.
    package func settleUnrecorded() throws -> UnrecordedEdits? {
        let edits = try StoreMetadata.unrecorded(db)
        if edits != nil { try StoreMetadata.markUnrecorded(db, nil) }
        return edits
    }

    /// Returns whether another row with a value that the service does not have is kept as a
    /// conflict, and counts it, or one that is not.
    func keepsUnrecorded() throws -> Bool {
        guard let edits = try StoreMetadata.unrecorded(db) else { return false }
        let isKept = edits.conflicts < Self.mostKept
        try countUnrecorded(edits, isKept: isKept)
        return isKept
    }

    /// Counts a link or a contained object that gets what the service has.
    func countOverwritten() throws {
        guard let edits = try StoreMetadata.unrecorded(db) else { return }
        try countUnrecorded(edits, isKept: false)
    }

    private func countUnrecorded(_ edits: UnrecordedEdits, isKept: Bool) throws {
        try StoreMetadata.markUnrecorded(
            db,
            UnrecordedEdits(
                causes: edits.causes,
                noticed: edits.noticed,
                conflicts: edits.conflicts + (isKept ? 1 : 0),
                overwritten: edits.overwritten + (isKept ? 0 : 1)
            )
        )
    }
}

extension StoreReader {
    /// What a run has found not to be recorded, until all rows were compared with the service.
    ///
    /// Each run looks at the triggers once, at its beginning.
    package var doubtedEdits: UnrecordedEdits? {
        get throws { try Capture.isInstalled(db) ? StoreMetadata.unrecorded(db) : nil }
    }

    /// What may not have been recorded of local edits; nil if nothing is in doubt.
    package var unrecordedEdits: UnrecordedEdits? {
        get throws {
            let gaps = try Capture.gaps(db, layout)
            let marked = try doubtedEdits
            guard !gaps.isEmpty else { return marked }
            return UnrecordedEdits(
                causes: gaps.union(marked?.causes ?? []),
                noticed: nil,
                conflicts: marked?.conflicts ?? 0,
                overwritten: marked?.overwritten ?? 0
            )
        }
    }
}
