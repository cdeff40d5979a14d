import GRDB
import TidemarkModel
import TidemarkRemote
import TidemarkStore

import struct Foundation.Date

/// When changes were sent, and may be sent again.
struct StoredAttempts {
    private let first: [Int64: Date]
    private let next: [Int64: Date]
    private let counts: [Int64: Int]
    private let claims: [Int64: OutboxWriter.Claim]

    /// The deletions that await approval, or have it.
    private let approvals: [Int64: DeletionApproval.Flag]

    /// Reads the attempts of some changes.
    ///
    /// - Parameters:
    ///   - db: A connection.
    ///   - changes: The numbers of the changes; nil for all.
    /// - Returns: The attempts.
    /// - Throws: `DatabaseError`.
    static func read(_ db: Database, of changes: [Int64]? = nil) throws -> StoredAttempts {
        let list = changes.map { "[\($0.map(String.init).joined(separator: ","))]" }
        let condition = list == nil ? "" : "WHERE change IN (SELECT value FROM json_each(?))"
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT change, firstAttempt, nextAttempt, attempts, claim, approval \
                    FROM _tidemark_request \(condition)
                    """
            ),
            arguments: StatementArguments(list.map { [$0] } ?? [])
        )
        func dates(_ column: Int) -> [Int64: Date] {
            let dates = rows.compactMap { row in
                (row[column] as Double?).map {
                    (row[0] as Int64, Date(timeIntervalSince1970: $0))
                }
            }
            return Dictionary(dates, uniquingKeysWith: { first, _ in first })
        }
        let counts = Dictionary(
            rows.map { ($0[0] as Int64, $0[3] as Int) },
            uniquingKeysWith: { first, _ in first }
        )
        let claims = rows.compactMap { row in
            (row[4] as String?).flatMap(OutboxWriter.Claim.init).map { (row[0] as Int64, $0) }
        }
        let approvals = rows.compactMap { row in
            (row[5] as String?).flatMap(DeletionApproval.Flag.init).map { (row[0] as Int64, $0) }
        }
        return StoredAttempts(
            first: dates(1),
            next: dates(2),
            counts: counts,
            claims: Dictionary(claims, uniquingKeysWith: { first, _ in first }),
            approvals: Dictionary(approvals, uniquingKeysWith: { first, _ in first })
        )
    }

    /// Returns how often a change was attempted.
    func count(_ change: Int64) -> Int { counts[change] ?? 0 }

    /// Returns whether a change may be sent at a time, if its state lets it.
    func isDue(_ change: Int64, at time: Date) -> Bool {
        !awaitsApproval(change) && isOver(change, at: time)
    }

    /// Returns whether the time of a change's next attempt has come.
    func isOver(_ change: Int64, at time: Date) -> Bool { next[change].map { $0 <= time } ?? true }

    /// Returns whether a change is a deletion that awaits approval.
    func awaitsApproval(_ change: Int64) -> Bool { approvals[change] == .needed }

    /// Returns whether a deletion was approved.
    func isApproved(_ change: Int64) -> Bool { approvals[change] == .given }

    /// Whether the service has accepted a change to process it later: reading its object may show
    /// that it has.
    func isAccepted(_ change: Int64) -> Bool { claims[change] == .accepted }

    /// Whether the service still recognizes the request of a creation, and repeats its response.
    func mayResend(_ change: CapturedChange, in style: PushStyle, at time: Date) -> Bool {
        guard change.kind == .create, change.state == .uncertain, style.reconcile == .resend,
            claims[change.number] ?? .created == .created, let idempotency = style.idempotency,
            let sent = first[change.number]
        else { return false }
        // A time in the future is that of a clock that was set back: how long ago it was is not
        // known, and what the service has forgotten would be created twice.
        return sent <= time
            && time < sent.addingTimeInterval(idempotency.lifetime / .seconds(1))
    }
}

extension StoredAttempts {
    /// Returns what is known about the requests of changes, by the number of the change.
    ///
    /// - Parameters:
    ///   - db: A connection.
    ///   - change: The number of the change; nil for all.
    /// - Returns: The attempts; none of a store that records no local changes.
    /// - Throws: `DatabaseError`; `StoreError` if another program has changed them.
    static func all(
        _ db: Database,
        of change: Int64? = nil
    ) throws -> [Int64: LocalChange.Attempts] {
        guard try Capture.isInstalled(db) else { return [:] }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT change, attempts, nextAttempt, status, reason, fieldErrors, approval \
                FROM _tidemark_request WHERE ?1 IS NULL OR change = ?1
                """,
            arguments: [change]
        )
        let attempts = try rows.map { row in
            (
                row[0] as Int64,
                LocalChange.Attempts(
                    count: row[1],
                    next: (row[2] as Double?).map(Date.init(timeIntervalSince1970:)),
                    status: row[3],
                    reason: row[4],
                    fieldErrors: try (row[5] as String?)
                        .map { try StoredMessages(stored: $0).properties } ?? [:],
                    needsApproval: (row[6] as String?) == DeletionApproval.Flag.needed.rawValue
                )
            )
        }
        return Dictionary(attempts, uniquingKeysWith: { first, _ in first })
    }
}
