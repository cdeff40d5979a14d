import GRDB
import TidemarkModel
import TidemarkStore

import struct Foundation.Date

/// What a list that was read to its end shows about changes.
extension OutboxWriter {
    /// Decides about creations whose outcome was unknown, because their lists were read since and
    /// do not contain the objects.
    ///
    /// They are opened again, unless their response has contradicted itself: these are rejected. An
    /// object that resembles one of them may be the same: another client may have changed it since.
    /// Such a creation stays uncertain, because it must not be applied twice.
    ///
    /// - Parameters:
    ///   - entities: The entities whose lists were read to their end, and whether their lists prove
    ///     that a request was not applied.
    ///   - start: When the pull has begun.
    ///   - timeout: How long a service may still be processing a request without a response.
    /// - Returns: The creations that are decided.
    /// - Throws: `DatabaseError`.
    func decideUnlisted(
        of entities: [String: Bool],
        since start: Date,
        timeout: Duration
    ) throws -> UnlistedCreations {
        let creations = try Row.fetchAll(
            db,
            sql: """
                SELECT _id, entity, (SELECT group_concat(entity || ':' || value, ', ') \
                FROM json_each(resembling)), claim, lastAttempt, nextAttempt, method IS NULL \
                FROM _tidemark_change JOIN _tidemark_request ON change = _id \
                WHERE kind = 'create' AND state = 'uncertain'
                """
        )
        let start = start.timeIntervalSince1970
        var decided = UnlistedCreations()
        for creation in creations {
            // What this file has not sent, and another copy may have, is in the list or nowhere.
            guard let isProof = entities[creation[1]], isProof || creation[6] else { continue }
            let (number, claim) = (
                creation[0] as Int64, (creation[3] as String?).flatMap(Claim.init)
            )
            let last = creation[4] as Double? ?? 0
            let isDecided =
                switch claim {
                case .error, .noObject: last <= start
                case .accepted: (creation[5] as Double?).map { $0 <= start } ?? true
                case .created, nil: last < start - timeout / .seconds(1)
                }
            guard isDecided else { continue }
            if let candidates = creation[2] as String? {
                let objects =
                    candidates.contains(",")
                    ? "objects that resemble it" : "an object that resembles it"
                let reason = "the service has \(objects): \(candidates)"
                try record(Failure(reason: reason), of: number, nextAttempt: nil)
                continue
            }
            guard claim != .error, claim != .noObject else {
                try reject(number, because: failure(of: number))
                decided.rejected.append(number)
                continue
            }
            let failure = Failure(reason: "the list does not contain the object")
            try reopen(number, as: .pending(after: nil), because: failure)
            decided.reopened += 1
        }
        return decided
    }

    /// Lets changes be reconciled that the service was to process later, because the time for that
    /// is over, and their lists were read since.
    func endAccepted(of entities: Set<String>, since start: Date) throws {
        let accepted = try Row.fetchAll(
            db,
            sql: """
                SELECT _id, entity FROM _tidemark_change JOIN _tidemark_request ON change = _id \
                WHERE kind <> 'create' AND state = 'uncertain' AND claim = 'accepted' \
                AND nextAttempt <= ?
                """,
            arguments: [start.timeIntervalSince1970]
        )
        for change in accepted where entities.contains(change[1]) {
            try db.execute(
                sql: "UPDATE _tidemark_request SET claim = NULL WHERE change = ?",
                arguments: [change[0] as Int64]
            )
        }
    }

    /// Makes the outcomes of creations unknown that another copy of the store may have sent.
    ///
    /// Their objects are looked for before anything is sent, as those of lost responses are. Which
    /// values the other copy has sent is not known: those of the row are compared.
    ///
    /// - Parameter layout: The layout of the tables.
    /// - Returns: The number of creations.
    /// - Throws: `DatabaseError`.
    func doubtCreations(in layout: StoreLayout) throws -> Int {
        try Capture.of(db, layout)?.collect()
        let reason = "the store is a copy, and another one may have sent it"
        try db.execute(
            sql: """
                INSERT INTO _tidemark_request (change, idempotencyKey, lastAttempt, reason) \
                SELECT _id, '', ?, ? FROM _tidemark_change \
                WHERE kind = 'create' AND frozen = 0 AND state = 'pending' \
                ON CONFLICT DO UPDATE SET lastAttempt = excluded.lastAttempt, \
                reason = excluded.reason, method = NULL, path = NULL, version = NULL, \
                body = NULL, firstAttempt = NULL, nextAttempt = NULL, status = NULL, \
                resembling = NULL, claim = NULL
                """,
            arguments: [environment.now().timeIntervalSince1970, reason]
        )
        try db.execute(
            sql: """
                UPDATE _tidemark_change SET frozen = 1, state = 'uncertain' \
                WHERE kind = 'create' AND frozen = 0 AND state = 'pending'
                """
        )
        return db.changesCount
    }
}

/// Creations of unknown outcome that a complete list has decided about.
struct UnlistedCreations: Sendable {
    /// The number of those that are sent again.
    var reopened = 0

    /// The numbers of those that are rejected.
    var rejected: [Int64] = []
}
