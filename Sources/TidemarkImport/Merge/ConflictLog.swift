import GRDB
import TidemarkModel
import TidemarkStore

import struct Foundation.Date

/// Records changes of the service that contradict local ones, with all versions.
struct ConflictLog {
    let db: Database

    /// A kind of conflict.
    enum Kind: String {
        /// Both sides have changed a property.
        case edit
        /// A row with local changes was deleted at the service.
        case deletedRemotely
        /// A row that was deleted locally was changed at the service.
        case deletedLocally
        /// Both sides have created an object with the same key.
        case duplicateCreate
        /// The service has accepted a change, and kept its own value.
        case notTaken
        /// The row differs from the object, and whether it was edited is not known.
        case unrecorded
    }

    /// The versions of a property.
    struct Versions: Hashable {
        let property: String
        var member: Int64 = 0
        let base: DatabaseValue
        let local: DatabaseValue
        let remote: DatabaseValue

        /// The value that the row has afterwards.
        let kept: DatabaseValue
    }

    /// Records a conflict.
    ///
    /// An open conflict of the row, which an earlier import has recorded, gets the versions of now.
    ///
    /// - Parameters:
    ///   - kind: The kind of the conflict.
    ///   - row: The row.
    ///   - table: The name of its table.
    ///   - versions: The versions of its properties.
    ///   - time: The time of the conflict; nil for the present one.
    ///   - decision: The decision.
    /// - Throws: `DatabaseError`.
    func record(
        _ kind: Kind,
        of row: RowReference,
        in table: String,
        _ versions: [Versions],
        at time: Date?,
        decision: ConflictDecision
    ) throws {
        let open = decision.side == .open ? try openConflict(kind, of: row, in: table) : nil
        let conflict: Int64
        if let open {
            conflict = open
        } else {
            try db.cachedStatement(
                sql: """
                    INSERT INTO _tidemark_conflict \
                    (tree, row, entity, kind, time, decision, decidedBy) VALUES (?, ?, ?, ?, \
                    coalesce(?, (julianday('now') - 2440587.5) * 86400), ?, ?)
                    """
            ).execute(arguments: [
                table, row.number, row.entity, kind.rawValue, time?.timeIntervalSince1970,
                decision.name, decision.policy,
            ])
            conflict = db.lastInsertedRowID
        }
        for value in versions {
            try db.cachedStatement(
                sql: """
                    INSERT INTO _tidemark_conflict_value \
                    (conflict, property, member, base, local, remote, kept) \
                    VALUES (?, ?, ?, ?, ?, ?, ?) \
                    ON CONFLICT DO UPDATE SET local = excluded.local, remote = excluded.remote, \
                    kept = excluded.kept
                    """
            ).execute(arguments: [
                conflict, value.property, value.member, value.base, value.local, value.remote,
                value.kept,
            ])
        }
    }

    private func openConflict(
        _ kind: Kind,
        of row: RowReference,
        in table: String
    ) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT _id FROM _tidemark_conflict \
                    WHERE tree = ? AND row = ? AND kind = ? AND decision IS NULL
                    """
            ),
            arguments: [table, row.number, kind.rawValue]
        )
    }
}
