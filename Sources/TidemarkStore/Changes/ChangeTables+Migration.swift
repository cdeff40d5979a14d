import GRDB
import TidemarkModel

/// The changes that a migration makes to rows, computed from its plan.
///
/// A migration rebuilds whole tables, so rows are not compared: the plan lists the values that it
/// converts, fills and drops. Only keys are compared, as their values may be stored in the rows of
/// parents.
extension ChangeTables {
    /// Writes a line for each row that a migration will change or delete, and for each row whose
    /// key it may change.
    ///
    /// ``completeKeys(_:_:_:)`` completes them after the migration.
    ///
    /// The conversions of the plan must be registered as SQL functions. Renamed entities and
    /// properties, and links whose storage changes, change no row.
    ///
    /// - Parameters:
    ///   - db: The transaction of the migration, before it changes anything.
    ///   - plan: The plan of the migration.
    ///   - position: The position of the lines, with the index of the old layout; the new one has
    ///     the next one.
    /// - Returns: The number of the last line.
    /// - Throws: `DatabaseError`.
    func describe(_ db: Database, _ plan: MigrationPlan, at position: LinePosition) throws -> Int64
    {
        try widenLines(db, for: plan.new)
        for table in plan.old.tables.indices {
            try run(
                db,
                """
                INSERT INTO \(touched) (tree, row, existed) \
                SELECT \(table), _id, 1 FROM \(main(table)) ORDER BY _id
                """
            )
        }
        // The rows of all tables are numbered before, so that their lines are in that order.
        for entity in plan.oldEntities {
            let move = plan.moves.first { $0.old.name == entity.name }
            var position = position
            // A deleted row has the entity and the key of the old layout.
            if move != nil { position.layout += 1 }
            try writeLines(
                db,
                move.map { changes(of: $0, in: plan) } ?? deletions(entity),
                at: position
            )
        }
        let last = try position.last + lastTouched(db)
        try run(db, "DELETE FROM \(touched)")
        return last
    }

    /// Sets the keys of a migration's lines to those after it, and deletes the lines of rows with
    /// neither another key nor another property.
    ///
    /// - Parameters:
    ///   - db: The transaction of the migration, after it has changed everything.
    ///   - plan: The plan of the migration.
    ///   - commit: The number of its commit.
    /// - Throws: `DatabaseError`.
    func completeKeys(_ db: Database, _ plan: MigrationPlan, commit: Int) throws {
        let names = keyNames(plan.widestKey)
        guard !names.isEmpty else { return }
        for name in Set(plan.moves.map(\.new.name)).sorted() {
            let entity = try plan.new.entity(name)
            var keys = Self.complete(plan.new.keyExpressions(of: entity, in: "n"))
            keys += names.dropFirst(keys.count).map { _ in "NULL" }
            let source = "main.\(plan.new.name(of: entity.table)) n WHERE n._id = l.row"
            let equal = zip(names, keys).map { "l.\($0) IS \($1)" }.joined(separator: " AND ")
            let lines = "number = \(commit) AND change = 1 AND entity = \(name.quotedText)"
            try run(
                db,
                """
                DELETE FROM \(line) AS l WHERE \(lines) AND properties = '' \
                AND EXISTS (SELECT 1 FROM \(source) AND \(equal))
                """,
                """
                UPDATE \(line) AS l SET (\(names.joined(separator: ", "))) = \
                (SELECT \(keys.joined(separator: ", ")) FROM \(source)) WHERE \(lines)
                """
            )
        }
    }

    /// Returns the values of a key, or nulls if one of them is missing.
    ///
    /// Results of a function have no affinity. With that of a column, SQLite would compare 7 with
    /// '7' as equal.
    private static func complete(_ keys: [String]) -> [String] {
        let isMissing = keys.map { "\($0) IS NULL" }.joined(separator: " OR ")
        return keys.map { "iif(\(isMissing), NULL, \($0))" }
    }

    private func deletions(_ entity: EntityLayout) -> String {
        lines(of: entity, change: 2, as: entity.name, "''")
    }

    private func changes(of move: EntityMove, in plan: MigrationPlan) -> String {
        let terms = convertedValues(move) + lostValues(move) + lostLinks(of: move, in: plan)
        return lines(
            of: move.old,
            change: 1,
            as: move.new.name,
            Self.concatenation(terms[...]),
            isRekeyed: move.mayChangeKeys
        )
    }

