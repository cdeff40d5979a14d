import GRDB
import TidemarkModel

/// The rejections of a migration, found by queries before anything is changed.
struct MigrationCheck {
    let db: Database
    let plan: MigrationPlan
    let sql: MigrationSQL

    /// The rejections that were found so far.
    private(set) var rejections: [MigrationRejection] = []

    init(_ db: Database, _ plan: MigrationPlan) {
        self.db = db
        self.plan = plan
        sql = MigrationSQL(plan: plan)
    }

    /// Runs all checks.
    mutating func run() throws {
        try checkNames()
        try checkRemainder()
        try checkAbstract()
        for table in plan.tables.indices {
            let before = rejections.count
            for source in plan.tables[table].sources {
                for entity in source.entities { try checkValues(of: entity, source) }
            }
            try checkNumbers(in: table)
            // A value that does not convert cannot be compared with the others.
            if rejections.count == before { try checkUniqueness(in: table) }
        }
        for link in plan.links {
            try checkEnds(of: link)
            try checkCounts(of: link)
        }
    }

    /// Records a rejection.
    mutating func reject(
        at location: String,
        because reason: String,
        hint: String,
        row: RowReference? = nil,
        count: Int
    ) {
        rejections.append(
            MigrationRejection(
                location: location,
                reason: reason,
                hint: hint,
                row: row,
                count: count
            )
        )
    }

    // MARK: Entities

    /// Checks that no new table has the name of a table or view of the app.
    private mutating func checkNames() throws {
        let own = Set(plan.old.tables.map(\.name) + plan.old.joins.map(\.name))
            .map { $0.lowercased() }
        for name in plan.new.tables.map(\.name) where !own.contains(name.lowercased()) {
            let isTaken = try Bool.fetchOne(
                db,
                sql: "SELECT 1 FROM sqlite_master WHERE name = ? COLLATE NOCASE",
                arguments: [name]
            )
            guard isTaken != nil else { continue }
            reject(
                at: name,
                because: "The database has a table of that name that is not the store's.",
                hint: "Rename one of them.",
                count: 1
            )
        }
    }

    /// Rejects a model that keeps none of the store's rows, because it is that of another store.
    private mutating func checkRemainder() throws {
        var kept = 0
        var dropped = 0
        for entity in plan.oldEntities {
            let count = try self.count(rows: entity)
            if plan.successor(of: entity) == nil { dropped += count } else { kept += count }
        }
        guard kept == 0, dropped > 0 else { return }
        reject(
            at: plan.new.model.entities.map(\.name).sorted().joined(separator: ", "),
            because: "None of the store's rows (\(dropped)) has a place in the model.",
            hint: "Choose another path for a new store, or erase this one first.",
            count: dropped
        )
    }

    private mutating func checkAbstract() throws {
        for entity in plan.oldEntities {
            guard let successor = plan.match.newEntity(entity.name), successor.isAbstract,
                let row = try first("SELECT _id FROM \(rows(of: entity))", in: entity.table)
            else { continue }
            let count = try count(rows: entity)
            reject(
                at: successor.name,
                because: "It becomes abstract, but \(counted(count, noun: "row")) would be of it, "
                    + "the first \(row).",
                hint: "Delete them, or leave the entity concrete.",
                row: row,
                count: count
            )
        }
    }

    /// Checks that rows of several tables which move into one have different numbers, because rows
    /// keep theirs.
    private mutating func checkNumbers(in table: Int) throws {
        let sources = plan.tables[table].sources
        guard sources.count > 1 else { return }
        let numbers = sources.map { source in
            "SELECT _id FROM \(plan.old.name(of: source.table))"
                + (sql.filter(source).map { " WHERE \($0)" } ?? "")
        }
        let shared = """
            SELECT _id FROM (\(numbers.joined(separator: " UNION ALL "))) \
            GROUP BY _id HAVING count(*) > 1
            """
        let count = try count(of: shared)
        guard count > 0 else { return }
        let name = plan.new.tables[table].name
        let from = sources.map { plan.old.tables[$0.table].name }.joined(separator: " and ")
        reject(
            at: name,
            because:
                "\(counted(count, noun: "row")) of \(from) would have the number of another in one table.",
            hint: "Leave them in tables of their own, or import them into a new store.",
            count: count
        )
    }

    // MARK: Values

