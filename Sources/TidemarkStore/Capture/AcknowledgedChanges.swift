package import GRDB
import TidemarkModel

package import struct Foundation.Date

/// The acknowledged changes of a store, in one transaction.
package struct AcknowledgedChanges {
    let db: Database
    let layout: StoreLayout

    package init(_ db: Database, _ layout: StoreLayout) {
        self.db = db
        self.layout = layout
    }

    // MARK: Recording

    /// Records that the service has accepted a change.
    ///
    /// - Parameters:
    ///   - change: What is unconfirmed.
    ///   - row: The row.
    ///   - table: The index of its table.
    ///   - time: The present time; nil for that of SQLite's clock.
    /// - Throws: `DatabaseError`.
    package func record(
        _ change: AcknowledgedChange,
        of row: RowReference,
        in table: Int,
        at time: Date?
    ) throws {
        let waits = change.isUnconfirmed || change.isUnread
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_acknowledged \
                (tree, row, entity, kind, time, waits, unshown, unread) \
                VALUES (?, ?, ?, ?, coalesce(?, (julianday('now') - 2440587.5) * 86400), ?, ?, ?) \
                ON CONFLICT (tree, row) DO UPDATE SET \
                kind = excluded.kind, time = excluded.time, waits = excluded.waits, \
                unshown = excluded.unshown, unread = excluded.unread, doubt = NULL, missed = 0
                """
        ).execute(arguments: [
            layout.tables[table].name, row.number, row.entity, change.kind.rawValue,
            time?.timeIntervalSince1970, waits, change.isUnshown, change.isUnread,
        ])
    }

    /// Replaces the former values of a row's change.
    package func replaceFormers(
        _ formers: [AcknowledgedChange.Property: [DatabaseValue]],
        of row: Int64,
        in table: Int
    ) throws {
        guard let number = try number(of: row, in: table) else { return }
        try db.cachedStatement(sql: "DELETE FROM _tidemark_former WHERE change = ?")
            .execute(arguments: [number])
        let insert = try db.cachedStatement(
            sql:
                "INSERT INTO _tidemark_former (change, property, member, value) VALUES (?, ?, ?, ?)"
        )
        for (property, values) in formers {
            for value in values {
                try insert.execute(arguments: [number, property.name, property.member, value])
            }
        }
    }

    /// Records that the service has accepted a deletion, which is still in the outbox.
    ///
    /// A list that contains the object later shows that it was not deleted.
    func watch(_ deletion: CapturedChange, at time: Date) throws {
        let (row, table) = (deletion.row, deletion.table)
        try record(AcknowledgedChange(.delete), of: row, in: table, at: time)
        try replaceFormers([:], of: row.number, in: table)
        guard let number = try number(of: row.number, in: table) else { return }
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_former (change, property, member, value) \
                SELECT ?, property, member, value FROM _tidemark_base WHERE change = ?
                """
        ).execute(arguments: [number, deletion.number])
    }

    /// Puts a deletion that the service has not done back into the outbox.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - table: The index of its table.
    /// - Returns: The number of the change; nil if no such deletion was acknowledged.
    /// - Throws: `DatabaseError`.
    package func reopenDeletion(of row: RowReference, in table: Int) throws -> Int64? {
        guard let watched = try number(of: row.number, in: table) else { return nil }
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_change (tree, row, entity, kind) VALUES (?, ?, ?, 'delete') \
                ON CONFLICT DO NOTHING
                """
        ).execute(arguments: [layout.tables[table].name, row.number, row.entity])
        guard db.changesCount > 0 else { return nil }
        let change = db.lastInsertedRowID
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_base (change, property, member, value) \
                SELECT ?, property, member, value FROM _tidemark_former WHERE change = ?
                """
        ).execute(arguments: [change, watched])
        try forget(row.number, in: table)
        return change
    }

    func number(of row: Int64, in table: Int) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: "SELECT _id FROM _tidemark_acknowledged WHERE tree = ? AND row = ?"
            ),
            arguments: [layout.tables[table].name, row]
        )
    }

    // MARK: Reading

    /// Returns what is unconfirmed of a row's change; nil if nothing is.
    package func change(of row: Int64, in table: Int) throws -> AcknowledgedChange? {
        let found = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT _id, kind, unshown, unread FROM _tidemark_acknowledged \
                    WHERE tree = ? AND row = ? AND waits
                    """
            ),
            arguments: [layout.tables[table].name, row]
        )
        guard let found, let kind = LocalChangeKind(rawValue: found[1]) else { return nil }
        var change = AcknowledgedChange(kind)
        change.isUnshown = found[2]
        change.isUnread = found[3]
        let formers = try Row.fetchCursor(
            db.cachedStatement(
                sql: "SELECT property, member, value FROM _tidemark_former WHERE change = ?"
            ),
            arguments: [found[0] as Int64]
        )
        while let former = try formers.next() {
            change.formers[.init(former[0], member: former[1]), default: []].append(former[2])
        }
        return change
    }

    /// Returns the deletion of a row that the service has accepted, with its base values; nil if
    /// its change is another one.
    package func deletion(of row: RowReference, in table: Int) throws -> CapturedChange? {
        guard let change = try change(of: row.number, in: table), change.kind == .delete else {
            return nil
        }
        return CapturedChange(row, in: table, .delete, base: change.baseValues)
    }
}

extension CapturedChange {
    /// Creates a change that is not in the outbox.
    init(
        _ row: RowReference,
        in table: Int,
        _ kind: LocalChangeKind,
        base: [BaseValue] = []
    ) {
        self.init(
            number: 0,
            row: row,
            table: table,
            kind: kind,
            state: .pending,
            since: nil,
            base: base
        )
    }
}
