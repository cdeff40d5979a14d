import GRDB
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkStore

/// A model and edits of its rows, both random.
struct EditSample: Sample {
    let seed: UInt64

    /// The numbers of the edits that are made: each makes its own choices.
    var edits: [Int]

    init(seed: UInt64) {
        self.seed = seed
        var chance = Chance(seed: seed, for: "edits")
        edits = Array(0..<chance.number(1...12))
    }

    var model: Model {
        RandomModel.model(
            seed: seed,
            [
                .ownedKeyless, .concreteParents, .abstractParents, .deleteRules, .required,
                .uniques,
                .unexportable, .unidirectional,
            ]
        )
    }

    var smaller: [EditSample] {
        edits.indices.map { index in
            var smaller = self
            smaller.edits.remove(at: index)
            return smaller
        }
    }

    var description: String { "seed \(seed), edits \(edits)" }
}

/// Writes random SQL.
struct RandomEdits {
    let layout: StoreLayout
    let plan: CapturePlan
    var chance: Chance

    /// The statements as a script, with comments about those that have failed.
    var log: [String] = []

    /// Whether rows and pairs may be replaced by others (`OR REPLACE`).
    var mayReplace = true

    init(_ layout: StoreLayout, _ chance: Chance) {
        self.layout = layout
        plan = CapturePlan(layout)
        self.chance = chance
    }

    /// Inserts a few rows and links into each table.
    mutating func fill(_ db: Database) throws {
        for table in layout.tables.indices {
            for _ in 0..<chance.number(1...4) { try attempt(db) { try $0.insert($1, into: table) } }
        }
        for _ in 0..<8 {
            for join in layout.joins.indices { try attempt(db) { try $0.addPair($1, to: join) } }
            try attempt(db) { try $0.update($1, .any) }
        }
    }

    /// Makes an edit of one or a few statements, some of which are undone.
    mutating func edit(_ db: Database) throws {
        for _ in 0..<chance.number(1...3) {
            guard chance.happens(25) else {
                try attempt(db) { try $0.statement($1) }
                continue
            }
            try run(db, "SAVEPOINT s")
            for _ in 0..<chance.number(1...3) { try attempt(db) { try $0.statement($1) } }
            if chance.happens(50) { try run(db, "ROLLBACK TO s") }
            try run(db, "RELEASE s")
        }
    }

    /// Makes one change, unless it violates a constraint.
    private mutating func attempt(
        _ db: Database,
        _ body: (inout RandomEdits, Database) throws -> Void
    ) throws {
        do {
            try body(&self, db)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            log.append("-- violated: \(error.message ?? "")")
        }
    }

    private mutating func statement(_ db: Database) throws {
        switch chance.number(1...100) {
        case ...45: try update(db, .captured)
        case ...60: try delete(db)
        case ...75: try insert(db, into: chance.number(0...layout.tables.count - 1))
        case ...80: try retype(db)
        default:
            guard !layout.joins.isEmpty else { return try update(db, .captured) }
            let join = chance.number(0...layout.joins.count - 1)
            switch chance.number(1...3) {
            case 1: try addPair(db, to: join)
            case 2: try removePair(db, from: join)
            default: try movePair(db, in: join)
            }
        }
    }

    private mutating func run(_ db: Database, _ sql: String) throws {
        log.append("\(sql);")
        try db.execute(sql: sql)
    }

    // MARK: Rows

    enum Columns {
        case any
        case captured
    }

    private mutating func update(_ db: Database, _ columns: Columns) throws {
        let table = chance.number(0...layout.tables.count - 1)
        let all = layout.tables[table].columns.indices.filter { column in
            // The position of a row in a list changes with the list.
            guard case .position = layout.tables[table].columns[column].content else { return true }
            return columns == .any || plan.trees.contains(table) == false
        }
        let allowed = columns == .any ? Array(all) : plan.columns[table].filter(all.contains)
        let chosen = chance.shuffled(allowed).prefix(chance.number(1...3))
        guard !chosen.isEmpty else { return }
        let values = try chosen.map {
            "\(layout.name(of: $0, in: table)) = \(try value(db, of: $0, in: table))"
        }
        // SQLite 3.40 corrupts an index if a row replaces the one that it refers to.
        let refersToItself = layout.tables[table].columns.contains { column in
            guard case .reference(let reference) = column.content else { return false }
            return reference.table == layout.tables[table].name
        }
        let conflict = chance.pick(
            ["", "", "OR IGNORE ", "OR ABORT "]
                + (refersToItself || !mayReplace ? [] : ["OR REPLACE "])
        )
        try run(
            db,
            "UPDATE \(conflict)\(layout.name(of: table)) SET \(values.joined(separator: ", ")) "
                + "WHERE \(try some(db, table))"
        )
    }

    private mutating func delete(_ db: Database) throws {
        let table = chance.number(0...layout.tables.count - 1)
        try run(db, "DELETE FROM \(layout.name(of: table)) WHERE \(try some(db, table))")
    }

