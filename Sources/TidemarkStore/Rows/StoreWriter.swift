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

    /// Whether any reference waits for its row, once that was asked: mostly none does.
    var isAnythingHeld: Bool?

    /// Whether a relationship has references that wait for their rows, as far as it was asked.
    var heldRelationships: [String: Bool] = [:]

    /// The references this transaction held, or found held, and has not linked.
    package let heldNow = RowSet()

    /// The numbers of references this transaction has forgotten; one that is held since may have
    /// such a number again.
    let forgotten = RowSet()

    /// The rows whose lists were given as a whole, by relationship: what waited to be linked to
    /// them is out of date where the list does not have it.
    private var listed: [String: RowSet] = [:]

    /// Rows that were there before and have another primary key now, by table.
    private(set) var rekeyed: [Int: [Int64]] = [:]

    /// Begins to write.
    public init(_ db: Database, _ store: Store) {
        reader = StoreReader(db, store)
    }

    /// The prepared statement for a text, the same one each time.
    public func statement(_ sql: String) throws -> RowStatement {
        try reader.statement(sql)
    }

    /// Notes that a row that was there before has another primary key now.
    package func noteKey(of row: Int64, in table: Int) {
        rekeyed[table, default: []].append(row)
    }

    /// The rows whose list of a relationship this transaction has been given as a whole.
    public func listedRows(_ relationship: RelationshipLayout) -> RowSet {
        if let rows = listed[relationship.identifier] { return rows }
        let rows = RowSet()
        listed[relationship.identifier] = rows
        return rows
    }

    /// Whether a row has been given a list without another row in it.
    func isLeftOut(_ other: Int64, _ relationship: RelationshipLayout, of row: Int64) throws -> Bool
    {
        guard listed[relationship.identifier]?.contains(row) == true else { return false }
        return try !reader.linked(relationship, of: row).contains(other)
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
