package import HTTPTypes
package import TidemarkJSON

/// What a response to a change means.
package enum WriteOutcome: Sendable {
    /// The change was applied.
    ///
    /// The response may contain the object, its version (`ETag`), and where it is (`Location`).
    case applied(Applied)

    /// The object does not exist. A deletion has reached its aim.
    case missing

    /// An object with the key of a creation exists already.
    case exists

    /// The object has changed since it was read, or the change is in conflict with another object:
    /// services use the same statuses for both. The response may have messages.
    case stale(FieldErrors)

    /// The service rejects the change; sent again, it would be rejected again.
    case rejected(FieldErrors)

    /// The service does not accept such changes, or not from this account or at this path: the
    /// next change would fail in the same way.
    case denied(Denial)

    /// The change was certainly not processed, and may be sent again, after the time that the
    /// service requests.
    case postponed(Duration?)

    /// The change may have been applied.
    case uncertain(Doubt)

    /// A response to a change that was applied.
    package struct Applied: Sendable {
        /// The document; nil if the response has none.
        package let document: JSONDocument?

        /// The entity tag of the object.
        package let entityTag: String?

        /// The URL of the object.
        package let location: String?
    }

    /// Why a service does not accept a kind of change.
    package enum Denial: Hashable, Sendable {
        /// The credentials are missing or have expired (401).
        case credentials
        /// There is nothing at the path that accepts the request (404, 405, 501).
        case unsupported
        /// The service redirects to another URL.
        case redirect(to: String?)
        /// A page for people, such as that of a sign-in or of a captive portal.
        case page(type: String)
    }

    /// Why it is unknown whether a change was applied.
    package enum Doubt: Hashable, Sendable {
        /// The connection broke, or the response did not arrive in time.
        case noResponse
        /// The service failed while it processed the change.
        case failure(status: Int)
        /// The service processes the change later, and has not named the object (202).
        case accepted
        /// The response is not one that the service's own software would send.
        case foreign
        /// The service has received the same request before, and does not repeat its response.
        case duplicate
    }
}

/// The response to a change, as far as its meaning depends on it.
package struct WriteResponse: Sendable {
    package let status: HTTPResponse.Status
    package let headers: HTTPFields
    package let content: Content

    /// The delay that the service requests, in `Retry-After`.
    package let delay: Duration?

    /// The secrets of the request, which messages of the response may repeat.
    let secrets: SecretMask

    package init(
        status: HTTPResponse.Status,
        headers: HTTPFields,
        content: Content,
        delay: Duration?,
        secrets: SecretMask
    ) {
        self.status = status
        self.headers = headers
        self.content = content
        self.delay = delay
        self.secrets = secrets
    }

    /// The body of a response to a change.
    package enum Content: Sendable {
        case empty
        case json(JSONDocument)
        /// Something else, such as HTML, with its media type.
        case other(type: String)

        /// Reads the body of a response.
        ///
        /// - Parameters:
        ///   - bytes: The body.
        ///   - type: Its media type; nil if the response does not specify one.
        ///   - limits: The limits of a document.
        package init(_ bytes: [UInt8], type: String?, limits: JSONLimits) {
            guard bytes.contains(where: { !Remote.whitespace.contains($0) }) else {
                self = .empty
                return
            }
            if type.map(Remote.isJSON) ?? true,
                case .success(let document) = Result(catching: {
                    try JSONDocument(bytes, limits: limits)
                })
            {
                self = .json(document)
            } else {
                self = .other(type: type ?? "text")
            }
        }
    }

    /// The document; nil if the body is empty or not JSON.
    package var document: JSONDocument? {
        if case .json(let document) = content { document } else { nil }
    }
}
