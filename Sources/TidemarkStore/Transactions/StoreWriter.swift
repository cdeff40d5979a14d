import GRDB
import TidemarkModel

/// Reads and writes records in one transaction, and records the changes.
///
/// ``Store/write(durability:_:)-9to8`` creates a writer for its transaction, and
/// ``Store/write(in:_:)`` for one of the caller. A writer must not be used after its transaction
/// has ended.
///
/// ```swift
/// try store.write { writer in
///     let ada = try writer.insert("User", values: ["name": .string("Ada")])
///     try writer.insert("Note", values: [:], links: ["user": [RecordLocator(ada)]])
/// }
/// ```
///
/// Local writes and imports share it: both find rows, link them, record unresolved references and
/// apply delete rules with the same code. SQL that runs through ``StoreReader/db`` applies neither
/// the model's rules nor its delete rules.
public final class StoreWriter: StoreReader {
    /// The changes so far.
    package let changes = StoreChanges()

    /// Whether a relationship has unresolved references; contains the relationships checked so far.
    var unresolvedByRelationship: [String: Bool] = [:]

    /// The relationships by which rows contain rows without a primary key.
    private(set) lazy var containment = Containment(layout)

    /// Whether an import created rows of a table from objects without a key; contains the tables
    /// checked so far.
    var recordedTables: [Int: Bool] = [:]

    /// The rows without a primary key that have lost a link, by table.
    package internal(set) var unlinked: [Int: RowSet] = [:]

    /// The unresolved references that this transaction has written.
    package let unresolved = WrittenReferences()

    /// The rows whose links were imported.
    private var imported = ImportedLinks()

    /// Existing rows whose primary key changed, by table.
    private(set) var rekeyed: [Int: [Int64]] = [:]

    /// New rows that have not been written yet.
    private let pending = PendingRows()

    /// Protects links that were changed locally; nil if no row has such changes, and for local
    /// writes.
    package weak var linkConflicts: (any LinkConflictResolver)?

    /// The scans that may be open.
    let scans = OpenScans()

    /// What the writes of an app use.
    let localWrites = LocalWrites()

    /// Records that the primary key of an existing row changed.
    package func recordKeyChange(of row: Int64, in table: Int) {
        rekeyed[table, default: []].append(row)
        changes(in: table).recordKeyChange()
    }

    /// Returns the rows for which this transaction imported all links of a relationship.
    package func rowsWithCompleteLinks(_ relationship: RelationshipLayout) -> RowSet {
        if let rows = imported.complete[relationship.identifier] { return rows }
        let rows = RowSet()
        imported.complete[relationship.identifier] = rows
        return rows
    }

    /// Returns the rows that this transaction has linked by lists of a relationship which do not
    /// specify all links.
    package func addedMembers(_ relationship: RelationshipLayout) -> RowSet {
        if let rows = imported.members[relationship.identifier] { return rows }
        let rows = RowSet()
        imported.members[relationship.identifier] = rows
        return rows
    }

    /// Returns whether all links of a row were imported and another row is not among them.
    ///
    /// A link of a row to itself cannot be created before the row is stored, so it may still be an
    /// unresolved reference. It then counts as imported.
    func isOmitted(
        _ other: Int64,
        by relationship: RelationshipLayout,
        of row: Int64
    ) throws -> Bool {
        guard imported.complete[relationship.identifier]?.contains(row) == true,
            try !isLinked(relationship, of: row, to: other)
        else { return false }
        let isItself =
            row == other && layout.entities[relationship.destination].table == relationship.table
        return try !isItself || unresolvedNumbers(relationship, of: row).isEmpty
    }

    /// Links unresolved references to new rows, and notifies GRDB's observers of the changes.
    ///
    /// Call this once, after the last write of the transaction. `Store.write` does.
    package func finish() throws {
        try linkResolvedReferences()
        try yieldConnection()
        if let liveFeed {
            try liveFeed.notify(db, of: changes)
        } else {
            try changes.notify(db)
        }
    }