    private mutating func checkValues(of move: EntityMove, _ source: TableSource) throws {
        for attribute in move.new.attributes {
            let column = move.columns[attribute.column]
            if case .converted(let former?, let conversion) = column {
                try checkConversion(
                    in: move,
                    attribute: attribute.attribute,
                    column: former,
                    conversion: conversion
                )
            }
            if plan.isRequired(attribute.attribute, in: move.new) {
                try checkPresence(in: move, attribute: attribute.attribute, column: column)
            }
        }
    }

    private mutating func checkConversion(
        in move: EntityMove,
        attribute: Attribute,
        column: Int,
        conversion: Int
    ) throws {
        let name = plan.old.name(of: column, in: move.old.table)
        let failing = """
            SELECT _id FROM \(rows(of: move.old, and: "\(name) IS NOT NULL")) \
            AND \(MigrationSQL.fails)(\(conversion), \(name))
            """
        // The message names the first row and why its value does not convert, never the value.
        guard let row = try first(failing, in: move.old.table) else { return }
        let value = try DatabaseValue.fetchOne(
            db,
            sql: "SELECT \(name) FROM \(plan.old.name(of: move.old.table)) WHERE _id = ?",
            arguments: [row.number]
        )
        let failure = plan.conversions[conversion].failure(value ?? .null)
        let count = try count(of: failing)
        let former = plan.conversions[conversion].from?.rawValue ?? ""
        reject(
            at: "\(move.new.name).\(attribute.name)",
            because:
                "\(counted(count, noun: "value")) \(count == 1 ? "does" : "do") not convert from \(former) "
                + "to \(attribute.type.rawValue), the first in \(row): "
                + (failure?.description ?? ""),
            hint: "Change or clear them first, or give the attribute another name.",
            row: row,
            count: count
        )
    }

    private mutating func checkPresence(
        in move: EntityMove,
        attribute: Attribute,
        column: ColumnSource
    ) throws {
        let condition: String
        switch column {
        case .nothing: condition = "1"
        case .column(let former):
            condition = "\(plan.old.name(of: former, in: move.old.table)) IS NULL"
        case .converted(let former, let conversion):
            guard plan.conversions[conversion].fill == nil, let former else { return }
            let name = plan.old.name(of: former, in: move.old.table)
            // The JSON value `null` becomes NULL in any other type.
            let isNull = plan.conversions[conversion].from == .json ? " OR \(name) = 'null'" : ""
            condition = "(\(name) IS NULL\(isNull))"
        }
        let empty = "SELECT _id FROM \(rows(of: move.old, and: condition))"
        guard let row = try first(empty, in: move.old.table) else { return }
        let count = try count(of: empty)
        reject(
            at: "\(move.new.name).\(attribute.name)",
            because:
                "\(counted(count, noun: "row")) \(count == 1 ? "has" : "have") no value for it, "
                + "the first \(row), and it is required.",
            hint: "Give it a default value, or make it optional.",
            row: row,
            count: count
        )
    }

    // MARK: Queries

    /// Returns the text after FROM in a query for the rows of an entity itself, without its
    /// sub-entities.
    func rows(of entity: EntityLayout, and condition: String = "1") -> String {
        let table = plan.old.name(of: entity.table)
        let isNamed = plan.old.tables[entity.table].hasEntityColumn
        let own = isNamed ? "\(sql.isOneOf([entity.name])) AND " : ""
        return "\(table) WHERE \(own)\(condition)"
    }

    func count(rows entity: EntityLayout) throws -> Int {
        try count(of: "SELECT 1 FROM \(rows(of: entity))")
    }

    /// Returns the number of rows of a query.
    func count(of query: String) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM (\(query))") ?? 0
    }

    /// Returns the row of an old table with the smallest number that a query returns, or nil if it
    /// returns none.
    func first(_ query: String, in table: Int) throws -> RowReference? {
        try Int64.fetchOne(db, sql: "\(query) ORDER BY 1 LIMIT 1").map {
            try reference($0, in: table)
        }
    }

    /// Returns a reference to a row of an old table, with the row's own entity.
    func reference(_ number: Int64, in table: Int) throws -> RowReference {
        let layout = plan.old.tables[table]
        guard layout.hasEntityColumn else { return RowReference(layout.name, number) }
        let entity = try String.fetchOne(
            db,
            sql: "SELECT _entity FROM \(plan.old.name(of: table)) WHERE _id = ?",
            arguments: [number]
        )
        return RowReference(entity ?? layout.name, number)
    }

    func counted(_ count: Int, noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
