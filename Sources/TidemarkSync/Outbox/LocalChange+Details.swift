public import struct Foundation.Date

extension LocalChange {
    /// All that is known about a local change: what it changes, and what was sent.
    ///
    /// Show it to a user who has to decide about a rejected change, or in a support tool. See
    /// ``Outbox/details(_:of:)``.
    ///
    /// ```swift
    /// let changes = try store.read { reader in
    ///     try Outbox(store).details(reader.db, of: RecordLocator("Note:7"))
    /// }
    /// for property in changes.flatMap(\.properties) {
    ///     print(property.name, property.base as Any, property.local as Any)
    /// }
    /// ```
    public struct Details: Sendable, Hashable {
        /// The change, with the service's messages about it.
        public let change: LocalChange

        /// The properties that the change is about, in the order of the model.
        ///
        /// Of a creation and a deletion these are all that have a value.
        public let properties: [Property]

        /// The last request that was stored for the change; nil before the first one.
        ///
        /// In the states `inFlight` and `uncertain` it may have arrived. In the others it was not
        /// applied, and the next attempt sends a new one.
        public let request: Request?
    }

    /// The versions of a property that a local change is about.
    public struct Property: Sendable, Hashable {
        /// The name of the attribute or relationship.
        public let name: String

        /// What the service had when the change was made; nil if it did not have the object.
        public let base: Conflict.Version?

        /// What is stored; nil if the row was deleted.
        ///
        /// While a request is not answered, it is what was sent. What was edited since is in the
        /// next change of the row.
        public let local: Conflict.Version?
    }

    /// A request, stored before it was sent.
    public struct Request: Sendable, Hashable {
        /// The method, such as `PATCH`.
        public let method: String

        /// The path below the service's URL, with its query but without the parameters that every
        /// URL of the service carries.
        ///
        /// A request that is repeated is sent to the service's present URL.
        public let path: String

        /// The key by which a service recognizes the request if it receives it again.
        public let idempotencyKey: String

        /// The body as text; nil for a request without one.
        public let body: String?

        /// When it was sent first; nil if it was never sent.
        public let firstAttempt: Date?

        /// When it was sent last, or its outcome became unknown; nil if it was never sent.
        public let lastAttempt: Date?
    }
}
