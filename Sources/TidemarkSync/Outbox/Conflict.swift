package import GRDB
package import TidemarkStore

package import struct Foundation.Date

/// A change of the service that contradicted a local one, with all versions.
package struct Conflict: Sendable, Hashable {
    /// The number of a conflict.
    package typealias ID = Int64

    /// What happened on the two sides.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Both have changed a property.
        case edit
        /// The service has deleted a row that was changed here.
        case deletedRemotely
        /// The service has changed a row that was deleted here.
        case deletedLocally
        /// Both have created an object with the same key.
        case duplicateCreate
    }

    /// The versions of a property, as they are stored.
    package struct Versions: Sendable, Hashable {
        /// The column of the property, or `Entity.relationship` for links.
        package let property: String

        /// 0 for a column, otherwise the linked row.
        package let member: Int64

        /// What the service had when the local change was made.
        package let base: DatabaseValue

        /// What was stored.
        package let local: DatabaseValue

        /// What the service had then.
        package let remote: DatabaseValue

        /// What the row got.
        package let kept: DatabaseValue
    }

    package let id: ID
    package let row: RowReference
    package let kind: Kind
    package let time: Date
    package let values: [Versions]

    /// Whose version was kept: `local`, `remote`, `base` or `values`; nil for an open conflict.
    package let decision: String?

    /// The name of the policy that has decided, or `user`.
    package let decidedBy: String?
}

/// The conflicts of a store.
///
/// Each is recorded with all versions, whatever a policy has decided, so that it can be shown and
/// decided again.
///
/// ```
/// let conflicts = Conflicts(store)
/// for conflict in try store.writer.read({ db in try conflicts.list(db, filter: .open) }) {
///     print(conflict.row, conflict.values)
/// }
/// ```
package struct Conflicts: Sendable {
    let store: Store

    /// Creates the list of a store's conflicts.
    package init(_ store: Store) {
        self.store = store
    }

    /// Which conflicts are listed.
    package enum Filter: Sendable, Hashable {
        case all
        /// Those that await a decision.
        case open
        case decided
    }

    /// Returns conflicts, the oldest first.
    ///
    /// - Parameters:
    ///   - db: A connection, which may be read-only.
    ///   - filter: Which ones. Defaults to all.
    /// - Returns: The conflicts; none if the store records no local changes.
    /// - Throws: `DatabaseError`.
    package func list(_ db: Database, filter: Filter = .all) throws -> [Conflict] {
        guard try Capture.isInstalled(db) else { return [] }
        let condition =
            switch filter {
            case .all: "1"
            case .open: "decision IS NULL"
            case .decided: "decision IS NOT NULL"
            }
        return try conflicts(db, where: condition)
    }

    func conflicts(
        _ db: Database,
        where condition: String,
        arguments: StatementArguments = []
    ) throws -> [Conflict] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT _id, entity, row, kind, time, decision, decidedBy FROM _tidemark_conflict \
                WHERE \(condition) ORDER BY _id
                """,
            arguments: arguments
        )
        return try rows.compactMap { row in
            guard let kind = Conflict.Kind(rawValue: row[3]) else { return nil }
            return Conflict(
                id: row[0],
                row: RowReference(row[1], row[2]),
                kind: kind,
                time: Date(timeIntervalSince1970: row[4]),
                values: try values(db, of: row[0]),
                decision: row[5],
                decidedBy: row[6]
            )
        }
    }

    private func values(_ db: Database, of conflict: Conflict.ID) throws -> [Conflict.Versions] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT property, member, base, local, remote, kept FROM _tidemark_conflict_value \
                    WHERE conflict = ? ORDER BY property, member
                    """
            ),
            arguments: [conflict]
        )
        .map {
            Conflict.Versions(
                property: $0[0],
                member: $0[1],
                base: $0[2],
                local: $0[3],
                remote: $0[4],
                kept: $0[5]
            )
        }
    }
}
