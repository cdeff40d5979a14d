package import GRDB
package import TidemarkModel

/// The rows whose local changes were not pushed yet, in a transaction that writes what the service
/// has sent.
///
/// Their numbers fit into memory: the changed properties of a row are read when the service sends
/// its object. A push merges one object at a time, and looks up the rows that it needs.
package final class UnpushedRows {
    let db: Database
    package let layout: StoreLayout

    /// What is recorded of local changes.
    private(set) lazy var plan = Result { try CapturePlan.of(db, layout) }

    /// The changes of each row that was read, by table.
    var rows: [Int: [Int64: Changes]] = [:] { didSet { lookups.last = nil } }

    /// Whether all rows were read.
    private var isComplete = false

    private var lookups = Lookups()

    /// What was looked up of single rows.
    private struct Lookups {
        /// The rows that have no changes.
        var unchanged: Set<TableRow> = []

        /// The last one: an object is compared with its row in several steps.
        var last: (row: TableRow, changes: Changes?)?
    }

    /// The tables with rows that were deleted.
    private var deletions: Set<Int> = []

    /// What is unconfirmed of rows that were looked up, by table.
    var acknowledged: [Int: [Int64: AcknowledgedChange]] = [:]

    /// The rows to whose changes a response is being merged.
    var responses: [TableRow: ExpectedResponse] = [:]

    /// The changes of one row.
    package struct Changes: Sendable {
        /// The change that further edits are added to.
        package var open: Int64?

        /// The change whose request was sent.
        package var frozen: Int64?

        /// Whether the service does not have the object yet, or is not known to have it.
        package var isCreation = false

        /// Whether the service may have created the object; nil if that was not requested.
        package var sentCreation: SentCreation?

        /// Whether the change awaits a decision of its user.
        package var isConflicted = false

        /// Whether the service has rejected the change.
        var isRejected = false
    }

    private init(_ db: Database, _ layout: StoreLayout) {
        self.db = db
        self.layout = layout
    }

    /// Forgets what is known of rows, before the next object of a transaction that also changes the
    /// outbox by itself.
    ///
    /// Nothing else adds what is unconfirmed.
    package func forgetRows() {
        rows = [:]
        isComplete = false
        lookups.unchanged = []
        deletions = []
        acknowledged = [:]
        responses = [:]
    }

    /// Records that a row has no changes, as the caller has found out.
    package func expectNoChanges(of row: Int64, in table: Int) {
        lookups.unchanged.insert(TableRow(table: table, number: row))
    }

    /// Creates the rows of a store that records local changes, for one object among many of them:
    /// nothing is read yet.
    package static func lookingUp(_ db: Database, _ layout: StoreLayout) -> UnpushedRows {
        UnpushedRows(db, layout)
    }

    /// Reads the rows with local changes, for an import of many objects.
    ///
    /// - Parameters:
    ///   - db: A connection, inside a transaction, after local creations were collected.
    ///   - layout: The layout of the tables.
    /// - Returns: The rows; nil if no row has any, and all edits were recorded, or if the store
    ///   records no local changes.
    /// - Throws: `DatabaseError`.
    package static func read(
        _ db: Database,
        _ layout: StoreLayout
    ) throws -> UnpushedRows? {
        guard try Capture.isInstalled(db) else { return nil }
        let hasAny = try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM _tidemark_change) \
                    OR EXISTS (SELECT 1 FROM _tidemark_acknowledged WHERE waits)
                    """
            )
        )
        let found = UnpushedRows(db, layout)
        guard try hasAny == true || found.mayLackEdits.get() else { return nil }
        try found.readAll()
        return found
    }

    /// What is known of acknowledged changes that are unconfirmed.
    var waiting = Waiting()

    func readAll() throws {
        guard !isComplete else { return }
        isComplete = true
        rows = [:]
        let tables = Dictionary(
            layout.tables.enumerated().map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let changes = try Row.fetchCursor(
            db.cachedStatement(
                sql: "SELECT _id, frozen, kind, state, tree, row FROM _tidemark_change"
            )
        )
        while let change = try changes.next() {
            guard let table = tables[change[4] as String] else { continue }
            try add(change, to: change[5], in: table)
        }
    }

    private func add(_ change: Row, to row: Int64, in table: Int) throws {
        let kind: String = change[2]
        if kind == "delete" { deletions.insert(table) }
        var changes = rows[table]?[row] ?? Changes()
        if change[1] as Bool { changes.frozen = change[0] } else { changes.open = change[0] }
        let state: String = change[3]
        if state == "conflicted" { changes.isConflicted = true }
        if state == "rejected" { changes.isRejected = true }
        if kind == "create" {
            changes.isCreation = true
            changes.sentCreation = SentCreation(rawValue: state)
            if changes.sentCreation == .inFlight, try isOvertaken(change[0]) {
                changes.sentCreation = .uncertain
            }
        }
        rows[table, default: [:]][row] = changes
    }

    /// Returns the changes of a row; nil if it has none.
    package func changes(of row: Int64, in table: Int) throws -> Changes? {
        let key = TableRow(table: table, number: row)
        if let last = lookups.last, last.row == key { return last.changes }
        let found = try changes(of: key)
        lookups.last = (key, found)
        return found
    }

    private func changes(of key: TableRow) throws -> Changes? {
        let (row, table) = (key.number, key.table)
        if let known = rows[table]?[row] { return known }
        guard !isComplete, !lookups.unchanged.contains(key) else { return nil }
        try find(row, in: table)
        let found = rows[table]?[row]
        if found == nil { lookups.unchanged.insert(key) }
        return found
    }

    private func find(_ row: Int64, in table: Int) throws {
        let found = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT _id, frozen, kind, state FROM _tidemark_change \
                    WHERE tree = ? AND row = ?
                    """
            ),
            arguments: [layout.tables[table].name, row]
        )
        for change in found { try add(change, to: row, in: table) }
    }

    /// The rows that have changes, sorted, by table.
    package var rowsByTable: [Int: [Int64]] {
        get throws {
            try readAll()
            return rows.mapValues { $0.keys.sorted() }
        }
    }

    /// Returns the rows among others that have changes, sorted.
    package func rows(in table: Int, among others: RowSet) throws -> [Int64] {
        try readAll()
        return (rows[table] ?? [:]).keys.filter(others.contains).sorted()
    }

    /// Returns the base values of the row's own columns in a change, by the name of the column.
    package func columns(of change: Int64) throws -> [String: DatabaseValue] {
        let find = try findColumns.get()
        find.bind(change, at: 1)
        defer { find.reset() }
        var values: [String: DatabaseValue] = [:]
        while try find.step() {
            guard case .text(let name) = find.value(at: 0) else { continue }
            values[String(decoding: name, as: UTF8.self)] = find.value(at: 1).databaseValue
        }
        return values
    }

    /// Selects the base values of a change: an import does so for each row that has changes, and a
    /// push for each response, in a transaction of its own.
    private lazy var findColumns = Result {
        try RowStatement.kept(
            db,
            "SELECT property, value FROM _tidemark_base WHERE change = ? AND member = 0"
        )
    }

    /// Whether rows may differ from the service because of edits that were not recorded.
    package private(set) lazy var mayLackEdits = Result {
        try StoreMetadata.unrecorded(db) != nil
    }

    /// Returns whether the deletion of a row of a table was not pushed yet.
    package func hasDeletions(in table: Int) throws -> Bool {
        try readAll()
        return deletions.contains(table)
    }

    /// Returns the change that deletes the row with a key; nil if no such row was deleted.
    ///
    /// - Parameters:
    ///   - key: The values of the columns of the key.
    ///   - columns: The indexes of these columns.
    ///   - table: The table.
    /// - Returns: The number of the change.
    /// - Throws: `DatabaseError`.
    package func deletion(
        ofKey key: [StoredValue],
        in columns: [Int],
        of table: Int
    ) throws -> Int64? {
        guard try hasDeletions(in: table) else { return nil }
        let joins = columns.enumerated().map { index, column in
            "JOIN _tidemark_base b\(index) ON b\(index).change = c._id AND b\(index).member = 0 "
                + "AND b\(index).property = \(layout.tables[table].columns[column].name.quotedText) "
                + "AND b\(index).value = ?\(index + 2)"
        }
        let find = try RowStatement.prepare(
            db,
            """
            SELECT c._id FROM _tidemark_change c \(joins.joined(separator: " ")) \
            WHERE c.tree = ?1 AND c.kind = 'delete'
            """
        )
        var name = layout.tables[table].name
        return try name.withUTF8 { name in
            find.bind(.text(UnsafeRawBufferPointer(name)), at: 1)
            for (index, value) in key.enumerated() { find.bind(value, at: index + 2) }
            return try find.step() ? find.integer(at: 0) : nil
        }
    }

    // MARK: Resolution

    /// Records that the service has another value of a property, which the local one replaces when
    /// it is pushed.
    package func setBase(
        _ value: DatabaseValue,
        of property: String,
        member: Int64 = 0,
        in change: Int64
    ) throws {
        try db.cachedStatement(
            sql: """
                UPDATE _tidemark_base SET value = ? \
                WHERE change = ? AND property = ? AND member = ?
                """
        ).execute(arguments: [value, change, property, member])
    }

    /// Records that a property has the value of the service.
    package func dropBase(of property: String, member: Int64 = 0, in change: Int64) throws {
        try db.cachedStatement(
            sql: "DELETE FROM _tidemark_base WHERE change = ? AND property = ? AND member = ?"
        ).execute(arguments: [change, property, member])
    }

    /// Removes what is recorded of unresolved references that were replaced locally.
    package func dropReferences(of relationship: RelationshipLayout, in change: Int64) throws {
        try db.cachedStatement(
            sql: "DELETE FROM _tidemark_base WHERE change = ? AND property = ? AND member < 0"
        ).execute(arguments: [change, relationship.identifier])
    }

    /// Removes an update of a row if none of its properties differs any more from what the service
    /// has.
    package func removeIfEmpty(_ change: Int64, of row: Int64, in table: Int) throws {
        // The position of a row in a list is part of the link, and no property of its own.
        let positions = layout.tables[table].columns.compactMap { column in
            if case .position = column.content { column.name.quotedText } else { nil }
        }
        try db.cachedStatement(
            sql: """
                DELETE FROM _tidemark_change WHERE _id = ?1 AND kind = 'update' AND NOT EXISTS \
                (SELECT 1 FROM _tidemark_base WHERE change = ?1 \
                AND property NOT IN (\(positions.joined(separator: ", "))))
                """
        ).execute(arguments: [change])
        guard db.changesCount > 0 else { return }
        try db.cachedStatement(sql: "DELETE FROM _tidemark_base WHERE change = ?")
            .execute(arguments: [change])
        rows[table]?[row]?.open = nil
        if rows[table]?[row]?.frozen == nil { forget(row, in: table) }
    }

    /// Moves the changes of a row to another one, which is the same object: see
    /// ``StoreWriter/deduplicate(_:into:in:keeping:)``.
    package func move(from duplicate: Int64, to row: Int64, in table: Int) throws {
        guard let moved = try changes(of: duplicate, in: table) else { return }
        var kept = try changes(of: row, in: table) ?? Changes()
        for (change, other) in [(moved.open, kept.open), (moved.frozen, kept.frozen)] {
            guard let change else { continue }
            if let other {
                try db.cachedStatement(
                    sql: "UPDATE OR IGNORE _tidemark_base SET change = ? WHERE change = ?"
                ).execute(arguments: [other, change])
                try remove(change)
            } else {
                try db.cachedStatement(sql: "UPDATE _tidemark_change SET row = ? WHERE _id = ?")
                    .execute(arguments: [row, change])
            }
        }
        kept.open = kept.open ?? moved.open
        kept.frozen = kept.frozen ?? moved.frozen
        rows[table]?[row] = kept
        forget(duplicate, in: table)
    }

    /// Removes a change that was not sent.
    package func remove(_ change: Int64) throws {
        for table in ["_tidemark_base WHERE change", "_tidemark_change WHERE _id"] {
            try db.cachedStatement(sql: "DELETE FROM \(table) = ?").execute(arguments: [change])
        }
    }

    /// Lets a change wait until its conflict is decided.
    package func awaitDecision(_ change: Int64) throws {
        try db.cachedStatement(
            sql: "UPDATE _tidemark_change SET state = 'conflicted' WHERE _id = ? AND frozen = 0"
        ).execute(arguments: [change])
    }

    /// Lets an update be sent again that was rejected because its object did not exist.
    ///
    /// Call this method when the service has changed the object since. That it lists the object
    /// unchanged proves nothing: the path of updates may be wrong.
    package func retryIfMissing(_ change: Int64, of row: Int64, in table: Int) throws {
        guard try changes(of: row, in: table)?.isRejected == true else { return }
        try db.cachedStatement(
            sql: """
                UPDATE _tidemark_change SET state = 'pending' WHERE _id = ?1 \
                AND state = 'rejected' AND EXISTS (SELECT 1 FROM _tidemark_request \
                WHERE change = ?1 AND status IN (404, 410))
                """
        ).execute(arguments: [change])
    }

    /// Returns the values of all columns of a row; nil if it does not exist.
    package func storedRow(_ row: Int64, in table: Int) throws -> Row? {
        let name = layout.name(of: table)
        return try Row.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM \(name) WHERE _id = ?"),
            arguments: [row]
        )
    }

    /// Returns the name of a table, by its index.
    package func name(of table: Int) -> String { layout.tables[table].name }

    /// Records that the changes of a row are removed.
    package func forget(_ row: Int64, in table: Int) {
        rows[table]?[row] = nil
    }

    /// Reads the changes of a row again, after others were recorded.
    package func refresh(_ row: Int64, in table: Int) throws {
        forget(row, in: table)
        try find(row, in: table)
    }
}
