import GRDB
import TidemarkStore

/// What responses have claimed that leave the outcome of a change unknown.
extension OutboxWriter {
    /// What the response to a change of unknown outcome has claimed.
    enum Claim: String, Hashable {
        /// An error, with the status of a success.
        case error
        /// Something that contains no object, with the status of a success.
        case noObject
        /// That the service processes the change later.
        case accepted
        /// That the service has created an object, which it does not name.
        case created
    }

    /// Returns what the response to a change of unknown outcome has claimed; nil without one.
    func claim(of change: CapturedChange) throws -> Claim? {
        guard change.state == .uncertain else { return nil }
        return try String.fetchOne(
            db.cachedStatement(sql: "SELECT claim FROM _tidemark_request WHERE change = ?"),
            arguments: [change.number]
        )
        .flatMap(Claim.init)
    }

    /// Returns the highest number of a row whose object the service had before the creation of
    /// another one was sent, or could be sent.
    func highestRow(before creation: CapturedChange) throws -> Int64 {
        try storedRequest(of: creation.number)?.highestRow ?? creation.row.number
    }

    /// Removes what is known about the requests of a change that has become another one, which is
    /// sent by the next push.
    func forgetRequests(of change: Int64) throws {
        try retry(change)
        try db.cachedStatement(sql: "DELETE FROM _tidemark_request WHERE change = ?")
            .execute(arguments: [change])
    }

    /// Returns what is known about the last attempt of a change.
    func failure(of change: Int64) throws -> Failure {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT status, reason, fieldErrors FROM _tidemark_request WHERE change = ?"
            ),
            arguments: [change]
        )
        var failure = Failure(status: row?[0], reason: row?[1] ?? "the service gives no reason")
        if let text: String = row?[2] { failure.messages = try StoredMessages(stored: text) }
        return failure
    }
}
