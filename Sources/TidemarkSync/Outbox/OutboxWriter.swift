import Foundation
import GRDB
import TidemarkModel
import TidemarkStore

/// The transitions of local changes between their states, in one transaction.
///
/// ```
/// pending ─ freeze ─► inFlight ─ acknowledge ─► (removed)
///    ▲                  │  │
///    └──── reopen ──────┘  └─ markUncertain ─► uncertain ─ acknowledge or reopen
/// ```
///
/// Nothing else removes a change, except that its user discards it.
struct OutboxWriter {
    let db: Database
    let environment: SystemEnvironment

    /// Whether the service is down, so that no single change is postponed.
    ///
    /// Otherwise each would be tried at its own time, and the service receive a request for each.
    var isOutage = false

    /// The state of a change that is opened again, because its request was certainly not applied.
    enum Reopened: Hashable {
        /// It is sent again, after the time if there is one.
        case pending(after: Date?)
        /// The service has rejected it; it is sent again when it is edited.
        case rejected
    }

    /// What is known about a failed attempt.
    struct Failure: Hashable {
        /// The status of the response; nil without one.
        var status: Int?

        /// Why it failed.
        var reason: String

        /// The messages of the service about properties.
        var messages = StoredMessages([:])
    }

    // MARK: The beginning of a run

    /// Records since when changes wait to be pushed.
    func recordWaiting() throws {
        try db.execute(
            sql: "UPDATE _tidemark_change SET since = ? WHERE since IS NULL",
            arguments: [now]
        )
    }

    /// The number of changes that are not pushed yet.
    var count: Int {
        get throws { try Int.fetchOne(db, sql: "SELECT count(*) FROM _tidemark_change") ?? 0 }
    }

