package import GRDB
package import TidemarkModel

package import struct Foundation.Date

/// Rows whose changes the service has accepted, and not shown yet.
extension UnpushedRows {
    /// A response that is being merged.
    struct ExpectedResponse {
        /// Whether former values of the row were recorded before.
        let hasStoredFormers: Bool

        /// The doubt that the response has raised.
        var doubt: AcknowledgedChange.Doubt?
    }

    /// Whether there are acknowledged changes that are unconfirmed, and deletions among them; nil
    /// for what was not read.
    struct Waiting {
        var any: Bool?
        var deletions: Bool?
    }

    package typealias AcknowledgedProperty = AcknowledgedChange.Property

    /// Returns whether something that was acknowledged is unconfirmed.
    package func hasAcknowledgedRows() throws -> Bool {
        if let known = waiting.any { return known }
        let isFound = try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM _tidemark_acknowledged WHERE waits)"
            )
        )
        waiting.any = isFound == true
        return isFound == true
    }

    /// Returns whether a deletion that was acknowledged is unconfirmed.
    package func hasAcknowledgedDeletions() throws -> Bool {
        if let known = waiting.deletions { return known }
        let isFound = try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM _tidemark_acknowledged \
                    WHERE waits AND kind = 'delete')
                    """
            )
        )
        waiting.deletions = isFound == true
        return isFound == true
    }

    /// Returns what is unconfirmed of a row; nil if nothing is.
    package func acknowledged(_ row: Int64, in table: Int) throws -> AcknowledgedChange? {
        if let known = acknowledged[table]?[row] { return known }
        guard try hasAcknowledgedRows(), let found = try records.change(of: row, in: table)
        else {
            return nil
        }
        acknowledged[table, default: [:]][row] = found
        return found
    }

    /// Expects the response to a change, whose values it has to show.
    ///
    /// What was unconfirmed before stays so, unless the response shows it.
    ///
    /// - Parameters:
    ///   - change: The change, which is removed from the outbox.
    ///   - formers: What the service had of its properties.
    /// - Throws: `DatabaseError`.
    package func expect(
        _ change: CapturedChange,
        formers: [AcknowledgedProperty: [DatabaseValue]]
    ) throws {
        let known = try acknowledged(change.row.number, in: change.table)
        var expected = known ?? AcknowledgedChange(change.kind)
        if change.kind == .create {
            expected.isUnshown = true
            expected.isUnread = true
        }
        for (property, values) in formers {
            let others = expected.formers[property] ?? []
            expected.formers[property] = others + values.filter { !others.contains($0) }
        }
        acknowledged[change.table, default: [:]][change.row.number] = expected
        responses[TableRow(table: change.table, number: change.row.number)] = ExpectedResponse(
            hasStoredFormers: known?.formers.isEmpty == false
        )
    }

    /// Stores what the response to a change has not shown.
    ///
    /// - Parameters:
    ///   - change: The change that was expected.
    ///   - time: The present time.
    /// - Returns: Whether anything is unconfirmed.
    /// - Throws: `DatabaseError`.
    package func store(responseTo change: CapturedChange, at time: Date) throws -> Bool {
        let (row, table) = (change.row.number, change.table)
        guard let response = responses.removeValue(forKey: TableRow(table: table, number: row)),
            let left = acknowledged[table]?[row]
        else { return false }
        try records.record(left, of: change.row, in: table, at: time)
        if !left.formers.isEmpty || response.hasStoredFormers {
            try records.replaceFormers(left.formers, of: row, in: table)
        }
        if let doubt = response.doubt { try records.doubt(row, in: table, because: doubt) }
        if left.isUnconfirmed || left.isUnread {
            waiting.any = true
        } else {
            acknowledged[table]?[row] = nil
        }
        return left.isUnconfirmed
    }

    /// Records that the service has accepted a deletion, which is still in the outbox.
    ///
    /// A list that contains the object later shows that it was not deleted.
    package func watch(_ deletion: CapturedChange, at time: Date) throws {
        waiting.any = true
        waiting.deletions = true
        try records.watch(deletion, at: time)
    }

    /// Records that an object has shown a property, or that its value does not matter any more.
    package func confirm(_ property: AcknowledgedProperty, of row: Int64, in table: Int) throws {
        guard acknowledged[table]?[row]?.formers.removeValue(forKey: property) != nil else {
            return
        }
        guard !isExpecting(row, in: table) else { return }
        try db.cachedStatement(
            sql: """
                DELETE FROM _tidemark_former WHERE property = ? AND member = ? AND change = \
                (SELECT _id FROM _tidemark_acknowledged WHERE tree = ? AND row = ?)
                """
        ).execute(arguments: [
            property.name, property.member, layout.tables[table].name, row,
        ])
        try update(row, in: table)
    }

    /// Records that an object of a creation was received.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - table: The index of its table.
    ///   - missing: The columns with values that were sent, and that the object lacks, and the
    ///     relationships whose contained rows were sent.
    ///   - isComplete: Whether the object had all members.
    /// - Throws: `DatabaseError`.
    package func show(
        _ row: Int64,
        in table: Int,
        without missing: [String],
        isComplete: Bool
    ) throws {
        guard var change = acknowledged[table]?[row] else { return }
        if change.isUnshown {
            for column in missing { change.formers[.init(column)] = [.null] }
        }
        change.isUnshown = false
        if isComplete { change.isUnread = false }
        acknowledged[table]?[row] = change
        guard !isExpecting(row, in: table) else { return }
        try records.replaceFormers(change.formers, of: row, in: table)
        try update(row, in: table)
    }

    /// Records that an object of the service shows former values of properties.
    package func doubt(
        _ properties: [AcknowledgedProperty],
        of row: Int64,
        in table: Int,
        because doubt: AcknowledgedChange.Doubt
    ) throws {
        guard !isExpecting(row, in: table) else {
            responses[TableRow(table: table, number: row)]?.doubt = doubt
            return
        }
        try records.doubt(row, in: table, because: doubt)
        for property in properties {
            try db.cachedStatement(
                sql: """
                    UPDATE _tidemark_former SET isShown = 1 WHERE property = ? AND member = ? \
                    AND change = (SELECT _id FROM _tidemark_acknowledged WHERE tree = ? AND row = ?)
                    """
            ).execute(arguments: [
                property.name, property.member, layout.tables[table].name, row,
            ])
        }
    }

    /// Forgets what was acknowledged of a row.
    package func forgetAcknowledged(_ row: Int64, in table: Int) throws {
        acknowledged[table]?[row] = nil
        try records.forget(row, in: table)
    }

    /// Whether the response to a change of a row is being merged.
    private func isExpecting(_ row: Int64, in table: Int) -> Bool {
        responses[TableRow(table: table, number: row)] != nil
    }

    private func update(_ row: Int64, in table: Int) throws {
        guard let change = acknowledged[table]?[row] else { return }
        try db.cachedStatement(
            sql: """
                UPDATE _tidemark_acknowledged SET waits = ?, unshown = ?, unread = ? \
                WHERE tree = ? AND row = ?
                """
        ).execute(arguments: [
            change.isUnconfirmed || change.isUnread, change.isUnshown, change.isUnread,
            layout.tables[table].name, row,
        ])
        if !change.isUnconfirmed, !change.isUnread { acknowledged[table]?[row] = nil }
    }

    private var records: AcknowledgedChanges { AcknowledgedChanges(db, layout) }

    // MARK: Deletions

    /// Returns the deletion, which the service has accepted, of the row with a key; nil without
    /// one.
    ///
    /// - Parameters:
    ///   - key: The values of the columns of the key.
    ///   - columns: The indexes of these columns.
    ///   - table: The table.
    /// - Returns: The row.
    /// - Throws: `DatabaseError`.
    package func acknowledgedDeletion(
        ofKey key: [StoredValue],
        in columns: [Int],
        of table: Int
    ) throws -> RowReference? {
        guard try hasAcknowledgedDeletions() else { return nil }
        let joins = columns.enumerated().map { index, column in
            "JOIN _tidemark_former f\(index) ON f\(index).change = a._id AND f\(index).member = 0 "
                + "AND f\(index).property = \(layout.tables[table].columns[column].name.quotedText) "
                + "AND f\(index).value = ?\(index + 2)"
        }
        let find = try RowStatement.prepare(
            db,
            """
            SELECT a.row, a.entity FROM _tidemark_acknowledged a \(joins.joined(separator: " ")) \
            WHERE a.tree = ?1 AND a.kind = 'delete' AND a.waits
            """
        )
        var name = layout.tables[table].name
        return try name.withUTF8 { name in
            find.bind(.text(UnsafeRawBufferPointer(name)), at: 1)
            for (index, value) in key.enumerated() { find.bind(value, at: index + 2) }
            guard try find.step(), case .text(let entity) = find.value(at: 1) else { return nil }
            return RowReference(String(decoding: entity, as: UTF8.self), find.integer(at: 0))
        }
    }

    // MARK: References

    /// Returns whether the service had an unresolved reference before it was changed here.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - row: The row that has the relationship.
    ///   - key: The values of the key's parts.
    /// - Returns: Whether it is a former value.
    /// - Throws: `DatabaseError`.
    package func isFormer(
        _ relationship: RelationshipLayout,
        of row: Int64,
        key: [StoredValue]
    ) throws -> Bool {
        let formers = try acknowledged(row, in: relationship.table)?.formers ?? [:]
        let keys = formers.filter {
            $0.key.name == relationship.identifier && $0.key.member < -1
        }
        .values.joined()
        guard !keys.isEmpty else { return false }
        let find = try RowStatement.prepare(
            db,
            "SELECT \(layout.keyExpression(key.indices.map { "?\($0 + 1)" }))"
        )
        for (index, value) in key.enumerated() { find.bind(value, at: index + 1) }
        guard try find.step() else { return false }
        return keys.contains(find.value(at: 0).databaseValue)
    }

    // MARK: Links

    /// Returns the rows whose links to a row are unconfirmed, sorted.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - row: The row that has the relationship.
    /// - Returns: The rows on the other side.
    /// - Throws: `DatabaseError`.
    package func acknowledgedMembers(
        of relationship: RelationshipLayout,
        of row: Int64
    ) throws -> [Int64] {
        let formers = try acknowledged(row, in: relationship.table)?.formers ?? [:]
        let own = formers.keys.filter { $0.name == relationship.identifier && $0.member > 0 }
            .map(\.member)
        guard try hasAcknowledgedRows(), let inverse = layout.inverse(of: relationship) else {
            return own.sorted()
        }
        let others = try Int64.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT a.row FROM _tidemark_former f \
                    JOIN _tidemark_acknowledged a ON f.change = a._id \
                    WHERE a.tree = ? AND f.property = ? AND f.member = ?
                    """
            ),
            arguments: [layout.tables[inverse.table].name, inverse.identifier, row]
        )
        return Set(own + others).sorted()
    }

    // MARK: Values that were not taken

    /// Lets a change be sent again only once its row is edited, or on request.
    package func reject(_ change: Int64) throws {
        try db.cachedStatement(
            sql: "UPDATE _tidemark_change SET state = 'rejected' WHERE _id = ? AND frozen = 0"
        ).execute(arguments: [change])
    }

    /// Returns the change of a row that contains a property which the service has not taken.
    ///
    /// Without edits that came later, it is rejected: it is sent again once the row is edited.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - base: What the service has.
    ///   - row: The row.
    ///   - table: The index of its table.
    /// - Returns: The number of the change, and whether it was made for this.
    /// - Throws: `DatabaseError`.
    package func reject(
        _ property: AcknowledgedProperty,
        insteadOf base: DatabaseValue,
        of row: RowReference,
        in table: Int
    ) throws -> (change: Int64, isNew: Bool) {
        let open = try changes(of: row.number, in: table)?.open
        if open == nil {
            try db.cachedStatement(
                sql: """
                    INSERT INTO _tidemark_change (tree, row, entity, kind, state) \
                    VALUES (?, ?, ?, 'update', 'rejected')
                    """
            ).execute(arguments: [layout.tables[table].name, row.number, row.entity])
        }
        let change = open ?? db.lastInsertedRowID
        if open == nil { try refresh(row.number, in: table) }
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_base (change, property, member, value) VALUES (?, ?, ?, ?) \
                ON CONFLICT DO UPDATE SET value = excluded.value
                """
        ).execute(arguments: [change, property.name, property.member, base])
        return (change, isNew: open == nil)
    }
}
