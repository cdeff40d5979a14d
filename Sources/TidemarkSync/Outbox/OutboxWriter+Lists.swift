import GRDB

import struct Foundation.Date

/// What a list that was read to its end shows about changes.
extension OutboxWriter {
    /// Opens creations again whose outcome was unknown, because their lists were read since and do
    /// not contain the objects.
    ///
    /// An object that resembles one of them may be the same: another client may have changed it
    /// since. Such a creation stays uncertain, because it must not be applied twice.
    ///
    /// - Parameters:
    ///   - entities: The entities whose lists were read to their end.
    ///   - start: When the pull has begun. A request of which a service might still have been
    ///     processing at that time is not decided.
    /// - Returns: The number of creations.
    /// - Throws: `DatabaseError`.
    func reopenUnlisted(of entities: Set<String>, before start: Date) throws -> Int {
        let creations = try Row.fetchAll(
            db,
            sql: """
                SELECT _id, entity, resembling FROM _tidemark_change \
                JOIN _tidemark_request ON change = _id \
                WHERE kind = 'create' AND state = 'uncertain' AND lastAttempt < ?
                """,
            arguments: [start.timeIntervalSince1970]
        )
        var count = 0
        for creation in creations where entities.contains(creation[1]) {
            if let other = creation[2] as String? {
                let reason =
                    "the service has an object that resembles it, \(creation[1] as String):\(other)"
                try record(Failure(reason: reason), of: creation[0], nextAttempt: nil)
                continue
            }
            let failure = Failure(reason: "the list does not contain the object")
            try reopen(creation[0], as: .pending(after: nil), because: failure)
            count += 1
        }
        return count
    }
}
