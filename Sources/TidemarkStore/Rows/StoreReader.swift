public import GRDB
import TidemarkModel

/// Reads rows in one transaction, with prepared statements that are reused.
public final class StoreReader {
    /// The connection, inside the transaction.
    public let db: Database

    /// The mapping of the model's properties to tables and columns.
    public let layout: StoreLayout

    /// Whether the store has any unresolved references; nil if not checked yet.
    ///
    /// Most stores have none.
    var isAnythingHeld: Bool?

    private var statements: [String: RowStatement] = [:]

    /// Statements with a structured key: building their SQL would take longer than running them.
    private var statementsByUse: [StatementUse: RowStatement] = [:]

    /// The last statement used by its key.
    ///
    /// Following lists uses the same one repeatedly, and the comparison is cheaper than a
    /// dictionary lookup.
    private var recent: (use: StatementUse, statement: RowStatement)?

    /// Creates a reader.
    ///
    /// - Throws: ``StoreError/Code/outdated`` if the store has been migrated since it was opened.
    public init(_ db: Database, _ store: Store) throws {
        try store.expectLayout(db)
        self.db = db
        layout = store.layout
    }

    /// Returns the prepared statement for an SQL text.
    ///
    /// Equal texts share a statement.
    public func statement(_ sql: String) throws -> RowStatement {
        if let statement = statements[sql] { return statement }
        let statement = try RowStatement(db, sql)
        statements[sql] = statement
        return statement
    }

    /// Returns the prepared statement for a use.
    ///
    /// The SQL text is only evaluated the first time.
    func statement(_ use: StatementUse, _ sql: @autoclosure () -> String) throws -> RowStatement {
        if let recent, recent.use == use { return recent.statement }
        let statement = try statementsByUse[use] ?? RowStatement(db, sql())
        statementsByUse[use] = statement
        recent = (use, statement)
        return statement
    }
}

/// The purpose of a statement about links, which determines its SQL.
enum StatementUse: Hashable {
    /// Selects the rows that a row is linked to.
    case linked(RelationshipStorage, table: Int)
    /// Tests whether two rows are linked.
    case areLinked(RelationshipStorage, table: Int)
    /// Updates a reference.
    case setReference(table: Int, column: Int)
    /// Selects the rows that have a reference to a row.
    case holders(table: Int, column: Int)
    /// Inserts a pair into a join table, at a given position in the list of one side or at the end.
    case addPair(Int, placed: JoinSide?)
    /// Deletes a pair from a join table.
    case removePair(Int)
    /// Moves a row to the end of an ordered list.
    case putLast(table: Int, position: Int)
    /// Moves a row to a position in an ordered list.
    case put(RelationshipStorage)
}

extension StoreReader {
    /// Returns the rows that a row is linked to, in the order of the relationship; if it has none,
    /// by row number.
    public func linked(_ relationship: RelationshipLayout, of row: Int64) throws -> [Int64] {
        let statement = try statement(
            .linked(relationship.storage, table: relationship.table),
            linkedSQL(relationship)
        )
        statement.bind(row, at: 1)
        defer { statement.reset() }
        var rows: [Int64] = []
        while try statement.step() {
            if !statement.isNull(at: 0) {
                rows.append(statement.integer(at: 0))
            }
        }
        return rows
    }

    /// Returns whether a row belongs to an entity and has a complete primary key.
    ///
    /// A reference to a parent counts as part of the key even while it is unresolved.
    package func hasKey(_ row: Int64, of entity: EntityLayout) throws -> Bool {
        let table = layout.name(of: entity.table)
        let find = try statement(
            "SELECT 1 FROM \(table) WHERE _id = ? "
                + "AND \(layout.hasKeyCondition(entity, in: table))\(entity.familyCondition)"
        )
        find.bind(row, at: 1)
        defer { find.reset() }
        return try find.step()
    }

