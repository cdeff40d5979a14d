/// A failure of a fake service, injected with ``FakeService/inject(_:times:at:)``.
///
/// Each case is something that services and networks do. Test with them that a pull reports the
/// failure, keeps the rows that it has, retries where that helps, and resumes where it stopped.
///
/// ```swift
/// fake.inject(.status(503, retryAfter: .seconds(2)), times: 1)
/// fake.inject(.truncatedBody(after: 100), times: 1, at: "films/?page=2")
/// let report = try await engine.pull()
/// print(report.isComplete)  // true: both requests were sent again
/// ```
public enum FakeFault: Hashable, Sendable {
    /// The form of `Retry-After` (RFC 9110, section 10.2.3).
    ///
    /// ```swift
    /// fake.inject(.status(429, retryAfter: .date(in: .seconds(90))), times: 1)
    /// ```
    public enum Wait: Hashable, Sendable {
        /// A number of seconds, such as `Retry-After: 7`.
        case seconds(Int)
        /// An HTTP date, at this interval after the current time of the service's clock.
        ///
        /// The clock includes ``FakeService/clockSkew``, so that a client that compares the date
        /// with its own clock waits too long, or not at all.
        case date(in: Duration)
    }

    /// Responds with this status, and with `Retry-After` if a wait is given.
    ///
    /// A response with status 401 contains `WWW-Authenticate: Basic realm="api"`. The body is a
    /// JSON object with the member `detail`.
    ///
    /// ```swift
    /// fake.inject(.status(429, retryAfter: .seconds(7)), times: 1)  // rate limited
    /// fake.inject(.status(410), at: "films/?since=")                // the cursor expired
    /// ```
    case status(Int, retryAfter: Wait? = nil)
    /// Responds with status 200 and an HTML page, as a captive portal does.
    ///
    /// A client must not take it for an empty list, and delete all rows.
    case html
    /// Responds with status 200 and this body of this media type.
    ///
    /// ```swift
    /// fake.inject(.body("[]", type: "application/json"), times: 1)  // a list without objects
    /// ```
    case body(String, type: String)
    /// Redirects to another URL, with status 302.
    ///
    /// ```swift
    /// fake.inject(.redirect(to: "https://elsewhere.example/films/"), times: 1)
    /// ```
    case redirect(to: String)

    /// Responds normally, with a header field added or replaced.
    ///
    /// Combines with other faults, as ``latency(_:)`` does.
    ///
    /// ```swift
    /// fake.inject(.header("ETag", "\"stale\""))  // the same entity tag for all contents
    /// ```
    case header(String, String)
    /// Responds normally, with a different `Content-Type`.
    ///
    /// ```swift
    /// fake.inject(.contentType("text/plain"))  // JSON from a static file server
    /// ```
    case contentType(String)
    /// Responds with a page that links to itself as the next page.
    ///
    /// A client that follows it without a check never ends.
    case cyclicNextLink
    /// Sends the body twice in one response, with a matching `Content-Length`.
    ///
    /// The result is not valid JSON, though each half is.
    case duplicatedBody
    /// Sends only this number of bytes of the body, with a matching `Content-Length`.
    ///
    /// HTTP cannot detect it: the body is truncated JSON. Compare ``truncatedBody(after:)``.
    case shortBody(after: Int)

    /// Closes the connection after this number of bytes of the body.
    ///
    /// `Content-Length` is that of the whole body, so that the client notices: reading the body
    /// throws.
    ///
    /// ```swift
    /// fake.inject(.truncatedBody(after: 1_000), times: 1)  // the network is lost during a page
    /// ```
    case truncatedBody(after: Int)
    /// Resets the connection after this number of bytes of the body.
    ///
    /// Without a socket, it is the same as ``truncatedBody(after:)``.
    case reset(after: Int)
    /// Sends the body in chunks of this number of bytes, and sleeps before each.
    ///
    /// It tests limits of time on slow connections. The sleeps are those of the service's
    /// environment; with a ``ManualClock`` they return at once.
    ///
    /// ```swift
    /// fake.inject(.slowBody(10, every: .seconds(1)))  // ten bytes per second
    /// ```
    case slowBody(Int, every: Duration)
    /// Sends this number of bytes of the body, and then nothing until the request times out.
    ///
    /// Without a socket, reading the body throws the error of a timeout at once.
    case stall(after: Int)
    /// Closes the connection without a response, as if the service were down.
    ///
    /// ```swift
    /// fake.inject(.connectionClosed)
    /// let report = try? await engine.pull()  // fails; the rows of the store are kept
    /// ```
    case connectionClosed
    /// Never responds, so that the request times out.
    ///
    /// Without a socket, the error of a timeout is thrown at once.
    case noResponse
    /// Sleeps, and then responds normally.
    ///
    /// Combines with other faults. With a ``ManualClock`` the time advances, and the test does not
    /// wait.
    case latency(Duration)

