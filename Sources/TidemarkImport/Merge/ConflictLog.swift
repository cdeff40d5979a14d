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
    }

    /// The versions of a property.
    struct Versions {
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
    /// - Parameters:
    ///   - kind: The kind of the conflict.
    ///   - row: The row.
    ///   - table: The name of its table.
    ///   - versions: The versions of its properties.
    ///   - time: The time of the conflict; nil for the present one.
    ///   - decision: The decision, and who has made it; nil for an open conflict.
    /// - Throws: `DatabaseError`.
    func record(
        _ kind: Kind,
        of row: RowReference,
        in table: String,
        _ versions: [Versions],
        at time: Date?,
        decision: (side: String, by: String)?
    ) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_conflict \
                (tree, row, entity, kind, time, decision, decidedBy) VALUES (?, ?, ?, ?, \
                coalesce(?, (julianday('now') - 2440587.5) * 86400), ?, ?)
                """
        ).execute(arguments: [
            table, row.number, row.entity, kind.rawValue, time?.timeIntervalSince1970,
            decision?.side, decision?.by,
        ])
        let conflict = db.lastInsertedRowID
        for value in versions {
            try db.cachedStatement(
                sql: """
                    INSERT INTO _tidemark_conflict_value \
                    (conflict, property, member, base, local, remote, kept) \
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                conflict, value.property, value.member, value.base, value.local, value.remote,
                value.kept,
            ])
        }
    }
}
