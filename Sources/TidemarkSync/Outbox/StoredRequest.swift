import GRDB

import struct Foundation.Data

/// The request of a change, as it is stored before it is sent.
///
/// Whatever happens to the process or the connection, later attempts send the same bytes under the
/// same key. A store is a file that others may have written: it does not contain the origin to
/// which credentials are sent.
struct StoredRequest: Sendable, Hashable {
    /// The key with which a service recognizes that it has received the request before.
    let idempotencyKey: String

    let method: String

    /// The path below the service's URL, with its query but without secrets.
    ///
    /// See `Remote.relativePath(of:)`.
    let path: String

    /// The entity tag that the object must have, or ``absent``; nil for any.
    var version: String?

    /// The body; nil for a request without one.
    var body: [UInt8]?

    /// The highest number of a row in the table when the request of a creation was stored: the
    /// service has had the objects of these rows before it.
    var highestRow: Int64?

    /// The links that the body of a creation lacks, because a linked row has no key yet, or because
    /// it is not known with which row they are sent.
    ///
    /// They are stored as base values of the creation: the service does not have them.
    var omitted: [Link] = []

    /// The properties of an update that its body lacks, as base values name them.
    ///
    /// They become a change of their own.
    var waiting: [String] = []

    /// The members of the body with references that are objects, and the names under which their
    /// keys would be sent.
    ///
    /// It is not stored: a request that is repeated after a crash has no other form.
    var embedded: [String: String] = [:]

    /// Returns whether another request asks the service for the same.
    func asksForSame(as other: StoredRequest) -> Bool {
        method == other.method && path == other.path && version == other.version
            && body == other.body
    }

    /// A link that the service does not have, as a base value names it: a reference, or a member of
    /// a list.
    struct Link: Sendable, Hashable {
        let property: String
        let member: Int64

        /// The base value.
        var value: Int64? { member == 0 ? nil : 0 }
    }
}

extension StoredRequest {
    /// The version of an object that must not exist.
    static let absent = "*"

    /// Reads the request of a frozen change; nil if it has none.
    init?(_ row: Row) {
        guard let method: String = row["method"], let path: String = row["path"] else {
            return nil
        }
        self.init(
            idempotencyKey: row["idempotencyKey"],
            method: method,
            path: path,
            version: row["version"],
            body: (row["body"] as Data?).map(Array.init),
            highestRow: row["highestRow"]
        )
    }
}
