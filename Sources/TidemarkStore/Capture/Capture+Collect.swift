import GRDB
import TidemarkModel

/// Local creations.
extension Capture {
    /// Records the rows above the watermarks as local creations, and advances the watermarks.
    ///
    /// A row that has the key of a deleted one takes over its change: for the service it is the
    /// same object.
    ///
    /// - Throws: `DatabaseError`.
    package func collect() throws {
        let grown = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT tree, watermark FROM _tidemark_capture \
                    JOIN sqlite_sequence ON name = tree WHERE seq > watermark
                    """
            )
        )
        for row in grown {
            let name: String = row[0]
            guard let table = layout.tables.firstIndex(where: { $0.name == name }) else { continue }
            try recordCreations(in: table, above: row[1])
            try joinReplaced(in: table, above: row[1])
            try forgetReplaced(in: table)
            try db.execute(
                sql: """
                    UPDATE _tidemark_capture SET watermark = \
                    (SELECT seq FROM sqlite_sequence WHERE name = tree) WHERE tree = ?
                    """,
                arguments: [name]
            )
        }
    }

    /// Checks that there are no local changes.
    ///
    /// - Parameter operation: What would lose them, as a noun phrase.
    /// - Throws: ``StoreError/Code/unpushedChanges``; `DatabaseError`.
    func expectNoChanges(lostBy operation: String) throws {
        try collect()
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM _tidemark_change") ?? 0
        guard count > 0 else { return }
        throw StoreError(
            .unpushedChanges,
            "\(count) local \(count == 1 ? "change was" : "changes were") not pushed, and "
                + "\(operation) would lose \(count == 1 ? "it" : "them").",
            hint: "Push first, or discard the changes."
        )
    }

    private func recordCreations(in table: Int, above watermark: Int64) throws {
        let name = layout.tables[table].name
        try db.execute(
            sql: """
                INSERT INTO _tidemark_change (tree, row, entity, kind) \
                SELECT \(name.quotedText), t._id, \(layout.entityExpression(table, in: "t")), 'create' \
                FROM \(name.quotedDatabaseIdentifier) t WHERE t._id > ?\(layout.isKeyed(table, in: "t")) \
                ON CONFLICT DO NOTHING
                """,
            arguments: [watermark]
        )
    }

    // MARK: Deleted and inserted again

    /// Turns the deletion of an object and the creation of a row with its key into an update.
    private func joinReplaced(in table: Int, above watermark: Int64) throws {
        for key in layout.tables[table].keys {
            for row in try replaced(key, in: table, above: watermark) {
                let (deletion, former, new): (Int64, Int64, Int64) = (row[0], row[1], row[2])
                try db.execute(
                    sql: """
                        DELETE FROM _tidemark_change \
                        WHERE tree = ?1 AND row = ?2 AND frozen = 0 AND kind = 'create'
                        """,
                    arguments: [layout.tables[table].name, new]
                )
                guard db.changesCount > 0 else { continue }
                try db.execute(
                    sql: """
                        UPDATE _tidemark_change SET row = ?, kind = 'update', key = NULL WHERE _id = ?
                        """,
                    arguments: [new, deletion]
                )
                try moveReferences(to: former, in: table, to: new)
                try recordLinks(of: new, in: table, change: deletion)
            }
        }
    }

    /// Records the present links of a row as new, unless the former row had them.
    private func recordLinks(of row: Int64, in table: Int, change: Int64) throws {
        let plan = try CapturePlan.of(db, layout)
        let lists = plan.lists.filter { $0.relationship.table == table }.map {
            ($0.relationship.identifier, $0.source, $0.owner, $0.member)
        }
        let parts = plan.parts.compactMap { part -> (String, String, String, String)? in
            guard part.path.count == 1, part.relationship.table == table,
                case .inverse(let own, let column, _) = part.relationship.storage
            else { return nil }
            let source = layout.tables[own]
            return (
                part.relationship.identifier, source.name, source.columns[column].name, "_id"
            )
        }
        for list in plan.lists
        where list.relationship.table == table && list.relationship.storage.isSymmetric {
            // The pair that was deleted is recorded for one row, the new one for the other.
            try db.execute(
                sql: """
                    DELETE FROM _tidemark_base WHERE property = ?1 AND member = ?2 AND value = 0 \
                    AND change IN (SELECT c._id FROM _tidemark_base b \
                    JOIN _tidemark_change c ON c.tree = ?3 AND c.row = b.member AND c.frozen = 0 \
                    WHERE b.change = ?4 AND b.property = ?1 AND b.value = 1)
                    """,
                arguments: [
                    list.relationship.identifier, row, layout.tables[table].name, change,
                ]
            )
        }
        for (identifier, source, owner, member) in lists + parts {
            try db.execute(
                sql: """
                    INSERT INTO _tidemark_base (change, property, member, value) \
                    SELECT ?, ?, \(member.quotedDatabaseIdentifier), 0 \
                    FROM \(source.quotedDatabaseIdentifier) \
                    WHERE \(owner.quotedDatabaseIdentifier) = ? ON CONFLICT DO NOTHING
                    """,
                arguments: [change, identifier, row]
            )
        }
    }

    /// Returns the open deletions of rows whose key a new row has, each with the number of the
    /// former row and that of the new one.
    private func replaced(
        _ key: [Int],
        in table: Int,
        above watermark: Int64
    ) throws -> [Row] {
        let values = key.enumerated().map { index, column in
            "JOIN _tidemark_base b\(index) ON b\(index).change = c._id AND b\(index).member = 0 "
                + "AND b\(index).property = \(layout.tables[table].columns[column].name.quotedText)"
        }
        let equal = key.enumerated().map { index, column in
            "n.\(layout.name(of: column, in: table)) = b\(index).value"
        }
        return try Row.fetchAll(
            db,
            sql: """
                SELECT c._id, c.row, n._id FROM _tidemark_change c \(values.joined(separator: " ")) \
                JOIN \(layout.name(of: table)) n ON \(equal.joined(separator: " AND ")) \
                WHERE c.tree = ? AND c.frozen = 0 AND c.kind = 'delete' AND n._id > ?
                """,
            arguments: [layout.tables[table].name, watermark]
        )
    }

    /// Lets base values that refer to a row refer to the one that has replaced it.
    func moveReferences(to former: Int64, in table: Int, to new: Int64) throws {
        let name = layout.tables[table].name
        for source in layout.tables {
            for column in source.columns {
                guard case .reference(let reference) = column.content, reference.table == name
                else { continue }
                try db.execute(
                    sql: """
                        UPDATE _tidemark_base SET value = ?1 WHERE value = ?2 AND (property = ?3 \
                        AND change IN (SELECT _id FROM _tidemark_change WHERE tree = ?4) \
                        OR property = ?5)
                        """,
                    arguments: [
                        new, former, column.name, source.name, "\(source.name):\(column.name)",
                    ]
                )
            }
        }
        for relationship in layout.relationships.values
        where layout.entities[relationship.destination].table == table {
            try db.execute(
                sql: """
                    UPDATE OR REPLACE _tidemark_base SET member = ?1 WHERE member = ?2 \
                    AND (property = ?3 OR property GLOB ?3 || ':*')
                    """,
                arguments: [new, former, relationship.identifier]
            )
        }
    }

    /// Deletes the changes of rows that another program has replaced without a trace: by OR REPLACE
    /// while `recursive_triggers` was off, which fires no delete trigger.
    ///
    /// It does not matter whether the service has applied those of unknown outcome: they have no
    /// row whose object could be read, and the row that has the key now is compared with the object
    /// before it is sent.
    ///
    /// - Throws: `DatabaseError`.
    package func forgetReplaced() throws {
        let names = try String.fetchSet(db, sql: "SELECT DISTINCT tree FROM _tidemark_change")
        for table in layout.tables.indices where names.contains(layout.tables[table].name) {
            try forgetReplaced(in: table)
        }
    }

    private func forgetReplaced(in table: Int) throws {
        let name = layout.tables[table].name
        // What was sent before its row was deleted is settled with the deletion.
        let vanished = """
            SELECT c._id FROM _tidemark_change c WHERE c.tree = \(name.quotedText) \
            AND c.kind <> 'delete' AND (c.frozen = 0 OR c.state = 'uncertain' AND NOT EXISTS \
            (SELECT 1 FROM _tidemark_change o \
            WHERE o.tree = c.tree AND o.row = c.row AND o.frozen = 0)) AND NOT EXISTS \
            (SELECT 1 FROM \(name.quotedDatabaseIdentifier) t WHERE t._id = c.row)
            """
        guard try Bool.fetchOne(db, sql: "SELECT EXISTS (\(vanished))") == true else { return }
        try db.execute(
            sql: """
                DELETE FROM _tidemark_base WHERE change IN (\(vanished));
                DELETE FROM _tidemark_change WHERE _id IN (\(vanished));
                """
        )
    }
}
