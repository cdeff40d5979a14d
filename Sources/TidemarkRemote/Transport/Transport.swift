public import HTTPTypes

/// An HTTP client that sends one request and returns its response.
///
/// Apps use `URLSessionTransport`, servers `AsyncHTTPClientTransport`, tests the fake service of
/// `TidemarkTesting`. Implement the protocol to use another client, or to wrap one of these.
///
/// A transport only sends and receives: it does not follow redirects, retry requests, cache or
/// interpret the status, which the sync engine does for every transport. It is called concurrently.
/// It decodes content encodings such as gzip, so that sizes are those of the decoded bytes. A type
/// that wraps a transport, for example to log requests, is a transport too:
///
/// ```swift
/// struct LoggingTransport<Base: Transport>: Transport {
///     let base: Base
///
///     func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
///         let response = try await base.send(request, body: body)
///         // Not the path: its query may contain a secret.
///         logger.debug("\(request.method) returned \(response.head.status.code).")
///         return response
///     }
/// }
/// ```
public protocol Transport: Sendable {
    /// Sends a request, and returns the response as soon as its head was received.
    ///
    /// The body of the response is a stream. The connection is released when the body has been read
    /// to its end or is deallocated.
    ///
    /// - Parameters:
    ///   - request: The request. Its header fields contain the credentials, and its URL the
    ///     parameters of ``Service/query``.
    ///   - body: The body of the request; nil for none.
    /// - Returns: The response, with any status.
    /// - Throws: ``RemoteError`` if no response was received, `CancellationError` if the task is
    ///   cancelled. An error of another type is not retried, and stops the whole pull.
    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse
}
