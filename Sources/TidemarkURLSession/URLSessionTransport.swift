import Foundation
public import HTTPTypes
public import TidemarkModel
public import TidemarkRemote

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Carries requests by `URLSession`: no cookies, no cache, no stored credentials.
///
/// The default on Apple platforms, and good enough everywhere. A body that comes faster than it is
/// read waits in memory; for bodies of hundreds of megabytes the transport of `TidemarkHTTPClient`
/// is the better one. Certificates are verified by the system. On Apple platforms TLS 1.2 is the
/// oldest version that is spoken; on Linux that is left to the system's libcurl and OpenSSL.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let exchanges: URLSessionExchanges
    private let limits: Limits

    /// Creates a transport with connections of its own, let go with it.
    public init(limits: Limits = Limits()) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        // What the platforms mean by these differs: each exchange has its own patience.
        configuration.timeoutIntervalForRequest = limits.answerTime / .seconds(1)
        configuration.timeoutIntervalForResource = limits.answerTime / .seconds(1)
        configuration.httpMaximumConnectionsPerHost = max(1, limits.concurrency)
        #if !canImport(FoundationNetworking)
        // RFC 8996 forbids 1.0 and 1.1. Elsewhere the system's own policy decides.
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
        #endif
        let exchanges = URLSessionExchanges()
        let queue = OperationQueue()
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
    /// `Limits.idleTimeout` bounds how long nothing may come, `Limits.answerTime` the whole.
    public func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        guard let url = request.target else { throw RemoteError.invalid(request) }
        try Task.checkCancellation()
        let task = session.dataTask(with: URLRequest(request, url: url, body: body))
        let exchange = URLSessionExchange(request, task: task, limits: limits)
        exchanges.add(exchange)
        return try await withTaskCancellationHandler {
            try await exchange.response()
        } onCancel: {
            exchange.cancel()
        }
    }
}

extension URLRequest {
    fileprivate init(_ request: HTTPRequest, url: URL, body: [UInt8]?) {
        self.init(url: url)
        httpMethod = request.method.rawValue
        for field in request.headerFields {
            addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
        httpBody = body.map { Data($0) }
    }
}
