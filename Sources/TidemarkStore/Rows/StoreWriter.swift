public import GRDB
import TidemarkModel

/// Writes rows in one transaction, with prepared statements that are reused, and records the
/// changes.
///
/// A writer must not outlive its transaction. Local writes and imports share it: both find rows,
/// link them, record unresolved references and apply delete rules with the same code. Call
/// ``finish()`` after the last write. For single rows, ``Store/insert(_:_:values:links:)`` and its
/// siblings are more convenient.
public final class StoreWriter {
    /// The reader for the same transaction.
    public let reader: StoreReader

    /// The connection, inside the write transaction.
    public var db: Database { reader.db }

    /// The mapping of the model's properties to tables and columns.
    public var layout: StoreLayout { reader.layout }

    /// The changes so far.
    public let changes = StoreChanges()

    /// Whether a relationship has unresolved references; contains the relationships checked so far.
    var heldRelationships: [String: Bool] = [:]

    /// The relationships by which rows contain rows without a primary key.
    private(set) lazy var containment = Containment(layout)

    /// Whether an import created rows of a table from objects without a key; contains the tables
    /// checked so far.
    var recordedTables: [Int: Bool] = [:]

    /// The rows without a primary key that have lost a link, by table.
    package internal(set) var unlinked: [Int: RowSet] = [:]

    /// The number of unresolved references that are new in this transaction.
    package var newReferences = 0

    /// The unresolved references that this transaction recorded or found already recorded, and has
    /// not linked since.
    package let heldNow = RowSet()

    /// The numbers of unresolved references that this transaction deleted.
    ///
    /// SQLite may assign such a number again to one that is recorded later.
    let forgotten = RowSet()

    /// The rows whose links were imported, by relationship.
    ///
    /// An older unresolved reference to such a row is outdated if its owner is not among the links.
    private var given: [String: RowSet] = [:]

    /// Existing rows whose primary key changed, by table.
    private(set) var rekeyed: [Int: [Int64]] = [:]

    /// Creates a writer.
    ///
    /// - Throws: ``StoreError/Code/outdated`` if the store has been migrated since it was opened.
    public init(_ db: Database, _ store: Store) throws {
        reader = try StoreReader(db, store)
    }

    /// Returns the prepared statement for an SQL text.
    ///
    /// Equal texts share a statement.
    public func statement(_ sql: String) throws -> RowStatement {
        try reader.statement(sql)
    }

    /// Records that the primary key of an existing row changed.
    package func noteKey(of row: Int64, in table: Int) {
        rekeyed[table, default: []].append(row)
    }

    /// Returns the rows for which this transaction imported all links of a relationship.
    package func rowsGiven(_ relationship: RelationshipLayout) -> RowSet {
        if let rows = given[relationship.identifier] { return rows }
        let rows = RowSet()
        given[relationship.identifier] = rows
        return rows
    }

    /// Returns whether all links of a row were imported and another row is not among them.
    ///
    /// A link of a row to itself cannot be created before the row is stored, so it may still be an
    /// unresolved reference. It then counts as imported.
    func isLeftOut(_ other: Int64, _ relationship: RelationshipLayout, of row: Int64) throws -> Bool
    {
        guard given[relationship.identifier]?.contains(row) == true,
            try !reader.isLinked(relationship, of: row, to: other)
        else { return false }
        let isItself =
            row == other && layout.entities[relationship.destination].table == relationship.table
        return try !isItself || heldNumbers(relationship, of: row).isEmpty
    }

    /// Links unresolved references to new rows, and notifies GRDB's observers of the changes.
    ///
    /// Call this once, after the last write of the transaction.
    public func finish() throws {
        try linkHeldReferences()
        try changes.notify(db)
    }
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
