import GRDB
import TidemarkModel
import TidemarkRemote
import TidemarkStore

import struct Foundation.Date

/// The local changes that a push can send, or whose outcome a sync can determine.
///
/// Those that wait for the user are not among them, nor those of entities whose lists accept no
/// changes.
struct PushableChanges: Sendable, Hashable {
    /// Whether there are changes that no push has seen.
    var hasNew = false

    /// The other changes that may be sent or settled now, by number.
    var due: Set<Int64> = []

    /// When changes may be sent that the service has postponed, those that are due included.
    var attempts: [Int64: Date] = [:]

    /// How changes are settled whose outcome is unknown; nil without such changes.
    var doubt: Doubt?

    /// What determines whether changes were applied.
    enum Doubt: Sendable, Hashable {
        /// A push, which reads the objects.
        case push
        /// A sync, which reads the lists as well.
        case sync
    }

    /// Whether there is nothing to push, now or later.
    var isEmpty: Bool { !hasNew && due.isEmpty && attempts.isEmpty }

    /// Reads the changes of a store.
    ///
    /// - Parameters:
    ///   - db: A connection, which may be read-only.
    ///   - store: The store.
    ///   - resources: The list that the changes of each entity are sent to.
    ///   - time: The current time.
    /// - Returns: The changes; none if the store records no local changes.
    /// - Throws: `StoreError`, `DatabaseError`.
    static func read(
        _ db: Database,
        in store: Store,
        sentTo resources: [String: RemoteResource],
        at time: Date
    ) throws -> PushableChanges {
        var changes = PushableChanges()
        guard try Capture.isInstalled(db) else { return changes }
        let created = try StoreReader.prepare(db, in: store).entitiesOfUncollectedCreations()
        changes.hasNew = created.contains { resources[$0] != nil }
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT c._id, c.entity, c.kind, c.state, c.since, r.nextAttempt, r.lastAttempt \
                FROM _tidemark_change c LEFT JOIN _tidemark_request r ON r.change = c._id \
                WHERE c.state IN ('pending', 'inFlight', 'uncertain') \
                AND r.approval IS NOT 'needed'
                """
        )
        while let row = try rows.next() {
            guard let resource = resources[row[1]] else { continue }
            // A run moves times that lie in the future, because the clock was set back.
            let ahead = max(0, (row[6] as Double? ?? 0) - time.timeIntervalSince1970)
            let date = (row[5] as Double?).map { Date(timeIntervalSince1970: $0 - ahead) }
            let isDue = date.map { $0 <= time } ?? true
            if row[3] != "pending" {
                // One that is in flight was left by a run that was killed, or has lost its lease.
                guard let doubt = Doubt(creates: row[2] == "create", in: resource.push) else {
                    continue
                }
                if isDue { changes.doubt = changes.doubt == .sync ? .sync : doubt }
            } else if row[4] == nil {
                // Each push dates the changes that it finds.
                changes.hasNew = true
                continue
            }
            if isDue { changes.due.insert(row[0]) }
            if let date { changes.attempts[row[0]] = date }
        }
        return changes
    }
}

extension PushableChanges.Doubt {
    /// Returns how a change of unknown outcome is settled; nil if nothing settles it.
    fileprivate init?(creates: Bool, in style: PushStyle) {
        guard creates else {
            self = .push
            return
        }
        switch style.reconcile {
        case .none: return nil
        case .key: self = .push
        // A query and a request that is sent again do not settle it in every case.
        case .list, .query, .resend: self = .sync
        }
    }
}
