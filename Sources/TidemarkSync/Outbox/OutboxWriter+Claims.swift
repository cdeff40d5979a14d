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