    /// Returns whether a row is linked to exactly these rows, in this order.
    func isLinked(
        _ relationship: RelationshipLayout,
        of row: Int64,
        toJust others: [Int64]
    ) throws -> Bool {
        let statement = try statement(
            .linked(relationship.storage, table: relationship.table),
            linkedSQL(relationship)
        )
        statement.bind(row, at: 1)
        defer { statement.reset() }
        var index = 0
        while try statement.step() {
            guard index < others.count, statement.integer(at: 0) == others[index] else {
                return false
            }
            index += 1
        }
        return index == others.count
    }

    /// Returns whether a row is linked to another row, among any number of links.
    func isLinked(
        _ relationship: RelationshipLayout,
        of row: Int64,
        to other: Int64
    ) throws -> Bool {
        let statement = try statement(
            .areLinked(relationship.storage, table: relationship.table),
            areLinkedSQL(relationship)
        )
        statement.bind(row, at: 1)
        statement.bind(other, at: 2)
        defer { statement.reset() }
        return try statement.step()
    }

    private func areLinkedSQL(_ relationship: RelationshipLayout) -> String {
        func reference(_ column: Int, in table: Int, _ owner: String, _ other: String) -> String {
            "SELECT 1 FROM \(layout.name(of: table)) "
                + "WHERE _id = \(owner) AND \(layout.name(of: column, in: table)) = \(other)"
        }
        func pair(_ join: Int, _ owner: String, _ member: String) -> String {
            "SELECT 1 FROM \(layout.joins[join].name.quotedDatabaseIdentifier) "
                + "WHERE owner = \(owner) AND member = \(member)"
        }
        return switch relationship.storage {
        case .column(let column): reference(column, in: relationship.table, "?1", "?2")
        case .inverse(let table, let column, _): reference(column, in: table, "?2", "?1")
        case .join(let join, .owner): pair(join, "?1", "?2")
        case .join(let join, .member): pair(join, "?2", "?1")
        // A symmetric pair is stored once, with the smaller number as its owner.
        case .join(let join, .either): pair(join, "min(?1, ?2)", "max(?1, ?2)")
        }
    }

    private func linkedSQL(_ relationship: RelationshipLayout) -> String {
        switch relationship.storage {
        case .column(let column):
            let table = relationship.table
            return
                "SELECT \(layout.name(of: column, in: table)) FROM \(layout.name(of: table)) WHERE _id = ?"
        case .inverse(let table, let column, let position):
            // SQLite sorts NULL first, but rows without a position come last.
            let order = position.map {
                "\(layout.name(of: $0, in: table)) IS NULL, \(layout.name(of: $0, in: table)), "
            }
            return """
                SELECT _id FROM \(layout.name(of: table)) WHERE \(layout.name(of: column, in: table)) = ? \
                ORDER BY \(order ?? "")_id
                """
        case .join(let join, let side):
            return linkedSQL(layout.joins[join], side)
        }
    }

    private func linkedSQL(_ join: JoinLayout, _ side: JoinSide) -> String {
        let table = join.name.quotedDatabaseIdentifier
        switch side {
        case .owner:
            let order = join.isOrdered ? "position IS NULL, position, " : ""
            return "SELECT member FROM \(table) WHERE owner = ? ORDER BY \(order)member"
        case .member:
            let order = join.isInverseOrdered ? "inversePosition IS NULL, inversePosition, " : ""
            return "SELECT owner FROM \(table) WHERE member = ? ORDER BY \(order)owner"
        case .either:
            // UNION removes the duplicate of a row that is linked to itself.
            return """
                SELECT member FROM \(table) WHERE owner = ?1 \
                UNION SELECT owner FROM \(table) WHERE member = ?1 ORDER BY 1
                """
        }
    }
}

extension StoreLayout {
    /// Returns the quoted name of a table.
    func name(of table: Int) -> String {
        tables[table].name.quotedDatabaseIdentifier
    }

    /// Returns the quoted name of a column.
    func name(of column: Int, in table: Int) -> String {
        tables[table].columns[column].name.quotedDatabaseIdentifier
    }
}
