public import HTTPTypes

/// What carries one request to a service and brings the answer back.
///
/// A transport sends and receives, nothing more: it follows no redirects, tries nothing twice and
/// reads no meaning into a status. Content encodings (gzip) are undone, so sizes are those of the
/// decoded bytes. What wraps another transport, such as ``RetryingTransport`` and
/// ``RedirectingTransport``, is a transport too.
public protocol Transport: Sendable {
    /// Sends a request, and returns the answer as soon as its head has come.
    ///
    /// The body of the answer streams: it is read by whoever holds the response, and the connection
    /// is given back when it was read to its end or let go.
    ///
    /// - Throws: ``RemoteError`` where no answer came, `CancellationError` when the task is
    ///   cancelled.
    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse
}