    // MARK: Statements between look-ups

    /// Returns a scan of the rows that a statement selects, from a position on.
    package func scan(_ sql: String) throws -> RowScan {
        let scan = RowScan(try RowStatement.prepare(db, sql))
        scans.rows.append(scan)
        return scan
    }

    /// Returns an empty batch of new rows.
    ///
    /// - Parameters:
    ///   - table: The index of the table.
    ///   - columns: The indexes of the columns with values; all others are NULL.
    /// - Returns: The batch; nil if rows of the table have to be inserted one by one, because an
    ///   insertion may fail or run other code.
    /// - Throws: `DatabaseError`.
    package func batch(in table: Int, columns: [Int]) throws -> RowBatch? {
        guard try !hasTriggers() else { return nil }
        return try RowBatch.prepare(
            db,
            table: layout.tables[table],
            columns: columns,
            pending: pending
        )
    }

    /// Returns whether an app has added triggers to the store, which may fail or change other rows.
    package func hasTriggers() throws -> Bool {
        // The triggers of the change feed and of the capture of local changes do neither.
        let find = try RowStatement.prepare(
            db,
            """
            SELECT 1 FROM sqlite_master WHERE type = 'trigger' \
            AND name NOT GLOB '\(CapturePlan.prefix)*' UNION ALL SELECT 1 \
            FROM sqlite_temp_master WHERE type = 'trigger' AND name NOT GLOB '_tidemark_feed_*' \
            AND name NOT GLOB '\(LiveFeed.prefix)*'
            """
        )
        return try find.step()
    }

    /// Runs a body that makes no local changes, such as one that links a row which has just got the
    /// key of unresolved references.
    func withoutCapture<T>(_ body: () throws -> T) throws -> T {
        guard let capture = try Capture.of(db, layout) else { return try body() }
        return try capture.suppressed(body)
    }

    package override func writePending() throws { try pending.write() }

    /// Writes the pending rows and ends the open scans, so that the connection can be used by other
    /// code.
    package func yieldConnection() throws {
        try writePending()
        for scan in scans.rows { scan.end() }
    }
}

/// The rows whose links a transaction has imported.
private struct ImportedLinks {
    /// The rows of which all links were imported, by relationship.
    ///
    /// An older unresolved reference to such a row is outdated if its owner is not among the links.
    var complete: [String: RowSet] = [:]

    /// The rows that lists have named which do not specify all links, by relationship.
    var members: [String: RowSet] = [:]
}

/// What the writes of an app in one transaction use.
final class LocalWrites {
    /// How records of types are written, by type.
    var plans: [ObjectIdentifier: EntityWritePlan] = [:]

    /// The memory for the values of the statement that runs.
    private(set) lazy var arena = ValueArena()
}

/// The unresolved references that a transaction has written, by their numbers.
package final class WrittenReferences {
    /// The number of references that are new.
    package var newCount = 0

    /// The references that were recorded or found already recorded, and were not linked since.
    package let current = RowSet()

    /// The references that were deleted.
    ///
    /// SQLite may assign such a number again to one that is recorded later.
    let deleted = RowSet()
}

extension StoreWriter {
    /// Returns the recorded changes of a table, by its index in the layout.
    func changes(in table: Int) -> StoreChanges.Table {
        changes.table(layout.tables[table].name)
    }

    /// Returns the recorded changes of a table, or nil if nothing has changed so far.
    func changes(ifAnyIn table: Int) -> StoreChanges.Table? {
        changes.table(ifChanged: layout.tables[table].name)
    }

    /// Returns the quoted name of a table.
    func name(of table: Int) -> String { layout.name(of: table) }

    /// Returns the quoted name of a column.
    func name(of column: Int, in table: Int) -> String { layout.name(of: column, in: table) }
}
