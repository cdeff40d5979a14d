import GRDB
import TidemarkModel

/// The temporary tables and triggers of a ``ChangeFeed``.
///
/// | table | a row is |
/// |---|---|
/// | `touched` | a row that the transaction has changed, in the order of first changes |
/// | `row_N` | the row of the N-th table before the transaction |
/// | `pair_N` | a pair of the N-th join table before the transaction |
/// | `link` | a relationship whose links have changed at a row, computed at the end |
/// | `line` | a committed change that is not read yet |
///
/// None has AUTOINCREMENT: it would create a temporary table `sqlite_sequence`, which would hide
/// that of the store.
///
/// They belong to the connection, and contain only what the transaction or the subscribers still
/// need. SQLite keeps them in a temporary file, apart from a small cache.
struct ChangeTables: Sendable {
    let layout: StoreLayout

    /// The prefix of all names.
    ///
    /// It differs by feed, because several stores may share an app's connection.
    private let prefix: String

    init(_ layout: StoreLayout, of feed: ChangeFeed) {
        self.layout = layout
        prefix = "_tidemark_feed_\(UInt(bitPattern: ObjectIdentifier(feed)))_"
    }

    // MARK: Names

    var touched: String { "\(prefix)touched" }
    var links: String { "\(prefix)link" }
    var line: String { "\(prefix)line" }

    func rows(_ table: Int) -> String { "\(prefix)row_\(table)" }

    func pairs(_ join: Int) -> String { "\(prefix)pair_\(join)" }

    /// Returns the name of a table of the store, with its schema: a temporary table with that name
    /// would hide it.
    func main(_ table: Int) -> String { "main.\(layout.name(of: table))" }

    func main(join: Int) -> String { "main.\(layout.joins[join].name.quotedDatabaseIdentifier)" }

    /// Returns the columns of a line that contain the values of a primary key.
    func keyNames(_ count: Int) -> [String] { (0..<count).map { "k\($0)" } }

    // MARK: Creation

    func create(_ db: Database) throws {
        try run(
            db,
            """
            CREATE TEMP TABLE \(touched) (_id INTEGER PRIMARY KEY, \
            tree INTEGER NOT NULL, row INTEGER NOT NULL, existed INTEGER NOT NULL, \
            UNIQUE (tree, row))
            """,
            """
            CREATE TEMP TABLE \(links) (tree INTEGER, row INTEGER, property TEXT, \
            PRIMARY KEY (tree, row, property)) WITHOUT ROWID
            """,
            """
            CREATE TEMP TABLE \(line) (_id INTEGER PRIMARY KEY, number INTEGER NOT NULL, \
            layout INTEGER NOT NULL, change INTEGER NOT NULL, entity TEXT NOT NULL, \
            row INTEGER NOT NULL, properties TEXT NOT NULL)
            """
        )
        try createRows(db)
    }

    /// Creates the tables and triggers that depend on the layout, without changing existing lines.
    func createRows(_ db: Database) throws {
        try widenLines(db, for: layout)
        for table in layout.tables.indices {
            try run(db, rowCreation(table))
            try run(db, rowTriggers(table))
        }
        for join in layout.joins.indices {
            try run(db, pairCreation(join))
            try run(db, pairTriggers(join))
        }
    }

    /// Adds columns to the table of lines, if the keys of a layout have more parts.
    func widenLines(_ db: Database, for layout: StoreLayout) throws {
        let columns = try RowStatement.prepare(
            db,
            "SELECT count(*) FROM pragma_table_info('\(line)') WHERE name GLOB 'k[0-9]*'"
        )
        let count = try columns.step() ? Int(columns.integer(at: 0)) : 0
        columns.reset()
        let widest = layout.entities.map(\.keyParts.count).max() ?? 0
        for name in keyNames(widest).dropFirst(count) {
            try run(db, "ALTER TABLE temp.\(line) ADD COLUMN \(name)")
        }
    }

    func drop(_ db: Database) throws {
        try dropTriggers(db)
        try dropRows(db)
        try run(db, [touched, links, line].map { "DROP TABLE IF EXISTS temp.\($0)" })
    }

