public import GRDB
import TidemarkModel

/// Reads records in one transaction.
///
/// ``Store/read(_:)-1y3vr`` creates a reader for its transaction, and ``Store/read(in:_:)`` for one
/// of the caller. A reader must not be used after its transaction has ended.
///
/// ```swift
/// let titles = try store.read { reader in
///     try reader.fetch(RecordRequest("Film", sort: [.init("episode")])).map { $0["title"] }
/// }
/// ```
///
/// The statements of a reader stay prepared until it is released, so several reads are faster in
/// one transaction than in a transaction each.
public class StoreReader {
    /// The connection, inside the transaction, for SQL and for other records of GRDB.
    ///
    /// Use it for what requests cannot express, such as joins and aggregates, and for tables of the
    /// app. In a ``StoreWriter``, SQL that writes neither follows the model's rules nor applies its
    /// delete rules. Do not commit or roll back with it.
    ///
    /// ```swift
    /// let longest = try store.read { reader in
    ///     try Int.fetchOne(reader.db, sql: "SELECT max(minutes) FROM Film")
    /// }
    /// ```
    public final let db: Database

    /// The mapping of the model's properties to tables and columns.
    package final let layout: StoreLayout

    /// The feed of live results that records what a writer changes.
    final var liveFeed: LiveFeed?

    /// Whether the store has any unresolved references; nil if not checked yet.
    ///
    /// Most stores have none.
    final var anyUnresolved: Bool?

    /// Whether the connection has the functions that predicates use.
    private var isPreparedForQueries = false

    private var prepared = PreparedStatements()

    /// The last statement used by its key.
    ///
    /// Following lists uses the same one repeatedly, and the comparison is cheaper than a
    /// dictionary lookup.
    private var recent: (use: StatementUse, statement: RowStatement)?

    /// Returns a reader, or a writer, for a transaction.
    ///
    /// - Parameters:
    ///   - db: The connection, inside a transaction.
    ///   - store: The store whose database the connection is open to.
    /// - Returns: A reader or a writer, depending on the type that the function is called on.
    /// - Throws: ``StoreError/Code/outdated`` if the store has been migrated since it was opened.
    package static func prepare(_ db: Database, in store: Store) throws -> Self {
        try store.expectLayout(db)
        let reader = Self(db, layout: store.layout)
        reader.liveFeed = store.liveFeed
        return reader
    }

    required init(_ db: Database, layout: StoreLayout) {
        self.db = db
        self.layout = layout
    }

    /// Returns a reader or writer of the transaction of another one, whose prepared statements it
    /// uses.
    ///
    /// Merging one object prepares as many statements as importing a list. A push merges the
    /// objects of many responses in one transaction.
    package static func sharing(_ other: StoreReader) -> Self {
        let reader = Self(other.db, layout: other.layout)
        reader.prepared = other.prepared
        reader.liveFeed = other.liveFeed
        return reader
    }

    /// Writes what is still to be written before a statement can read it.
    ///
    /// Called before each use of a statement.
    package func writePending() throws {}

    /// Returns the prepared statement for an SQL text.
    ///
    /// Equal texts share a statement.
    package final func statement(_ sql: String) throws -> RowStatement {
        try writePending()
        return try statement(ofSystemTables: sql)
    }

    /// Returns the prepared statement for an SQL text about Tidemark's own tables alone.
    ///
    /// In contrast to other statements, it does not need pending rows to be written.
    final func statement(ofSystemTables sql: String) throws -> RowStatement {
        if let statement = prepared.byText[sql] { return statement }
        let statement = try RowStatement.prepare(db, sql)
        prepared.byText[sql] = statement
        return statement
    }

    /// Returns the prepared statement for an SQL text, which the connection keeps after the
    /// transaction.
    final func statement(keeping sql: String) throws -> RowStatement {
        try writePending()
        if let statement = prepared.byText[sql] { return statement }
        let statement = try RowStatement.kept(db, sql)
        prepared.byText[sql] = statement
        return statement
    }

    /// Returns the prepared statement for a use.
    ///
    /// The SQL text is only evaluated the first time.
    package final func statement(
        for use: StatementUse,
        sql: @autoclosure () -> String
    ) throws -> RowStatement {
        try writePending()
        if let recent, recent.use == use { return recent.statement }
        let statement = try prepared.byUse[use] ?? RowStatement.prepare(db, sql())
        prepared.byUse[use] = statement
        recent = (use, statement)
        return statement
    }

