import HTTPTypes

extension PushStyle {
    /// How a change of another client is noticed before it is overwritten.
    ///
    /// What is done then is up to the conflict policies of the engine.
    public enum PreflightCheck: Hashable, Sendable {
        /// Not at all: the last change wins.
        case none
        /// The object is read, and compared with what was known of it.
        ///
        /// With the name of a query parameter, such as `id__in`, up to 25 objects are read by one
        /// request for a list; with nil, each by itself.
        case read(parameter: String?)
        /// By a condition on the version. An object of which none is known is read instead, as by
        /// ``read(parameter:)``.
        case version(parameter: String?)
    }

    /// What in a response with the status of a success confirms a change.
    ///
    /// What is not confirmed by the response is confirmed by the next object that the service
    /// sends, and recorded as not taken if that has the former value.
    public enum ResponseContent: String, Hashable, Sendable {
        /// The values that the object in it has. Without an object, the next read decides.
        case automatic = "auto"
        /// As ``automatic``; a response without an object leaves it unknown whether the change was
        /// applied.
        case object
        /// Nothing: at most the key of a new object is in it.
        case key
        /// Nothing, and JSON in the body is ignored. A body that is not JSON is taken for a page
        /// that does not come from the service.
        case none
        /// Everything: the status confirms all that was sent, except for 202, 206, 207 and 208.
        ///
        /// Only for a service that applies a change as a whole, or rejects it.
        case any
    }

    /// Where the version of an object is.
    public enum ObjectVersion: Hashable, Sendable {
        /// In a member of the object, and sent as `If-Match`.
        case member(String)
        /// In a member of the object, and sent in the body: `lock_version` of Rails.
        case body(String)
        /// The `ETag` of the response that was read before, sent as `If-Match`.
        case header
    }

    /// The responses that mean that an object has changed since it was read.
    ///
    /// <!-- example: var service = Service.rest(url: url) -->
    /// ```swift
    /// service.push.stale = PushStyle.StaleResponse(statuses: [409], statusesWithoutMessage: [422])
    /// ```
    public struct StaleResponse: Hashable, Sendable {
        /// The status codes.
        public var statuses: Set<Int>

        /// The status codes that mean it if the response contains no message.
        public var statusesWithoutMessage: Set<Int>

        /// Creates the responses.
        ///
        /// - Parameters:
        ///   - statuses: The status codes. Defaults to 409 and 412.
        ///   - statusesWithoutMessage: Further ones, which count if the response contains no
        ///     message. Defaults to none.
        public init(statuses: Set<Int> = [409, 412], statusesWithoutMessage: Set<Int> = []) {
            self.statuses = statuses
            self.statusesWithoutMessage = statusesWithoutMessage
        }
    }
}

// MARK: Repeated requests

extension PushStyle {
    /// The header field with which a service recognizes a repeated request.
    ///
    /// <!-- example: var service = Service.rest(url: url) -->
    /// ```swift
    /// service.push.idempotency = PushStyle.Idempotency(field: "Idempotency-Key", format: .plain)
    /// ```
    ///
    /// Source: draft-ietf-httpapi-idempotency-key-header.
    public struct Idempotency: Hashable, Sendable {
        /// The name of the field, such as `Idempotency-Key`.
        public var field: String

        /// How the value is written.
        public var format: Format

        /// How long the service remembers a request.
        public var lifetime: Duration

        /// How the value of the field is written.
        public enum Format: String, Hashable, Sendable {
            /// In quotes, as a string of a structured field (RFC 9651).
            case quoted
            /// As it is.
            case plain
        }

        /// Creates the description of a field.
        ///
        /// - Parameters:
        ///   - field: The name of the field.
        ///   - format: How the value is written. Defaults to a quoted string.
        ///   - lifetime: How long the service remembers a request. Defaults to 24 hours.
        public init(
            field: String,
            format: Format = .quoted,
            lifetime: Duration = .seconds(24 * 3_600)
        ) {
            self.field = field
            self.format = format
            self.lifetime = lifetime
        }
    }

    /// How it is determined whether a creation was applied whose response was lost.
    ///
    /// A creation is never sent a second time without a decision about that: it would make a second
    /// object.
    public enum Reconciliation: Hashable, Sendable {
        /// It is not: the change stays uncertain until `SyncEngine.adopt`, `Outbox.retry` or
        /// `Outbox.discard` decides.
        case none
        /// The object is read by the key that the client has chosen: ``PushStyle/key`` has to be
        /// ``PushStyle/KeySource/client``.
        case key
        /// The request is sent again, and the service replays its response:
        /// ``PushStyle/idempotency`` has to be set. When its lifetime is over, the next list
        /// decides as with ``list``.
        case resend
        /// The list is read with a condition in this query parameter: for Parse a JSON document
        /// with all values that were sent, otherwise the member of that name in the request, such
        /// as `external_id`.
        case query(parameter: String)
        /// The next pull searches the complete list for the object that has all values that were
        /// sent.
        ///
        /// Texts may be trimmed, escaped for HTML, or have other line ends. If the only text of an
        /// object was changed so, the change stays uncertain, and its reason names the object.
        case list
    }

    /// How several changes are sent in one request.
    ///
    /// Only changes that do not depend on each other are sent together, and each has a response of
    /// its own. They are at most `Limits.http.consecutiveRejections` (25 by default), whatever the
    /// limit is.
    ///
    /// <!-- example: var service = Service.rest(url: url) -->
    /// ```swift
    /// service.push.batch = PushStyle.Batch(.kinto, path: "../../batch", limit: 25)
    /// ```
    public struct Batch: Hashable, Sendable {
        /// The format.
        public var format: Format

        /// The path, relative to the service's URL, such as `batch`.
        public var path: String

        /// The most changes in one request.
        public var limit: Int

        /// The format of a request with several changes.
        public enum Format: String, Hashable, Sendable {
            /// That of Kinto: `{"requests": [{"method", "path", "headers", "body"}]}`.
            case kinto
            /// That of Parse: `{"requests": [{"method", "path", "body"}]}`.
            case parse
        }

        /// Creates the description of a batch.
        ///
        /// - Parameters:
        ///   - format: The format.
        ///   - path: The path, relative to the service's URL.
        ///   - limit: The most changes in one request.
        public init(_ format: Format, path: String, limit: Int) {
            self.format = format
            self.path = path
            self.limit = limit
        }
    }
}

extension PushStyle {
    /// What contradicts itself, as the name of an option and a clause; nil if nothing does.
    package var contradiction: (option: Option, reason: String)? {
        if let idempotency, HTTPField.Name(idempotency.field) == nil {
            return (.idempotency, "\(idempotency.field) is not the name of a header field")
        }
        switch reconcile {
        case .key where key == .service: return (.reconcile, "key needs key: client")
        case .resend where idempotency == nil:
            return (.reconcile, "resend needs idempotency: header:NAME")
        case .none, .key, .resend, .query, .list: return nil
        }
    }
}
