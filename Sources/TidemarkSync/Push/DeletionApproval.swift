import Foundation
import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkStore

/// The approval of local deletions that exceed the guard of a push, as the store records it.
///
/// A deletion that awaits approval is a pending change with a flag. All of an entity wait together,
/// because none of them is known to be the wrong one; changes of other kinds do not.
struct DeletionApproval {
    let db: Database
    let layout: StoreLayout
    let environment: SystemEnvironment

    /// The flag of a deletion; nil for one that the guard permits.
    enum Flag: String {
        case needed, given
    }

    /// The local deletions of an entity.
    private struct Deletions {
        /// Those that wait, or whose outcome is unknown, without those that were approved.
        var waiting = 0
        /// All that the service may not have made.
        var all = 0
        /// Those that a push has made within the last hour.
        var recent = 0
        /// Those that await approval.
        var flagged = 0
        /// The objects that pushes have created since these were flagged.
        var created = 0
    }

    // MARK: A push

    /// Flags the deletions that exceed a guard, and removes the flag from those that do not any
    /// more.
    ///
    /// - Parameters:
    ///   - entities: The entities whose deletions are sent.
    ///   - deletionGuard: The guard; nil to approve all deletions.
    /// - Returns: How many deletions of each entity the run may send without approval.
    /// - Throws: `DatabaseError`; `StoreError`.
    func check(
        _ entities: Set<String>,
        by deletionGuard: DeletionGuard?
    ) throws -> [String: Int] {
        try forgetOld()
        var left: [String: Int] = [:]
        for (entity, deletions) in try deletions() where entities.contains(entity) {
            guard let deletionGuard else {
                try flag(.given, entity, because: nil)
                continue
            }
            let total = try known(entity, deletions)
            let count = deletions.waiting + deletions.recent
            if deletionGuard.permits(count, of: total) {
                try unflag(entity)
                left[entity] = max(0, deletionGuard.most(of: total) - deletions.recent)
            } else {
                let pending = PendingServiceDeletion(
                    entity: entity,
                    count: deletions.waiting,
                    known: total
                )
                try flag(.needed, entity, because: pending)
                left[entity] = 0
            }
        }
        return left
    }

    /// Returns how many deletions of an entity a run may send without approval that had none when
    /// the run began.
    func allowance(of entity: String, by deletionGuard: DeletionGuard) throws -> Int {
        let deletions = try deletions()[entity] ?? Deletions()
        let most = deletionGuard.most(of: try known(entity, deletions))
        return max(0, most - deletions.recent)
    }

