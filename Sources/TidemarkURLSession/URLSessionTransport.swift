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
/// Apple platforms TLS 1.2 is the minimum version; on Linux libcurl and OpenSSL decide.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let exchanges: URLSessionExchanges
    private let limits: Limits

    /// Creates a transport with its own session, which is invalidated when the transport is
    /// deallocated.
    ///
    /// - Parameter limits: The timeouts, and the number of connections per host
    ///   (`Limits.concurrency`).
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
        let exchanges = URLSessionExchanges()
        let queue = OperationQueue()
        // The chunks of a body must be delivered in order.
        queue.maxConcurrentOperationCount = 1
        session = URLSession(
            configuration: configuration,
            delegate: exchanges,
            delegateQueue: queue
        )
        self.exchanges = exchanges
        self.limits = limits
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Sends a request.
    ///
    /// The request times out if no data is received for `Limits.http.idleTimeout`, or if the response is
    /// not complete within `Limits.http.responseTime`.
    public func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        guard var sessionRequest = URLRequest(httpRequest: request) else {
            throw RemoteError.invalid(request)
        }
        sessionRequest.httpBody = body.map { Data($0) }
        try Task.checkCancellation()
        let task = session.dataTask(with: sessionRequest)
        let exchange = URLSessionExchange(request, task: task, limits: limits)
        exchanges.add(exchange)
        return try await withTaskCancellationHandler {
            try await exchange.response()
        } onCancel: {
            exchange.cancel()
        }
    }
}
