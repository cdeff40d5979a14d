import Foundation
public import HTTPTypes
import HTTPTypesFoundation
public import TidemarkModel
public import TidemarkRemote

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport over `URLSession`, without cookies, cache or stored credentials.
///
/// It is the default on Apple platforms, and works on all. A body that is received faster than it
/// is read is buffered in memory: for bodies of hundreds of megabytes use
/// `AsyncHTTPClientTransport`, which has back-pressure. Certificates are verified by the system. On
/// Apple platforms TLS 1.2 is the minimum version; on Linux libcurl and OpenSSL decide, and each
/// request that changes an object has a connection of its own, because libcurl would send it a
/// second time over another one.
///
/// ```swift
/// let engine = try await SyncEngine.prepare(
///     store: store,
///     service: service,
///     resources: [resource],
///     transport: URLSessionTransport()
/// )
/// print(try await engine.pull())
/// ```
///
/// The session is ephemeral, so nothing is stored outside of the store: conditional requests
/// (`If-None-Match` with the `ETag`, RFC 9110, 13) use the validators that the store has. Redirects
/// are not followed here but by the engine, and only within the service. Credentials are those of
/// the request: a challenge for a password is answered by rejecting it, so a 401 response is
/// returned as such. Requests are sent concurrently; a transport can be shared by several engines
/// and tasks. It does not run in the background after the app is suspended.
public final class URLSessionTransport: Transport {
    private let connections: Connections

    /// The connections of requests that change objects.
    private let singleConnections: Connections
    private let limits: Limits

    /// A session with its delegate, which knows the tasks of this session alone.
    private struct Connections: Sendable {
        let session: URLSession
        let exchanges = URLSessionExchanges()

        init(_ configuration: URLSessionConfiguration) {
            let queue = OperationQueue()
            // The chunks of a body must be delivered in order.
            queue.maxConcurrentOperationCount = 1
            session = URLSession(
                configuration: configuration,
                delegate: exchanges,
                delegateQueue: queue
            )
        }
    }

    /// Creates a transport with its own session, which is invalidated when the transport is
    /// deallocated.
    ///
    /// Requests that are running then are completed. Pass the limits that the engine has, so that
    /// timeouts and connections agree:
    ///
    /// ```swift
    /// var limits = Limits()
    /// limits.concurrency = 8
    /// limits.http.idleTimeout = .seconds(60)
    /// let transport = URLSessionTransport(limits: limits)
    /// ```
    ///
    /// - Parameter limits: The timeouts (`Limits.http.idleTimeout`, 30 seconds by default, and
    ///   `Limits.http.responseTime`, one hour by default), and the number of connections per host
    ///   (`Limits.concurrency`, 4 by default).
    public init(limits: Limits = Limits()) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        // Platforms interpret these differently, so each exchange has its own `IdleTimeout`.
        configuration.timeoutIntervalForRequest = limits.http.responseTime / .seconds(1)
        configuration.timeoutIntervalForResource = limits.http.responseTime / .seconds(1)
        configuration.httpMaximumConnectionsPerHost = max(1, limits.concurrency)
        #if !canImport(FoundationNetworking)
        // RFC 8996 forbids 1.0 and 1.1. On other platforms the system's policy decides.
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
        #endif
        connections = Connections(configuration)
        #if canImport(FoundationNetworking)
        // If a connection that was used before is closed without a response, libcurl sends the
        // request again over another one, and Foundation without its body: the service may have
        // processed the first one. libcurl does not do that on a new connection.
        configuration.httpAdditionalHeaders = ["Connection": "close"]
        singleConnections = Connections(configuration)
        #else
        singleConnections = connections
        #endif
        self.limits = limits
    }

    deinit {
        connections.session.finishTasksAndInvalidate()
        singleConnections.session.finishTasksAndInvalidate()
    }

    /// Sends a request, and returns the response when its head is received, whatever its status.
    ///
    /// The sync engine calls it. Call it yourself for a request that has no other function, or in a
    /// `Transport` of your own that wraps this one. It does not retry. The body is received as a
    /// stream of chunks; ending its iteration early, or cancelling the task while it waits for the
    /// head, cancels the request.
    ///
    /// ```swift
    /// let request = HTTPRequest(
    ///     method: .get, scheme: "https", authority: "api.example.com", path: "/films/")
    /// let response = try await transport.send(request, body: nil)
    /// print(response.head.status.code)   // 200
    /// ```
    ///
    /// The request times out if no data is received for `Limits.http.idleTimeout`, or if the
    /// response is not complete within `Limits.http.responseTime`. Errors while the body is read
    /// are thrown by its iteration: a connection that breaks is `truncated`.
    ///
    /// - Parameters:
    ///   - request: The request, with an absolute URL.
    ///   - body: The body of the request; nil for none. It is held in memory.
    /// - Returns: The response, with the body still to be received.
    /// - Throws: `RemoteError`: `invalidRequest` for an invalid URL, `unreachable` if the host is
    ///   unknown or the connection refused, `connectionFailed` if the connection broke, `tlsFailed`
    ///   if the TLS certificate is rejected, `timedOut`; `CancellationError` if the task is
    ///   cancelled.
    public func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        guard var sessionRequest = URLRequest(httpRequest: request) else {
            throw RemoteError.invalid(request)
        }
        sessionRequest.httpBody = body.map { Data($0) }
        try Task.checkCancellation()
        let isRead = request.method == .get || request.method == .head
        let connections = isRead ? connections : singleConnections
        let task = connections.session.dataTask(with: sessionRequest)
        let exchange = URLSessionExchange(request, task: task, limits: limits)
        connections.exchanges.add(exchange)
        return try await withTaskCancellationHandler {
            try await exchange.response()
        } onCancel: {
            exchange.cancel()
        }
    }
}
