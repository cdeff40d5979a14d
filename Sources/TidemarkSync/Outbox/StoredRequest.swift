import GRDB

import struct Foundation.Data
import struct Foundation.URL

/// The request of a change, as it is stored before it is sent.
///
/// Whatever happens to the process or the connection, later attempts send the same bytes under the
/// same key.
struct StoredRequest: Sendable, Hashable {
    /// The key with which a service recognizes that it has received the request before.
    let idempotencyKey: String

    let method: String

    /// The URL without the query that the service is configured with.
    let url: URL

    /// The entity tag that the object must have, or ``absent``; nil for any.
    var version: String?

    /// The body; nil for a request without one.
    var body: [UInt8]?

    /// The links that the body lacks because a linked row has no key yet.
    ///
    /// They are stored as base values of the creation: the service does not have them.
    var omitted: [Link] = []

    /// Returns whether another request asks the service for the same.
    func asksForSame(as other: StoredRequest) -> Bool {
        method == other.method && url == other.url && version == other.version
            && body == other.body
    }

    /// A relationship, as a base value names it.
    struct Link: Sendable, Hashable {
        let property: String
        let member: Int64
    }
}

extension StoredRequest {
    /// The version of an object that must not exist.
    static let absent = "*"

    /// Reads the request of a frozen change; nil if it has none.
    init?(_ row: Row) {
        guard let method: String = row["method"],
            let url = (row["url"] as String?).flatMap(URL.init(string:))
        else { return nil }
        self.init(
            idempotencyKey: row["idempotencyKey"],
            method: method,
            url: url,
            version: row["version"],
            body: (row["body"] as Data?).map(Array.init)
        )
    }
}