    /// Adds the functions and collations that predicates use to the connection, if it lacks them.
    final func prepareQueries() throws {
        guard !isPreparedForQueries else { return }
        try QueryFunction.prepare(db)
        isPreparedForQueries = true
    }
}

/// The statements that the readers of a transaction have prepared.
private final class PreparedStatements {
    var byText: [String: RowStatement] = [:]

    /// Statements with a structured key: building their SQL would take longer than running them.
    var byUse: [StatementUse: RowStatement] = [:]
}

/// The purpose of a statement, which determines its SQL.
package enum StatementUse: Hashable {
    /// Selects the values that an import of an entity compares.
    case compared(entity: Int)
    /// Updates columns of a row that an import of an entity has found.
    case updated(entity: Int, ColumnMask)
    /// Selects the number and the attributes of a row of an entity.
    case attributes(String)
    /// Selects the primary key of a row of an entity.
    case key(String)
    /// Tests whether a row exists.
    case row(table: Int)
    /// Tests whether a row belongs to an entity or to one that inherits from it.
    case member(String)
    /// Selects the value of a column in a row.
    case value(table: Int, column: Int)
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
    /// Returns the statement that selects the value of a column in a row, whose number is its
    /// argument.
    package func valueStatement(ofColumn column: Int, in table: Int) throws -> RowStatement {
        try statement(
            for: .value(table: table, column: column),
            sql:
                "SELECT \(layout.name(of: column, in: table)) FROM \(layout.name(of: table)) WHERE _id = ?"
        )
    }

    /// Returns the rows that a row is linked to, in the order of the relationship; if it has none,
    /// by row number.
    package func linked(_ relationship: RelationshipLayout, of row: Int64) throws -> [Int64] {
        let statement = try statement(
            for: .linked(relationship.storage, table: relationship.table),
            sql: linkedSQL(relationship)
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

    /// Returns whether a row is linked to another row, among any number of links.
    func isLinked(
        _ relationship: RelationshipLayout,
        of row: Int64,
        to other: Int64
    ) throws -> Bool {
        let statement = try statement(
            for: .areLinked(relationship.storage, table: relationship.table),
            sql: areLinkedSQL(relationship)
        )
        statement.bind(row, at: 1)
        statement.bind(other, at: 2)
        defer { statement.reset() }
        return try statement.step()
    }

    private func areLinkedSQL(_ relationship: RelationshipLayout) -> String {
        func reference(_ column: Int, in table: Int, owner: String, other: String) -> String {
            "SELECT 1 FROM \(layout.name(of: table)) "
                + "WHERE _id = \(owner) AND \(layout.name(of: column, in: table)) = \(other)"
        }
        func pair(in join: Int, owner: String, member: String) -> String {
            "SELECT 1 FROM \(layout.joins[join].name.quotedDatabaseIdentifier) "
                + "WHERE owner = \(owner) AND member = \(member)"
        }
        return switch relationship.storage {
        case .column(let column):
            reference(column, in: relationship.table, owner: "?1", other: "?2")
        case .inverse(let table, let column, _):
            reference(column, in: table, owner: "?2", other: "?1")
        case .join(let join, .owner): pair(in: join, owner: "?1", member: "?2")
        case .join(let join, .member): pair(in: join, owner: "?2", member: "?1")
        // A symmetric pair is stored once, with the smaller number as its owner.
        case .join(let join, .either): pair(in: join, owner: "min(?1, ?2)", member: "max(?1, ?2)")
        }
    }

    final func linkedSQL(_ relationship: RelationshipLayout) -> String {
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
            return linkedSQL(layout.joins[join], side: side)
        }
    }

    private func linkedSQL(_ join: JoinLayout, side: JoinSide) -> String {
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
    package func name(of table: Int) -> String {
        tables[table].name.quotedDatabaseIdentifier
    }

    /// Returns the quoted name of a column.
    package func name(of column: Int, in table: Int) -> String {
        tables[table].columns[column].name.quotedDatabaseIdentifier
    }
}
