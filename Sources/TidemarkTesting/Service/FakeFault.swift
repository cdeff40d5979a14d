/// A failure of a fake service, injected with ``FakeService/inject(_:times:at:)``.
public enum FakeFault: Hashable, Sendable {
    /// The form of `Retry-After`.
    public enum Wait: Hashable, Sendable {
        /// A number of seconds.
        case seconds(Int)
        /// An HTTP date, at this interval after the current time of the service's clock.
        case date(in: Duration)
    }

    /// Responds with this status, and with `Retry-After` if a wait is given.
    case status(Int, retryAfter: Wait? = nil)
    /// Responds with status 200 and an HTML page.
    case html
    /// Responds with status 200 and this body of this media type.
    case body(String, type: String)
    /// Redirects to another URL.
    case redirect(to: String)

    /// Responds normally, with a header field added or replaced.
    ///
    /// Combines with other faults, as ``latency(_:)`` does.
    case field(String, String)
    /// Responds normally, with a different `Content-Type`.
    case type(String)
    /// Responds with a page that links to itself as the next page.
    case cyclicNextLink
    /// Sends the body twice in one response.
    case duplicatedBody
    /// Sends only this number of bytes of the body, with a matching `Content-Length`.
    case shortBody(after: Int)

    /// Closes the connection after this number of bytes of the body.
    case truncatedBody(after: Int)
    /// Resets the connection after this number of bytes of the body.
    case reset(after: Int)
    /// Sends the body in chunks of this number of bytes, and sleeps before each.
    case slowBody(Int, every: Duration)
    /// Sends this number of bytes of the body, and then nothing until the request times out.
    case stall(after: Int)
    /// Closes the connection without a response.
    case connectionClosed
    /// Never responds, so that the request times out.
    case noResponse
    /// Sleeps, and then responds normally.
    case latency(Duration)

    /// Responds normally, with a `Backoff` header field that asks the client to wait.
    public static func backoff(seconds: Int) -> FakeFault { .field("Backoff", "\(seconds)") }

    /// Whether the fault combines with others instead of replacing them.
    var isAddition: Bool {
        switch self {
        case .latency, .field: true
        case .status, .html, .body, .redirect, .type, .cyclicNextLink, .duplicatedBody, .shortBody,
            .truncatedBody, .reset, .slowBody, .stall, .connectionClosed, .noResponse:
            false
        }
    }
}
