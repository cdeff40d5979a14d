package import GRDB
import TidemarkModel

/// Changes of which an object, or a list, shows that the service may not have done them.
extension AcknowledgedChanges {
    /// Returns the changes of rows in doubt, for a look at their objects.
    ///
    /// - Parameters:
    ///   - limit: The most rows.
    ///   - excluded: Rows that are not returned.
    /// - Returns: The deletions with their base values, and updates without values, except for the
    ///   former key of an object that may still have it.
    /// - Throws: `DatabaseError`.
    package func doubtful(
        atMost limit: Int,
        except excluded: Set<RowReference>
    ) throws -> [CapturedChange] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT tree, entity, row, doubt FROM _tidemark_acknowledged \
                    WHERE doubt IS NOT NULL ORDER BY _id
                    """
            )
        )
        var found: [CapturedChange] = []
        for row in rows where found.count < limit {
            let reference = RowReference(row[1], row[2])
            guard !excluded.contains(reference),
                let table = layout.tables.firstIndex(where: { $0.name == row[0] as String })
            else { continue }
            if let deletion = try deletion(of: reference, in: table) {
                found.append(deletion)
                continue
            }
            let isAbsent = (row[3] as String) == AcknowledgedChange.Doubt.absent.rawValue
            let key = try isAbsent ? [] : formerKey(of: reference.number, in: table)
            found.append(CapturedChange(reference, in: table, .update, base: key))
        }
        return found
    }

    /// Whether a list lacked a row, and its object has not been read since.
    package var areRowsUnread: Bool {
        get throws {
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM _tidemark_acknowledged \
                    WHERE kind <> 'delete' AND (missed > 0 OR doubt IS NOT NULL))
                    """
            ) == true
        }
    }

    /// Returns the unconfirmed former values of a row's key; those that a list has shown before
    /// others.
    private func formerKey(of row: Int64, in table: Int) throws -> [BaseValue] {
        guard let number = try number(of: row, in: table) else { return [] }
        let names = keyColumns(of: table)
        return try Row.fetchAll(
            db,
            sql: """
                SELECT property, value FROM _tidemark_former WHERE change = ? AND member = 0 \
                AND property IN (\(databaseQuestionMarks(count: names.count))) \
                ORDER BY isShown DESC
                """,
            arguments: StatementArguments([number]) + StatementArguments(names)
        )
        .map { BaseValue(property: CapturedProperty($0[0]), member: 0, value: $0[1]) }
    }

    /// Records that the service has no object under the former key of a row, which a list may have
    /// shown before.
    package func withdrawFormerKey(of row: Int64, in table: Int) throws {
        guard let number = try number(of: row, in: table) else { return }
        let names = keyColumns(of: table)
        try db.execute(
            sql: """
                UPDATE _tidemark_former SET isShown = 0 WHERE change = ? \
                AND property IN (\(databaseQuestionMarks(count: names.count)))
                """,
            arguments: StatementArguments([number]) + StatementArguments(names)
        )
    }

    private func keyColumns(of table: Int) -> [String] {
        Set(layout.tables[table].keys.joined()).sorted().map {
            layout.tables[table].columns[$0].name
        }
    }

    /// Returns the rows whose objects show the links of a row that are in doubt, if its own object
    /// does not.
    package func doubtfulMembers(of change: CapturedChange) throws -> [CapturedChange] {
        guard change.kind != .delete,
            let number = try number(of: change.row.number, in: change.table)
        else { return [] }
        let formers = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT property, member, value FROM _tidemark_former \
                    WHERE change = ? AND isShown
                    """
            ),
            arguments: [number]
        )
        var rows: Set<RowReference> = []
        for former in formers {
            switch CapturedProperty(former[0]) {
            case .links(let identifier):
                guard let relationship = layout.relationships[identifier],
                    let member: Int64 = former[1], member > 0
                else { continue }
                rows.insert(RowReference(layout.entities[relationship.destination].name, member))
            case .column(let name):
                let entity = try layout.entity(change.row.entity)
                let columns = layout.tables[change.table].columns
                let relationship = entity.relationships.first { relationship in
                    guard case .column(let index) = relationship.storage else { return false }
                    return columns[index].name == name
                }
                guard let relationship, let value = Int64.fromDatabaseValue(former[2]) else {
                    continue
                }
                rows.insert(RowReference(layout.entities[relationship.destination].name, value))
            case .position, .part, .ofPart: continue
            }
        }
        return try rows.sorted { ($0.entity, $0.number) < ($1.entity, $1.number) }.map {
            CapturedChange($0, in: try layout.entity($0.entity).table, .update)
        }
    }

    /// Records why the object of a row has to be read.
    package func doubt(
        _ row: Int64,
        in table: Int,
        because doubt: AcknowledgedChange.Doubt?
    ) throws {
        try db.cachedStatement(
            sql: "UPDATE _tidemark_acknowledged SET doubt = ? WHERE tree = ? AND row = ?"
        ).execute(arguments: [doubt?.rawValue, layout.tables[table].name, row])
    }

    /// Records that the page with some rows has not changed since it was read before their changes
    /// were accepted.
    ///
    /// - Parameters:
    ///   - rows: The numbers of the rows.
    ///   - table: The name of their table.
    /// - Throws: `DatabaseError`.
    package func doubt(_ rows: [ClosedRange<Int64>], of table: String) throws {
        let update = try db.cachedStatement(
            sql: """
                UPDATE _tidemark_acknowledged SET doubt = 'list' WHERE tree = ? \
                AND row BETWEEN ? AND ? AND waits AND doubt IS NULL AND missed = 0 \
                AND \(Self.lacksValue)
                """
        )
        for range in rows {
            try update.execute(arguments: [table, range.lowerBound, range.upperBound])
        }
    }

    /// Records that an object has not shown what is unconfirmed of its row.
    package func recordMissed(_ row: Int64, in table: Int) throws {
        try db.cachedStatement(
            sql: """
                UPDATE _tidemark_acknowledged SET missed = missed + 1 WHERE tree = ? AND row = ?
                """
        ).execute(arguments: [layout.tables[table].name, row])
    }

    /// Returns why the object of a row has to be read; nil if it need not be.
    package func doubt(of row: Int64, in table: Int) throws -> AcknowledgedChange.Doubt? {
        try String.fetchOne(
            db.cachedStatement(
                sql: "SELECT doubt FROM _tidemark_acknowledged WHERE tree = ? AND row = ?"
            ),
            arguments: [layout.tables[table].name, row]
        )
        .flatMap(AcknowledgedChange.Doubt.init)
    }

    /// Returns the former values of a row that a list has shown.
    package func shownFormers(
        of row: Int64,
        in table: Int
    ) throws -> [AcknowledgedChange.Property: DatabaseValue] {
        guard let number = try number(of: row, in: table) else { return [:] }
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT property, member, value FROM _tidemark_former \
                    WHERE change = ? AND isShown
                    """
            ),
            arguments: [number]
        )
        return Dictionary(
            rows.map { (.init($0[0], member: $0[1]), $0[2]) },
            uniquingKeysWith: { _, last in last }
        )
    }

    /// Forgets what was acknowledged of a row.
    package func forget(_ row: Int64, in table: Int) throws {
        guard let number = try number(of: row, in: table) else { return }
        for condition in ["_tidemark_former WHERE change", "_tidemark_acknowledged WHERE _id"] {
            try db.cachedStatement(sql: "DELETE FROM \(condition) = ?").execute(arguments: [number])
        }
    }
}
