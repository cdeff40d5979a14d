public import GRDB

/// What a transaction changed, for those who show the rows: which rows of which tables, and what in
/// them.
public final class StoreChanges {
    /// The changes of one table.
    public final class Table {
        /// The new rows.
        public let inserted = RowSet()
        /// The rows with other values than before.
        public let updated = RowSet()
        /// The columns in which updated rows differ.
        public private(set) var updatedColumns = ColumnMask()
        /// The rows that are gone.
        public let deleted = RowSet()
        /// The rows that belong to another entity than before the transaction, each with its old
        /// entity.
        ///
        /// They are among the updated rows too.
        public private(set) var retyped: [Int64: String] = [:]

        /// Notes that columns of a row have other values now.
        public func update(_ row: Int64, _ columns: ColumnMask) {
            updated.insert(row)
            updatedColumns.formUnion(columns)
        }

        /// Records that a row belongs to another entity now.
        ///
        /// - Parameters:
        ///   - row: the row's number.
        ///   - entity: the entity it belonged to.
        ///   - columns: the columns that lost their values, because the new entity lacks them.
        public func retype(_ row: Int64, from entity: String, clearing columns: ColumnMask) {
            update(row, columns)
            if retyped[row] == nil { retyped[row] = entity }
        }

        /// Whether nothing changed.
        var isEmpty: Bool { inserted.count == 0 && updated.count == 0 && deleted.count == 0 }
    }

    private var tables: [String: Table] = [:]

    /// Creates an empty collection.
    public init() {}

    /// The names of the tables that changed.
    public var tableNames: [String] { tables.filter { !$0.value.isEmpty }.keys.sorted() }

    /// Whether nothing changed.
    public var isEmpty: Bool { tables.values.allSatisfy(\.isEmpty) }

    /// Where the changes of a table are noted.
    public func table(_ name: String) -> Table {
        if let table = tables[name] { return table }
        let table = Table()
        tables[name] = table
        return table
    }

    /// The changes of a table, if there are any.
    public func table(ifChanged name: String) -> Table? {
        tables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Tells GRDB's observers which tables changed.
    ///
    /// Statements that run outside GRDB are invisible to them, so this belongs into every
    /// transaction that wrote that way, before it commits.
    public func notify(_ db: Database) throws {
        for name in tableNames {
            try db.notifyChanges(in: GRDB.Table(name))
        }
    }
}
