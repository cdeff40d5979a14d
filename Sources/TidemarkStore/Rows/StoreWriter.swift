public import GRDB
import TidemarkModel

/// What one transaction writes rows with: statements that stay prepared, and what they changed.
///
/// A writer lives as long as its transaction. It is the ground that local writes and imports share:
/// both find rows, link them, hold references to rows that are not here yet, and delete along the
/// model's rules by the same code. Call ``finish()`` last.
public final class StoreWriter {
    /// What it reads with.
    public let reader: StoreReader

    /// The connection, inside the transaction.
    public var db: Database { reader.db }

    /// Where the model's properties lie.
    public var layout: StoreLayout { reader.layout }

    /// What was written so far.
    public let changes = StoreChanges()

    /// Whether a relationship has references that wait for their rows, as far as it was asked.
    var heldRelationships: [String: Bool] = [:]

    /// Which relationships make rows without a key parts of others.
    private(set) lazy var containment = Containment(layout)

    /// Whether an import made any rows of a table from objects without a key, once that was
    /// checked.
    var recordedTables: [Int: Bool] = [:]

    /// The rows without a key that have lost a link, by table.
    package internal(set) var unlinked: [Int: RowSet] = [:]

    /// How many references this transaction has made wait that did not wait before.
    package var newReferences = 0

    /// The references this transaction held, or found held, and has not linked.
    package let heldNow = RowSet()

    /// The numbers of references this transaction has forgotten; one that is held since may have
    /// such a number again.
    let forgotten = RowSet()

    /// The rows that were given what they are linked to, by relationship: what waited to be linked
    /// to them is out of date where that does not have it.
    private var given: [String: RowSet] = [:]

    /// Rows that were there before and have another primary key now, by table.
    private(set) var rekeyed: [Int: [Int64]] = [:]

    /// Begins to write.
    ///
    /// - Throws: ``StoreError/Code/outdated`` when the store has been migrated since it was opened.
    public init(_ db: Database, _ store: Store) throws {
        reader = try StoreReader(db, store)
    }

    /// The prepared statement for a text, the same one each time.
    public func statement(_ sql: String) throws -> RowStatement {
        try reader.statement(sql)
    }

    /// Notes that a row that was there before has another primary key now.
    package func noteKey(of row: Int64, in table: Int) {
        rekeyed[table, default: []].append(row)
    }

    /// The rows that this transaction has been told all links of, in a relationship.
    package func rowsGiven(_ relationship: RelationshipLayout) -> RowSet {
        if let rows = given[relationship.identifier] { return rows }
        let rows = RowSet()
        given[relationship.identifier] = rows
        return rows
    }

    /// Whether a row has been given its links, and another row is not among them.
    ///
    /// What a row says of itself cannot be linked before it is stored: its own word may still wait.
    func isLeftOut(_ other: Int64, _ relationship: RelationshipLayout, of row: Int64) throws -> Bool
    {
        guard given[relationship.identifier]?.contains(row) == true,
            try !reader.isLinked(relationship, of: row, to: other)
        else { return false }
        let isItself =
            row == other && layout.entities[relationship.destination].table == relationship.table
        return try !isItself || heldNumbers(relationship, of: row).isEmpty
    }

    /// Ends the writing: links what waited for the new rows, and tells observers what changed.
    public func finish() throws {
        try linkHeldReferences()
        try changes.notify(db)
    }
}

extension StoreWriter {
    /// The changes of a table by its place in the layout.
    func changes(in table: Int) -> StoreChanges.Table {
        changes.table(layout.tables[table].name)
    }

    /// The changes of a table, if there are any so far.
    func changes(ifAnyIn table: Int) -> StoreChanges.Table? {
        changes.table(ifChanged: layout.tables[table].name)
    }

    /// The quoted name of a table.
    func name(of table: Int) -> String { layout.name(of: table) }

    /// The quoted name of a column.
    func name(of column: Int, in table: Int) -> String { layout.name(of: column, in: table) }
}
