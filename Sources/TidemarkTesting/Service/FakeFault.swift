/// A way in which a fake service misbehaves, ordered with ``FakeService/misbehave(_:times:at:)``.
public enum FakeFault: Hashable, Sendable {
    /// It answers with this status, and with `Retry-After` where a wait is told.
    case status(Int, retryAfter: Duration? = nil)
    /// It answers 200 with a web page.
    case html
    /// It answers 200 with these words as a body of this media type.
    case body(String, type: String)
    /// It breaks the connection after so many bytes of the body.
    case cut(after: Int)
    /// It takes its time, by its environment, and then answers as it should.
    case latency(Duration)
    /// It names a page as its own next one.
    case loopingNext
    /// It redirects to another address.
    case redirect(to: String)
    /// It closes the connection instead of answering.
    case hangUp
    /// It never answers: the request times out.
    case silence
}
