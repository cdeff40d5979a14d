package import HTTPTypes
package import TidemarkJSON

/// What a response to a change means.
package enum WriteOutcome: Sendable {
    /// The service has accepted the change.
    ///
    /// The response may contain the object, its version (`ETag`), and where it is (`Location`).
    case applied(Applied)

    /// The status is that of a success, but the response reports an error, or can contain no
    /// object: what the service has now decides.
    case contradictory(Contradiction)

    /// The service processes the change later (202), and requests no further attempt until the
    /// delay is over; nil if it specifies none.
    case accepted(Duration?)

    /// The object does not exist, or is not shown to this account.
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

    /// A successful response to a change.
    package struct Applied: Sendable {
        /// The document; nil if the response has none, or if nothing in it is believed.
        package let document: JSONDocument?

        /// How far the response confirms the values that were sent.
        package let confirms: Confirmation

        /// Messages of the service about errors, next to the object.
        package let errors: FieldErrors

        /// The entity tag of the object.
        package let entityTag: String?

        /// The URLs that the response gives for the object.
        package let locations: [String]

        /// The secrets that the document may repeat.
        let secrets: SecretMask

        /// What the document says if it is not the object, as services that respond to a failure
        /// with the status of a success do.
        package var remarks: FieldErrors {
            guard confirms == .nothing, let document else { return FieldErrors() }
            return FieldErrors(document, hiding: secrets)
        }
    }

    /// How far a response confirms the values that were sent.
    package enum Confirmation: Hashable, Sendable {
        /// The values that its object has.
        case shownValues
        /// No values: the document contains a key at most.
        case nothing
        /// All values, whatever it contains (`response: any`).
        case everything
    }

    /// Why a response with the status of a success does not confirm a change.
    package enum Contradiction: Hashable, Sendable {
        /// It reports an error.
        case error(FieldErrors)
        /// It contains something else than an object, as a noun phrase.
        case noObject(String)
        /// Its status is that of a part of a document, or of several objects (RFC 9110, 15.3.7;
        /// RFC 4918, 11.1; RFC 5842, 7.1).
        case partial(status: Int)
    }

    /// Why a service does not accept a kind of change.
    package enum Denial: Hashable, Sendable {
        /// The credentials are missing or have expired (401).
        case credentials(FieldErrors)
        /// There is nothing at the path that accepts the request (404, 405, 501).
        case unsupported(FieldErrors)
        /// The service redirects to another URL, which contains no secrets here.
        case redirect(to: String?)
        /// A page for people, such as that of a sign-in or of a captive portal.
        case page(type: String)
    }

    /// Why it is unknown whether a change was applied.
    package enum Doubt: Hashable, Sendable {
        /// The connection broke, or the response did not arrive in time.
        case noResponse
        /// The service failed while it processed the change, with its messages.
        case failure(status: Int, FieldErrors)
        /// The response is not one that the service's own software would send.
        case foreign
        /// The service has received the same request before, and does not repeat its response.
        case duplicate
    }
}

/// The response to a change, as far as its meaning depends on it.
package struct WriteResponse: Sendable {
    package let status: HTTPResponse.Status

    /// The header fields, without secrets in those that are stored.
    package let headers: HTTPFields

    package let content: Content

    /// The delay that the service requests, in `Retry-After`.
    package let delay: Duration?

    /// The secrets of the request, which messages of the response may repeat.
    let secrets: SecretMask

    /// The URL in `Location`, for messages; nil without one.
    let shownLocation: String?

    /// The beginning of a body that is plain text, in one line and without secrets; nil for any
    /// other.
    package var text: String?

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - headers: The header fields. A service may repeat in them what it has received.
    ///   - content: The body.
    ///   - delay: The delay that the service requests.
    ///   - secrets: The secrets of the request.
    package init(
        status: HTTPResponse.Status,
        headers: HTTPFields,
        content: Content,
        delay: Duration?,
        secrets: SecretMask
    ) {
        self.status = status
        self.content = content
        self.delay = delay
        self.secrets = secrets
        shownLocation = headers[.location].map { ServiceMessage.oneLine(secrets.hiding(in: $0)) }
        var headers = headers
        // An entity tag is stored, and a location is stored as a key.
        if let tag = headers[.eTag], secrets.occurs(in: tag) { headers[.eTag] = nil }
        for name in [HTTPField.Name.location, .contentLocation] {
            headers[name] = headers[name].flatMap(secrets.sealedReference)
        }
        self.headers = headers
    }

    /// The body of a response to a change.
    package enum Content: Sendable {
        case empty
        case json(JSONDocument)
        /// Something else, such as HTML, with its media type, which contains no secrets.
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
