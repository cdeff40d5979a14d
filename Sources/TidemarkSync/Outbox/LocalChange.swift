package import TidemarkModel
package import TidemarkStore

package import struct Foundation.Date

/// A local change of a row that the service does not have yet, as an app shows it.
package struct LocalChange: Sendable, Hashable {
    /// What the change does to the object at the service.
    package typealias Kind = CapturedChange.Kind

    /// What becomes of the change next.
    package typealias State = CapturedChange.State

    /// The row.
    package let row: RowReference

    /// The primary key of the object; nil if the service has not named it yet.
    package let key: RecordKey?

    package let kind: Kind
    package let state: State

    /// The attributes and relationships that differ from what the service has; empty for a creation
    /// and a deletion.
    package let properties: [String]

    /// When the change was first noticed; nil before the first push or listing after it.
    package let since: Date?

    /// What is known about its requests.
    package let attempts: Attempts

    /// The requests of a change so far.
    package struct Attempts: Sendable, Hashable {
        /// The number of requests that were sent.
        package let count: Int

        /// When the next one may be sent; nil for the next push.
        package let next: Date?

        /// The status of the last response.
        package let status: Int?

        /// Why the last request was not successful, as a clause.
        package let reason: String?
    }
}