    /// Flags a deletion that was made while its push was running.
    func hold(_ change: CapturedChange) throws {
        let reason = "the deletions of \(change.row.entity) await approval"
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_request (change, idempotencyKey, reason, approval) \
                VALUES (?1, '', ?2, 'needed') \
                ON CONFLICT DO UPDATE SET reason = ?2, approval = 'needed'
                """
        ).execute(arguments: [change.number, reason])
    }

    private func flag(
        _ flag: Flag,
        _ entity: String,
        because pending: PendingServiceDeletion?
    ) throws {
        let reason = pending.map {
            "\($0.count) of \($0.known) objects would be deleted at the service, which awaits approval"
        }
        try db.execute(
            sql: """
                INSERT INTO _tidemark_request (change, idempotencyKey, reason, approval, created) \
                SELECT _id, '', ?2, ?3, 0 FROM _tidemark_change \
                WHERE entity = ?1 AND kind = 'delete' AND state = 'pending' \
                ON CONFLICT DO UPDATE SET reason = coalesce(?2, reason), approval = ?3, \
                created = coalesce(created, 0) WHERE approval IS NOT 'given'
                """,
            arguments: [entity, reason, flag.rawValue]
        )
    }

    private func unflag(_ entity: String) throws {
        try db.execute(
            sql: """
                UPDATE _tidemark_request SET approval = NULL, reason = NULL \
                WHERE approval = 'needed' AND change IN \
                (SELECT _id FROM _tidemark_change WHERE entity = ? AND kind = 'delete')
                """,
            arguments: [entity]
        )
    }

    // MARK: Decisions

    /// The deletions that await approval, by entity.
    func pending() throws -> [PendingServiceDeletion] {
        try deletions().filter { $0.value.flagged > 0 }.sorted { $0.key < $1.key }
            .map { entity, deletions in
                PendingServiceDeletion(
                    entity: entity,
                    count: deletions.flagged,
                    known: try known(entity, deletions)
                )
            }
    }

    /// The numbers of the changes of an entity that await approval.
    func changes(of entity: String) throws -> [Int64] {
        try Int64.fetchAll(
            db,
            sql: """
                SELECT _id FROM _tidemark_change JOIN _tidemark_request ON change = _id \
                WHERE entity = ? AND kind = 'delete' AND state = 'pending' \
                AND approval = 'needed' ORDER BY _id
                """,
            arguments: [entity]
        )
    }

    /// Lets the deletions of an entity be sent.
    ///
    /// - Returns: Their number.
    func approve(_ entity: String) throws -> Int {
        try db.execute(
            sql: """
                UPDATE _tidemark_request SET approval = 'given', reason = NULL \
                WHERE approval = 'needed' AND change IN \
                (SELECT _id FROM _tidemark_change WHERE entity = ? AND kind = 'delete')
                """,
            arguments: [entity]
        )
        return db.changesCount
    }

    // MARK: Counting

    private func deletions() throws -> [String: Deletions] {
        var found: [String: Deletions] = [:]
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT entity, count(*), \
                count(*) FILTER (WHERE state IN ('pending', 'inFlight', 'uncertain') \
                AND approval IS NOT 'given'), \
                count(*) FILTER (WHERE state = 'pending' AND approval = 'needed'), \
                max(created) FILTER (WHERE state = 'pending' AND approval = 'needed') \
                FROM _tidemark_change LEFT JOIN _tidemark_request ON change = _id \
                WHERE kind = 'delete' GROUP BY entity
                """
        )
        for row in rows {
            found[row[0]] = Deletions(
                waiting: row[2],
                all: row[1],
                flagged: row[3],
                created: row[4] ?? 0
            )
        }
        guard !found.isEmpty else { return found }
        let recent = try Row.fetchAll(
            db,
            sql: """
                SELECT entity, sum(count) FROM _tidemark_pushed_deletion WHERE minute >= ? \
                GROUP BY entity
                """,
            arguments: [Self.minute(of: environment.now()) - Self.window]
        )
        for row in recent { found[row[0]]?.recent = row[1] }
        return found
    }

    /// Returns the number of objects of an entity that the service was last known to have.
    ///
    /// An object that was created since must not permit the deletion of all others.
    private func known(_ name: String, _ deletions: Deletions) throws -> Int {
        let entity = try layout.entity(name)
        let table = layout.tables[entity.table].name
        let stored = try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM \(table.quotedDatabaseIdentifier) \
                WHERE \(layout.hasKeyCondition(entity, in: table.quotedDatabaseIdentifier))\
                \(entity.ownCondition(in: layout)) AND _id NOT IN \
                (SELECT row FROM _tidemark_change WHERE tree = ? AND kind = 'create')
                """,
            arguments: [table]
        )
        return (stored ?? 0) + deletions.all + deletions.recent - deletions.created
    }

    // MARK: The last hour

    /// How long deletions that were made count, in minutes.
    ///
    /// A program that deletes a few rows and pushes, again and again, must not empty the service.
    private static let window: Int64 = 60

    private static func minute(of date: Date) -> Int64 {
        Int64((date.timeIntervalSince1970 / 60).rounded(.down))
    }

    /// Records that the service has made a deletion, unless it was approved.
    static func record(
        _ change: CapturedChange,
        _ db: Database,
        at date: Date
    ) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_pushed_deletion (entity, minute, count) \
                SELECT ?1, ?2, 1 WHERE NOT EXISTS (SELECT 1 FROM _tidemark_request \
                WHERE change = ?3 AND approval = 'given') \
                ON CONFLICT DO UPDATE SET count = count + 1
                """
        ).execute(arguments: [change.row.entity, minute(of: date), change.number])
    }

    /// Records that a push has created an object: it must not permit the deletion of all others.
    static func recordCreation(of entity: String, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                UPDATE _tidemark_request SET created = created + 1 WHERE approval = 'needed' \
                AND (SELECT entity FROM _tidemark_change WHERE _id = change) = ?
                """
        ).execute(arguments: [entity])
    }

    private func forgetOld() throws {
        let now = Self.minute(of: environment.now())
        try db.execute(
            sql: "DELETE FROM _tidemark_pushed_deletion WHERE minute < ?",
            arguments: [now - Self.window]
        )
        // The clock was set back: they count as made now, once.
        try db.execute(
            sql: """
                INSERT INTO _tidemark_pushed_deletion (entity, minute, count) \
                SELECT entity, ?1, sum(count) FROM _tidemark_pushed_deletion WHERE minute > ?1 \
                GROUP BY entity ON CONFLICT DO UPDATE SET count = count + excluded.count
                """,
            arguments: [now]
        )
        try db.execute(
            sql: "DELETE FROM _tidemark_pushed_deletion WHERE minute > ?",
            arguments: [now]
        )
    }
}