    func dropRows(_ db: Database) throws {
        let names = layout.tables.indices.map(rows) + layout.joins.indices.map(pairs)
        try run(db, names.map { "DROP TABLE IF EXISTS temp.\($0)" })
    }

    func dropTriggers(_ db: Database) throws {
        let names = layout.tables.indices.map(rows) + layout.joins.indices.map(pairs)
        for name in names {
            try run(db, Event.allCases.map { "DROP TRIGGER IF EXISTS temp.\(name)_\($0)" })
        }
    }

    private enum Event: String, CaseIterable {
        case insert
        case update
        case delete
    }

    // MARK: Rows

    private func rowCreation(_ table: Int) -> String {
        // Columns without a type have no affinity, so that values are stored unchanged.
        let columns = ["_id INTEGER PRIMARY KEY"] + copiedColumns(table).map(\.copy)
        return "CREATE TEMP TABLE \(rows(table)) (\(columns.joined(separator: ", ")))"
    }

    /// Returns the columns that are copied of a row besides its number, by their names in the copy
    /// and in the row.
    private func copiedColumns(_ table: Int) -> [(copy: String, original: String)] {
        let entity =
            layout.tables[table].hasEntityColumn ? [("_entity", "\"_entity\"")] : []
        return entity
            + layout.tables[table].columns.indices.map {
                ("c\($0)", layout.name(of: $0, in: table))
            }
    }

    private func rowTriggers(_ table: Int) -> [String] {
        let values = ["OLD._id"] + copiedColumns(table).map { "OLD.\($0.original)" }
        let copy = "INSERT INTO \(rows(table)) VALUES (\(values.joined(separator: ", ")));"
        return Event.allCases.map { event in
            // Only the first change of a row in a transaction is recorded: its values before it are
            // the ones that are compared.
            let row = event == .insert ? "NEW._id" : "OLD._id"
            return """
                CREATE TEMP TRIGGER \(rows(table))_\(event) \
                AFTER \(event.rawValue.uppercased()) ON \(main(table)) \
                WHEN NOT EXISTS (SELECT 1 FROM \(touched) WHERE tree = \(table) AND row = \(row)) \
                BEGIN \(event == .insert ? "" : copy) \
                INSERT INTO \(touched) (tree, row, existed) \
                VALUES (\(table), \(row), \(event == .insert ? 0 : 1)); END
                """
        }
    }

    // MARK: Pairs

    private func pairCreation(_ join: Int) -> String {
        """
        CREATE TEMP TABLE \(pairs(join)) (owner INTEGER, member INTEGER, existed INTEGER, \
        position INTEGER, inversePosition INTEGER, PRIMARY KEY (owner, member)) WITHOUT ROWID
        """
    }

    private func pairTriggers(_ join: Int) -> [String] {
        func copy(_ row: String, existed: Int) -> String {
            """
            INSERT INTO \(pairs(join)) \
            SELECT \(row).owner, \(row).member, \(existed), \(row).position, \
            \(row).inversePosition WHERE NOT EXISTS (SELECT 1 FROM \(pairs(join)) \
            WHERE owner = \(row).owner AND member = \(row).member);
            """
        }
        return Event.allCases.map { event in
            let copies =
                switch event {
                case .insert: [copy("NEW", existed: 0)]
                // An update may turn the pair into another one.
                case .update: [copy("OLD", existed: 1), copy("NEW", existed: 0)]
                case .delete: [copy("OLD", existed: 1)]
                }
            return """
                CREATE TEMP TRIGGER \(pairs(join))_\(event) \
                AFTER \(event.rawValue.uppercased()) ON \(main(join: join)) \
                BEGIN \(copies.joined(separator: " ")) END
                """
        }
    }

    // MARK: Running

    func run(_ db: Database, _ statements: String...) throws {
        try run(db, statements)
    }

    func run(_ db: Database, _ statements: [String]) throws {
        for statement in statements { try RowStatement.prepare(db, statement).run() }
    }

    /// Returns the integers in the first column of a query.
    func numbers(_ db: Database, _ sql: String) throws -> [Int64] {
        let statement = try RowStatement.prepare(db, sql)
        var numbers: [Int64] = []
        while try statement.step() { numbers.append(statement.integer(at: 0)) }
        return numbers
    }
}