    private mutating func insert(_ db: Database, into table: Int) throws {
        let layoutOfTable = layout.tables[table]
        var names: [String] = []
        var values: [String] = []
        if layoutOfTable.hasEntityColumn {
            names.append("_entity")
            values.append(entity(of: table).quotedText)
        }
        for (column, content) in layoutOfTable.columns.enumerated()
        where content.isRequired || chance.happens(80) {
            names.append(content.name)
            values.append(try value(db, of: column, in: table))
        }
        let list = names.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
        let conflict = chance.pick(["", "", mayReplace ? "OR REPLACE " : "", "OR IGNORE "])
        try run(
            db,
            names.isEmpty
                ? "INSERT INTO \(layout.name(of: table)) DEFAULT VALUES"
                : "INSERT \(conflict)INTO \(layout.name(of: table)) (\(list)) "
                    + "VALUES (\(values.joined(separator: ", ")))"
        )
    }

    private mutating func retype(_ db: Database) throws {
        let tables = layout.tables.indices.filter { layout.tables[$0].hasEntityColumn }
        guard !tables.isEmpty else { return }
        let table = chance.pick(tables)
        try run(
            db,
            "UPDATE \(layout.name(of: table)) SET _entity = \(entity(of: table).quotedText) "
                + "WHERE \(try some(db, table))"
        )
    }

    private mutating func entity(of table: Int) -> String {
        chance.pick(layout.entities.filter { $0.table == table && !$0.isAbstract }.map(\.name))
    }

    /// Returns a condition that selects one row or a few.
    private mutating func some(_ db: Database, _ table: Int) throws -> String {
        guard chance.happens(80) else { return "_id % 3 = \(chance.number(0...2))" }
        return "_id = \(try row(db, table))"
    }

    private mutating func row(_ db: Database, _ table: Int) throws -> String {
        let rows = try Int64.fetchAll(
            db,
            sql: "SELECT _id FROM \(layout.name(of: table)) ORDER BY _id"
        )
        return rows.isEmpty ? "NULL" : "\(chance.pick(rows))"
    }

    private mutating func value(
        _ db: Database,
        of column: Int,
        in table: Int
    ) throws -> String {
        let column = layout.tables[table].columns[column]
        if !column.isRequired, chance.happens(20) { return "NULL" }
        switch column.content {
        case .reference(let reference):
            guard let table = layout.tables.firstIndex(where: { $0.name == reference.table }) else {
                return "NULL"
            }
            return try row(db, table)
        case .position:
            return "\(chance.number(0...3))"
        case .attribute(let type):
            // Few values, so that unique ones clash, and some that compare equal in other classes.
            switch type.storageClass {
            case "INTEGER": return chance.pick(["0", "1", "2", "3", "-9223372036854775808"])
            case "REAL": return chance.pick(["0.0", "-0.0", "1.5", "2.0", "1e300"])
            case "TEXT": return chance.pick(["''", "'a'", "'1'", "'ü'", "'it''s'", "'A'"])
            case "BLOB": return chance.pick(["x''", "x'00ff'", "x'61'"])
            default: return chance.pick(["1", "1.0", "'1'", "x'31'"])
            }
        }
    }

    // MARK: Pairs

    private mutating func addPair(_ db: Database, to index: Int) throws {
        let join = layout.joins[index]
        var pair = [try row(db, named: join.ownerTable), try row(db, named: join.memberTable)]
        guard !pair.contains("NULL") else { return }
        if join.isSymmetric { pair.sort { (Int($0) ?? 0) < (Int($1) ?? 0) } }
        let positions = [join.isOrdered, join.isInverseOrdered].map { isOrdered in
            isOrdered ? "\(chance.number(0...4))" : "NULL"
        }
        let conflict = chance.pick(["", mayReplace ? "OR REPLACE " : "", "OR IGNORE "])
        try run(
            db,
            "INSERT \(conflict)INTO \(join.name.quotedDatabaseIdentifier) "
                + "(owner, member, position, inversePosition) "
                + "VALUES (\((pair + positions).joined(separator: ", ")))"
        )
    }

    private mutating func removePair(_ db: Database, from index: Int) throws {
        let join = layout.joins[index]
        let owner = try row(db, named: join.ownerTable)
        try run(
            db,
            "DELETE FROM \(join.name.quotedDatabaseIdentifier) WHERE owner = \(owner)"
                + (chance.happens(50) ? " AND member % 2 = \(chance.number(0...1))" : "")
        )
    }

    private mutating func movePair(_ db: Database, in index: Int) throws {
        let join = layout.joins[index]
        let list = plan.lists.first { $0.source == join.name }
        let owner = try row(db, named: join.ownerTable)
        let isMoved = chance.happens(30) && !join.isSymmetric
        guard isMoved || list?.order != nil else { return }
        let change =
            isMoved
            ? "member = \(try row(db, named: join.memberTable))"
            : "\(list?.order ?? "") = \(chance.number(0...4))"
        try run(
            db,
            "UPDATE \(join.name.quotedDatabaseIdentifier) SET \(change) WHERE owner = \(owner)"
        )
    }

    private mutating func row(_ db: Database, named table: String) throws -> String {
        guard let index = layout.tables.firstIndex(where: { $0.name == table }) else {
            return "NULL"
        }
        return try row(db, index)
    }
}
