public import GRDB
import TidemarkModel

/// What one transaction reads rows with: statements that stay prepared.
public final class StoreReader {
    /// The connection, inside the transaction.
    public let db: Database

    /// Where the model's properties lie.
    public let layout: StoreLayout

    /// Whether any reference waits for its row, once that was asked: mostly none does.
    var isAnythingHeld: Bool?

    private var statements: [String: RowStatement] = [:]

    /// Statements whose text would cost more to put together than to run.
    private var statementsByUse: [StatementUse: RowStatement] = [:]

    /// The one of them asked for last: who walks along lists asks for the same again and again.
    private var recent: (use: StatementUse, statement: RowStatement)?

    /// Begins to read.
    ///
    /// - Throws: ``StoreError/Code/outdated`` when the store has been migrated since it was opened.
    public init(_ db: Database, _ store: Store) throws {
        try store.expectLayout(db)
        self.db = db
        layout = store.layout
    }

    /// The prepared statement for a text, the same one each time.
    public func statement(_ sql: String) throws -> RowStatement {
        if let statement = statements[sql] { return statement }
        let statement = try RowStatement(db, sql)
        statements[sql] = statement
        return statement
    }

    /// The prepared statement for a use; its text is asked for the first time.
    func statement(_ use: StatementUse, _ sql: @autoclosure () -> String) throws -> RowStatement {
        if let recent, recent.use == use { return recent.statement }
        let statement = try statementsByUse[use] ?? RowStatement(db, sql())
        statementsByUse[use] = statement
        recent = (use, statement)
        return statement
    }
}

/// What a statement about links is for.
enum StatementUse: Hashable {
    /// The rows that a row is linked to.
    case linked(RelationshipStorage, table: Int)
    /// Whether two rows are linked.
    case areLinked(RelationshipStorage, table: Int)
    /// A new value of a reference.
    case setReference(table: Int, column: Int)
    /// The rows that hold a reference.
    case holders(table: Int, column: Int)
    /// A new pair, at a place among those of one side or behind all others.
    case addPair(Int, placed: JoinSide?)
    /// The end of a pair.
    case removePair(Int)
    /// A place behind all others.
    case putLast(table: Int, position: Int)
    /// A place.
    case put(RelationshipStorage)
}

extension StoreReader {
    /// The rows a row is linked to: in their order where the relationship has one, else by row
    /// number.
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

    /// Whether a row is of an entity and has a value in all parts of its primary key.
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

    /// Whether a row is linked to just these rows, in this order.
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

    /// Whether a row is linked to another, however many it is linked to.
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
            return """
                SELECT member FROM \(table) WHERE owner = ?1 \
                UNION SELECT owner FROM \(table) WHERE member = ?1 ORDER BY 1
                """
        }
    }
}

extension StoreLayout {
    /// The quoted name of a table.
    func name(of table: Int) -> String {
        tables[table].name.quotedDatabaseIdentifier
    }

    /// The quoted name of a column.
    func name(of column: Int, in table: Int) -> String {
        tables[table].columns[column].name.quotedDatabaseIdentifier
    }
}