    /// Processes the request, and closes the connection without a response.
    ///
    /// A client cannot know whether its change was applied: it was. Compare ``connectionClosed``,
    /// which processes nothing.
    ///
    /// ```swift
    /// fake.inject(.lostResponse, times: 1)  // the network is lost after a POST
    /// ```
    case lostResponse
    /// Processes the request, and responds with a status as if it had failed.
    ///
    /// A service without transactions does this if it fails after it has stored the object.
    ///
    /// ```swift
    /// fake.inject(.failingAfterCommit(500), times: 1)
    /// ```
    case failingAfterCommit(Int)
    /// Processes the request twice, and responds to the second.
    ///
    /// A proxy that repeats a request does this, and so does a client that repeats a `POST`.
    ///
    /// ```swift
    /// fake.inject(.duplicateDelivery, times: 1)
    /// ```
    case duplicateDelivery
    /// Changes members of the object at the path of the request, before it is processed.
    ///
    /// Another client has changed it between a request that reads it and one that changes it.
    ///
    /// ```swift
    /// fake.inject(.concurrentUpdate(["title": "Theirs"]), times: 1, at: "films/1/")
    /// ```
    case concurrentUpdate(FakeJSON)
    /// Processes only this number of the changes in a batch, and responds with status 500.
    ///
    /// A service whose batches are not transactions does this if it fails in the middle of one. A
    /// client cannot know which changes were applied. A request without a batch is processed
    /// normally.
    ///
    /// ```swift
    /// fake.inject(.partialBatch(2), times: 1)  // two of the changes are applied
    /// ```
    case partialBatch(Int)
    /// Responds with status 401 to this request, and to later ones with the same `Authorization`.
    ///
    /// A token expires in the middle of a run: only a client that renews it can continue.
    ///
    /// ```swift
    /// fake.inject(.expiredCredentials, times: 1, at: "films/2/")
    /// ```
    case expiredCredentials

    /// Responds normally, with a `Backoff` header field that asks the client to wait.
    ///
    /// Kinto sends this field when it is under load; a client should send no request for that time.
    ///
    /// ```swift
    /// fake.inject(.backoff(seconds: 30), times: 1)
    /// ```
    ///
    /// - Parameter seconds: The time to wait.
    /// - Returns: The fault.
    public static func backoff(seconds: Int) -> FakeFault { .header("Backoff", "\(seconds)") }

    /// Whether the fault combines with others instead of replacing them.
    var isAddition: Bool {
        switch self {
        case .latency, .header: true
        case .status, .html, .body, .redirect, .contentType, .cyclicNextLink, .duplicatedBody,
            .shortBody,
            .truncatedBody, .reset, .slowBody, .stall, .connectionClosed, .noResponse,
            .lostResponse, .failingAfterCommit, .duplicateDelivery, .concurrentUpdate,
            .partialBatch, .expiredCredentials:
            false
        }
    }

    /// Whether the fault is one of changes, which requests that only read do not have.
    ///
    /// A client that reads an object before it changes it would otherwise take the fault with the
    /// wrong request.
    var isOfChanges: Bool {
        switch self {
        case .lostResponse, .failingAfterCommit, .duplicateDelivery, .concurrentUpdate,
            .partialBatch:
            true
        case .status, .html, .body, .redirect, .header, .contentType, .cyclicNextLink,
            .duplicatedBody, .shortBody, .truncatedBody, .reset, .slowBody, .stall,
            .connectionClosed, .noResponse, .latency, .expiredCredentials:
            false
        }
    }
}