    /// Returns the statement that writes the lines of an old entity with the keys before the
    /// migration, where `o` is an old row.
    private func lines(
        of entity: EntityLayout,
        change: Int,
        as name: String,
        _ properties: String,
        isRekeyed: Bool = false
    ) -> String {
        let keys = Self.complete(layout.keyExpressions(of: entity, in: "o"))
        let names = keyNames(keys.count)
        let list = names.map { ", \($0)" }.joined()
        let columns = zip(keys, names).map { ", \($0) AS \($1)" }.joined()
        let filter =
            layout.tables[entity.table].hasEntityColumn
            ? " AND o._entity = \(entity.name.quotedText)" : ""
        return """
            INSERT INTO \(line) (_id, number, layout, change, entity, row, properties\(list)) \
            SELECT ?3 + _id, ?1, ?2, \(change), \(name.quotedText), row, properties\(list) FROM (\
            SELECT t._id, t.row, \(properties) AS properties\(columns) FROM \(touched) t \
            JOIN \(main(entity.table)) o ON o._id = t.row \
            WHERE t.tree = \(entity.table)\(filter)) \
            WHERE \(change == 2 || isRekeyed) OR properties <> '' ORDER BY _id
            """
    }

    private func value(of source: ColumnSource, in move: EntityMove) -> String {
        switch source {
        case .nothing: "NULL"
        case .column(let column): "o.\(layout.name(of: column, in: move.old.table))"
        case .converted(let column, let conversion):
            """
            \(MigrationSQL.convert)(\(conversion), \
            \(column.map { "o.\(layout.name(of: $0, in: move.old.table))" } ?? "NULL"))
            """
        }
    }

    /// Returns a term for each attribute that is converted, or filled with a default.
    private func convertedValues(_ move: EntityMove) -> [String] {
        move.new.attributes.compactMap { attribute in
            let source = move.columns[attribute.column]
            guard case .converted(let column, _) = source else { return nil }
            // The plus sign removes the column's affinity, by which SQLite would compare 7 with '7'
            // as equal.
            let former = column.map { "+\(value(of: .column($0), in: move))" } ?? "NULL"
            return Self.term(
                attribute.attribute.name,
                if: "\(value(of: source, in: move)) IS NOT \(former)"
            )
        }
    }

    /// Returns a term for each attribute that the new entity does not have.
    private func lostValues(_ move: EntityMove) -> [String] {
        let kept = Set(
            move.columns.compactMap { source -> Int? in
                switch source {
                case .nothing: nil
                case .column(let column): column
                case .converted(let column, _): column
                }
            }
        )
        return move.old.attributes.filter { !kept.contains($0.column) }.map {
            Self.term(
                $0.attribute.name,
                if: "\(value(of: .column($0.column), in: move)) IS NOT NULL"
            )
        }
    }

    /// Returns a term for each relationship whose links are not kept.
    private func lostLinks(of move: EntityMove, in plan: MigrationPlan) -> [String] {
        let kept = Set(plan.links.flatMap(\.sources).map(\.relationship.identifier))
        return move.old.relationships.filter { relationship in
            !kept.contains(relationship.identifier)
                && !(layout.inverse(of: relationship).map { kept.contains($0.identifier) } ?? false)
        }.map { relationship in
            let pairs = MigrationSQL(plan: plan).pairs(relationship, of: nil)
            return Self.term(
                relationship.relationship.name,
                if: "EXISTS (SELECT 1 FROM (\(pairs)) WHERE owner = o._id)"
            )
        }
    }

    private static func term(_ property: String, if condition: String) -> String {
        "CASE WHEN \(condition) THEN \(mark(property)) ELSE '' END"
    }
}

extension MigrationPlan {
    /// The moves of all old entities whose rows are kept.
    fileprivate var moves: [EntityMove] { tables.flatMap(\.sources).flatMap(\.entities) }

    /// The number of values of the longest key in either layout.
    fileprivate var widestKey: Int {
        (old.entities + new.entities).map(\.keyParts.count).max() ?? 0
    }
}

extension EntityMove {
    /// Whether rows may have another key after the migration.
    ///
    /// The key of a parent may be converted, or the row may get another parent.
    fileprivate var mayChangeKeys: Bool {
        guard !old.hasParentInKey, !new.hasParentInKey else { return true }
        return new.keyParts.map { columns[$0.column] }
            != old.keyParts.map { .column($0.column) }
    }
}