    /// Returns the state of a change; nil if it is not left.
    func state(of change: Int64) throws -> CapturedChange.State? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT state FROM _tidemark_change WHERE _id = ?"),
            arguments: [change]
        )
        .flatMap(CapturedChange.State.init)
    }

    /// Returns the numbers of the changes that a run has sent, and no other one has settled.
    ///
    /// - Parameter run: The identifier of the run.
    /// - Returns: The numbers.
    /// - Throws: `DatabaseError`.
    func changes(sentBy run: String) throws -> Set<Int64> {
        try Int64.fetchSet(
            db,
            sql: """
                SELECT _id FROM _tidemark_change JOIN _tidemark_request ON change = _id \
                WHERE frozen = 1 AND run = ?
                """,
            arguments: [run]
        )
    }

    // MARK: Transitions

    /// Stores the request of a pending change, which must be on disk before it is sent.
    ///
    /// - Parameters:
    ///   - change: The number of the change.
    ///   - request: The request.
    ///   - run: The identifier of the run that sends it.
    /// - Returns: False if the change is not pending any more.
    /// - Throws: `DatabaseError`.
    func freeze(_ change: Int64, _ request: StoredRequest, by run: String) throws -> Bool {
        try db.cachedStatement(
            sql: """
                UPDATE _tidemark_change SET frozen = 1, state = 'inFlight' \
                WHERE _id = ? AND state = 'pending'
                """
        ).execute(arguments: [change])
        guard db.changesCount > 0 else { return false }
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_request (change, idempotencyKey, method, path, version, body, \
                attempts, firstAttempt, lastAttempt, highestRow, run) \
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7, ?7, ?8, ?9) ON CONFLICT (change) DO UPDATE \
                SET idempotencyKey = ?2, method = ?3, path = ?4, version = ?5, body = ?6, \
                attempts = attempts + 1, firstAttempt = ?7, lastAttempt = ?7, nextAttempt = NULL, \
                status = NULL, reason = NULL, fieldErrors = NULL, resembling = NULL, \
                claim = NULL, highestRow = ?8, run = ?9
                """
        ).execute(arguments: [
            change, request.idempotencyKey, request.method, request.path, request.version,
            request.body.map { Data($0) }, now, request.highestRow, run,
        ])
        for link in request.omitted {
            try db.cachedStatement(
                sql: """
                    INSERT INTO _tidemark_base (change, property, member, value) \
                    VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: [change, link.property, link.member, link.value])
        }
        if !request.waiting.isEmpty { try leave(request.waiting, of: change) }
        return true
    }

    /// Sends the stored request of a change again whose outcome is unknown, because the service
    /// recognizes it.
    ///
    /// - Parameters:
    ///   - change: The number of the change.
    ///   - run: The identifier of the run that sends it.
    /// - Returns: False if the change is not uncertain any more.
    /// - Throws: `DatabaseError`.
    func resend(_ change: Int64, by run: String) throws -> Bool {
        try db.cachedStatement(
            sql: """
                UPDATE _tidemark_change SET state = 'inFlight' \
                WHERE _id = ? AND state = 'uncertain'
                """
        ).execute(arguments: [change])
        guard db.changesCount > 0 else { return false }
        try db.cachedStatement(
            sql: """
                UPDATE _tidemark_request SET attempts = attempts + 1, lastAttempt = ?, \
                nextAttempt = NULL, run = ? WHERE change = ?
                """
        ).execute(arguments: [now, run, change])
        return true
    }

    /// Returns the request of a change that is stored; nil without one.
    func storedRequest(of change: Int64) throws -> StoredRequest? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM _tidemark_request WHERE change = ?"),
            arguments: [change]
        )
        .flatMap(StoredRequest.init)
    }

    /// Puts a change back whose request was not sent at all.
    ///
    /// - Parameter change: The change before its request was stored.
    /// - Throws: `DatabaseError`.
    func takeBack(_ change: CapturedChange) throws {
        let failure = Failure(reason: "an earlier failure has ended the push")
        if change.state == .uncertain {
            try markUncertain(change.number, because: failure)
        } else {
            try reopen(change.number, as: .pending(after: nil), because: failure)
        }
        try db.cachedStatement(
            sql: "UPDATE _tidemark_request SET attempts = max(0, attempts - 1) WHERE change = ?"
        ).execute(arguments: [change.number])
    }

    /// Records that it is unknown whether the service has applied a change, which it may still be
    /// processing.
    ///
    /// - Parameters:
    ///   - change: The number of the change.
    ///   - date: When the request may be sent again, if the service recognizes it.
    ///   - failure: What is known about the attempt.
    ///   - claim: What the response claims; nil without one.
    /// - Throws: `DatabaseError`.
    func markUncertain(
        _ change: Int64,
        until date: Date? = nil,
        because failure: Failure,
        claim: Claim? = nil
    ) throws {
        try db.cachedStatement(
            sql: "UPDATE _tidemark_change SET state = 'uncertain' WHERE _id = ? AND frozen = 1"
        ).execute(arguments: [change])
        try db.cachedStatement(
            sql: "UPDATE _tidemark_request SET lastAttempt = ?, claim = ? WHERE change = ?"
        ).execute(arguments: [now, claim?.rawValue, change])
        try record(failure, of: change, nextAttempt: date)
    }

    /// Opens a change again whose request was certainly not applied, and joins it with the edits
    /// that came after the request.
    ///
    /// - Parameters:
    ///   - change: The number of the change.
    ///   - state: The new state. Edits that came after a rejected request are newer, and are sent.
    ///   - failure: What is known about the attempt.
    /// - Throws: `DatabaseError`.
    func reopen(_ change: Int64, as state: Reopened, because failure: Failure) throws {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT tree, row, kind FROM _tidemark_change WHERE _id = ? AND frozen = 1"
            ),
            arguments: [change]
        )
        guard let row else { return }
        let next: Date? = if case .pending(let date) = state { date } else { nil }
        let later = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT _id, kind FROM _tidemark_change WHERE tree = ? AND row = ? AND frozen = 0
                    """
            ),
            arguments: [row[0] as String, row[1] as Int64]
        )
        guard let later else {
            // What the request has left out is a part of the next one.
            if row[2] == "create" { try removeBase(of: change) }
            try db.cachedStatement(
                sql: "UPDATE _tidemark_change SET frozen = 0, state = ? WHERE _id = ?"
            ).execute(arguments: [state == .rejected ? "rejected" : "pending", change])
            return try record(failure, of: change, nextAttempt: next)
        }
        let isLeft = try join(change, kind: row[2], with: later[0], kind: later[1])
        // What was rejected is not what is sent next.
        if isLeft, state != .rejected { try record(failure, of: later[0], nextAttempt: next) }
    }

    /// Records that the service has applied a part of an uncertain change, as a later change of the
    /// row knows it.
    ///
    /// - Parameters:
    ///   - columns: The columns whose values were sent, and which the object has.
    ///   - change: The number of the uncertain change.
    /// - Throws: `DatabaseError`.
    func confirm(_ columns: Set<String>, of change: Int64) throws {
        for column in columns.sorted() {
            try db.cachedStatement(
                sql: "DELETE FROM _tidemark_base WHERE change = ? AND property = ? AND member = 0"
            ).execute(arguments: [change, column])
        }
    }

    /// Lets the lists of an uncertain change be sent again, as they are then.
    ///
    /// The service may have the links that were sent. A link that is edited back to what the
    /// service had before would otherwise not be sent, and what an import finds of it would look
    /// like a change of another client. A request contains the whole list, so that sending it twice
    /// changes nothing.
    ///
    /// - Parameter change: The number of the uncertain change.
    /// - Throws: `DatabaseError`.
    func resendLists(of change: Int64) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_base (change, property, member, value) \
                SELECT DISTINCT change, property, -1, ? FROM _tidemark_base \
                WHERE change = ? AND member > 0 AND property GLOB '*.*' \
                AND property NOT GLOB '*:*' ON CONFLICT DO UPDATE SET value = excluded.value
                """
        ).execute(arguments: [UnpushedRows.isSentAgain, change])
    }

    /// Joins a change that was not applied with the one after it: the former values are those of
    /// the first.
    ///
    /// - Returns: Whether a change is left.
    private func join(
        _ first: Int64,
        kind: String,
        with second: Int64,
        kind later: String
    ) throws -> Bool {
        if kind == "create", later == "delete" {
            // The service has never had the object.
            try remove(second)
        } else if kind == "create" {
            try removeBase(of: second)
            try db.execute(
                sql: "UPDATE _tidemark_change SET kind = 'create' WHERE _id = ?",
                arguments: [second]
            )
            try keepAge(of: first, in: second)
        } else {
            try db.execute(
                sql: """
                    INSERT INTO _tidemark_base (change, property, member, value) \
                    SELECT ?2, property, member, value FROM _tidemark_base WHERE change = ?1 \
                    ON CONFLICT DO UPDATE SET value = excluded.value
                    """,
                arguments: [first, second]
            )
            try keepAge(of: first, in: second)
        }
        try remove(first)
        return kind != "create" || later != "delete"
    }

    /// Lets a change be as old as the one that it is joined with.
    private func keepAge(of first: Int64, in second: Int64) throws {
        try db.execute(
            sql: """
                UPDATE _tidemark_change SET since = (SELECT since FROM _tidemark_change \
                WHERE _id = ?1) WHERE _id = ?2
                """,
            arguments: [first, second]
        )
    }

    /// Removes a change that the service has applied.
    func acknowledge(_ change: CapturedChange) throws {
        if change.kind == .create {
            try UnpushedRows.sendOmittedLinks(db, ofCreation: change.number)
            try DeletionApproval.recordCreation(of: change.row.entity, db)
        }
        if change.kind == .delete {
            try DeletionApproval.record(change, db, at: environment.now())
        }
        try remove(change.number)
    }

    /// Lets a change wait until it is edited.
    func reject(_ change: Int64, because failure: Failure) throws {
        try db.cachedStatement(
            sql: "UPDATE _tidemark_change SET state = 'rejected' WHERE _id = ? AND frozen = 0"
        ).execute(arguments: [change])
        guard db.changesCount == 0 else {
            return try record(failure, of: change, nextAttempt: nil)
        }
        try reopen(change, as: .rejected, because: failure)
    }

    /// Lets a rejected change be sent once more.
    func retry(_ change: Int64) throws {
        try db.cachedStatement(
            sql: """
                UPDATE _tidemark_change SET state = 'pending' WHERE _id = ? AND state = 'rejected'
                """
        ).execute(arguments: [change])
    }

    /// Records why a pending change was not sent.
    func postpone(_ change: Int64, until date: Date? = nil, because failure: Failure) throws {
        try record(failure, of: change, nextAttempt: date)
    }

    /// Counts an attempt that has failed before a request of the change was stored.
    func countAttempt(of change: Int64) throws {
        try db.cachedStatement(
            sql: "UPDATE _tidemark_request SET attempts = attempts + 1 WHERE change = ?"
        ).execute(arguments: [change])
    }

    // MARK: Rows of the tables

    private func remove(_ change: Int64) throws {
        try removeBase(of: change)
        for table in ["_tidemark_request WHERE change", "_tidemark_change WHERE _id"] {
            try db.cachedStatement(sql: "DELETE FROM \(table) = ?").execute(arguments: [change])
        }
    }

    private func removeBase(of change: Int64) throws {
        try db.cachedStatement(sql: "DELETE FROM _tidemark_base WHERE change = ?")
            .execute(arguments: [change])
    }

    /// Records what is known about an attempt.
    func record(_ failure: Failure, of change: Int64, nextAttempt: Date?) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_request \
                (change, idempotencyKey, status, reason, fieldErrors, nextAttempt, lastAttempt) \
                VALUES (?1, '', ?2, ?3, ?4, ?5, ?6) ON CONFLICT (change) DO UPDATE SET \
                status = ?2, reason = ?3, fieldErrors = ?4, nextAttempt = ?5, \
                lastAttempt = coalesce(?6, lastAttempt)
                """
        ).execute(arguments: [
            change, failure.status, failure.reason, try failure.messages.text,
            nextAttempt?.timeIntervalSince1970,
            // The next attempt is this long after now, whatever the clock shows then.
            nextAttempt == nil ? nil : now,
        ])
    }

    private var now: Double { environment.now().timeIntervalSince1970 }
}
