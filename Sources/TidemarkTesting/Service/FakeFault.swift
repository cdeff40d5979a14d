/// A way in which a fake service misbehaves, ordered with ``FakeService/misbehave(_:times:at:)``.
public enum FakeFault: Hashable, Sendable {
    /// How a service says how long to wait.
    public enum Wait: Hashable, Sendable {
        /// As a number of seconds.
        case seconds(Int)
        /// As an HTTP date, so much later than the service's own clock says now.
        case date(in: Duration)
    }

    /// It answers with this status, and with `Retry-After` where a wait is told.
    case status(Int, retryAfter: Wait? = nil)
    /// It answers 200 with a web page.
    case html
    /// It answers 200 with these words as a body of this media type.
    case body(String, type: String)
    /// It redirects to another address.
    case redirect(to: String)

    /// It answers as it should, with one header field more, or another value of one.
    ///
    /// Fields add to other faults, as latency does.
    case field(String, String)
    /// It answers as it should, and calls the body something else.
    case type(String)
    /// It names a page as its own next one.
    case loopingNext
    /// It gives the body twice, one after the other.
    case duplicatedBody
    /// It gives only so many bytes of the body, as if they were all.
    case short(after: Int)

    /// It closes the connection after so many bytes of the body.
    case cut(after: Int)
    /// It resets the connection after so many bytes of the body.
    case reset(after: Int)
    /// It gives so many bytes of the body at a time, and waits before each, by its environment.
    case trickle(Int, every: Duration)
    /// It gives so many bytes of the body, and then nothing more.
    case stall(after: Int)
    /// It closes the connection instead of answering.
    case hangUp
    /// It never answers: the request times out.
    case noResponse
    /// It takes its time, by its environment, and then answers as it should.
    case latency(Duration)

    /// It answers as it should, and advises to stay away for a while: `Backoff`.
    public static func backoff(seconds: Int) -> FakeFault { .field("Backoff", "\(seconds)") }

    /// Whether it adds to others instead of taking their place.
    var isAddition: Bool {
        switch self {
        case .latency, .field: true
        case .status, .html, .body, .redirect, .type, .loopingNext, .duplicatedBody, .short, .cut,
            .reset,
            .trickle, .stall, .hangUp, .noResponse:
            false
        }
    }
}
