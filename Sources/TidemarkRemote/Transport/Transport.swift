public import HTTPTypes

/// An HTTP client that sends one request and returns its response.
///
/// A transport only sends and receives: it does not follow redirects, retry requests or interpret
/// the status, which the sync engine does for every transport. It decodes content encodings such as
/// gzip, so that sizes are those of the decoded bytes. A type that wraps a transport, for example
/// to log requests, is a transport too.
public protocol Transport: Sendable {
    /// Sends a request, and returns the response as soon as its head was received.
    ///
    /// The body of the response is a stream. The connection is released when the body has been read
    /// to its end or is deallocated.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: The body of the request; nil for none.
    /// - Returns: The response, with any status.
    /// - Throws: ``RemoteError`` if no response was received, `CancellationError` if the task is
    ///   cancelled.
    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse
}
