#if AsyncHTTPClient
public import AsyncHTTPClient
import Foundation
public import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOSSL
public import TidemarkModel
public import TidemarkRemote

/// A transport over AsyncHTTPClient and SwiftNIO, for servers and command-line tools.
///
/// Bodies are streamed with back-pressure: they are received only as fast as they are read. TLS 1.2
/// is the minimum version (RFC 8996). In apps, `URLSessionTransport` is the usual choice: it uses
/// the network stack of the system and adds no dependency.
///
/// ```swift
/// let report = try await AsyncHTTPClientTransport.run { transport in
///     try await SyncEngine.prepare(
///         store: store, service: service, resources: [resource], transport: transport
///     ).pull()
/// }
/// print(report)
/// ```
///
/// Redirects are not followed by the client but by the engine, and only within the service. A
/// transport is a value; copies share the client.
public struct AsyncHTTPClientTransport: Transport {
    private let client: HTTPClient
    private let limits: Limits

    /// Creates a transport over a client, which the caller must shut down.
    ///
    /// Use it in a server that has a client already, or whose event loops are shared. Otherwise
    /// ``run(limits:_:)`` creates a client and shuts it down.
    ///
    /// ```swift
    /// import AsyncHTTPClient
    ///
    /// let client = HTTPClient(configuration: AsyncHTTPClientTransport.configuration())
    /// let engine = try await SyncEngine.prepare(
    ///     store: store,
    ///     service: service,
    ///     resources: [resource],
    ///     transport: AsyncHTTPClientTransport(client)
    /// )
    /// _ = try await engine.pull()
    /// try await client.shutdown()
    /// ```
    ///
    /// - Parameters:
    ///   - client: The client. Create it with ``configuration(for:)`` or an equivalent
    ///     configuration: if it follows redirects itself, requests fail with
    ///     `RemoteError.Code.redirectRejected`.
    ///   - limits: The timeouts, and the maximum size of a body; those of the configuration.
    public init(_ client: HTTPClient, limits: Limits = Limits()) {
        self.client = client
        self.limits = limits
    }

    /// Calls a closure with a transport that has its own client, which is shut down when the
    /// closure returns or throws.
    ///
    /// ```swift
    /// try await AsyncHTTPClientTransport.run { transport in
    ///     let engine = try await SyncEngine.prepare(
    ///         store: store, service: service, resources: [resource], transport: transport)
    ///     print(try await engine.pull())
    /// }
    /// ```
    ///
    /// All requests use one event loop of the process-wide group, so nothing has to be shut down
    /// but the client. The transport must not be used after the closure has returned.
    ///
    /// - Parameters:
    ///   - limits: The timeouts, the maximum size of a body and the number of connections per host;
    ///     pass the engine the same.
    ///   - body: Uses the transport.
    /// - Returns: The value that `body` returns.
    /// - Throws: Errors that `body` throws, and an error of the client if it cannot be shut down.
    public static func run<Result: Sendable>(
        limits: Limits = Limits(),
        _ body: (AsyncHTTPClientTransport) async throws -> Result
    ) async throws -> Result {
        // A single event loop, so that requests and connections do not switch threads.
        try await HTTPClient.withHTTPClient(
            eventLoopGroup: HTTPClient.defaultEventLoopGroup.any(),
            configuration: configuration(for: limits)
        ) { client in
            try await body(AsyncHTTPClientTransport(client, limits: limits))
        }
    }

    /// Returns the configuration that a client needs: no redirects, limited decompression,
    /// timeouts, at least `Limits.concurrency` connections per host, and TLS 1.2 or later.
    ///
    /// Change it for a proxy or for a certificate authority of your own, but leave redirects off. A
    /// connection must be established within 10 seconds, or within `Limits.http.idleTimeout` if
    /// that is shorter. A compressed body of more than `Limits.http.bodyBytes` after decompression
    /// is an error. The client does not retry connections: the engine retries requests, with
    /// backoff.
    ///
    /// ```swift
    /// import AsyncHTTPClient
    ///
    /// var configuration = AsyncHTTPClientTransport.configuration()
    /// configuration.proxy = .server(host: "proxy.example.com", port: 3128)
    /// let client = HTTPClient(configuration: configuration)
    /// ```
    ///
    /// - Parameter limits: The limits of the transport and the engine.
    /// - Returns: The configuration, to be adapted by the caller.
    public static func configuration(for limits: Limits = Limits()) -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        // RFC 8996 forbids 1.0 and 1.1, which NIO offers by default.
        tls.minimumTLSVersion = .tlsv12
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls,
            redirectConfiguration: .disallow,
            decompression: .enabled(limit: .size(limits.http.bodyBytes))
        )
        // `RetryingTransport` retries, with the limits and reports that the client does not have.
        configuration.connectionPool.retryConnectionEstablishment = false
        // AsyncHTTPClient fails a request that has waited for a free connection as long as a new
        // connection may take.
        let connections = configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            max(connections, limits.concurrency)
        configuration.timeout = .init(
            connect: TimeAmount(connectTimeout(limits)),
            read: TimeAmount(limits.http.idleTimeout)
        )
        return configuration
    }

    /// Returns the time within which a connection must be established.
    static func connectTimeout(_ limits: Limits) -> Duration {
        min(limits.http.idleTimeout, .seconds(10))
    }

    /// Sends a request, and returns the response when its head is received, whatever its status.
    ///
    /// The sync engine calls it; a `Transport` of your own may wrap it. It does not retry.
    /// `Accept-Encoding: gzip, deflate` is added unless the request has that field, and the body is
    /// decompressed.
    ///
    /// The request times out if no data is received, or the body is not read, for
    /// `Limits.http.idleTimeout`, or if the response is not complete within
    /// `Limits.http.responseTime`. Errors while the body is read are thrown by its iteration.
    ///
    /// - Parameters:
    ///   - request: The request, with an absolute URL.
    ///   - body: The body of the request; nil for none. It is held in memory.
    /// - Returns: The response, with the body still to be received.
    /// - Throws: `RemoteError`: `invalidRequest` for an invalid URL, `unreachable` if the host is
    ///   unknown or the connection refused, `connectionFailed` if the connection broke, `tlsFailed`
    ///   if the TLS certificate is rejected, `redirectRejected` if the client followed a redirect,
    ///   `timedOut`; `CancellationError` if the task is cancelled.
    public func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        let failures = ClientFailures(request: request, limits: limits)
        guard let url = request.url else { throw failures.invalid }
        var clientRequest = HTTPClientRequest(url: url.absoluteString)
        clientRequest.method = HTTPMethod(rawValue: request.method.rawValue)
        clientRequest.headers = HTTPHeaders(request.headerFields)
        clientRequest.body = body.map { .bytes($0) }
        let start = NIODeadline.now()
        do {
            // The client's deadline covers the head only.
            let response = try await client.execute(
                clientRequest,
                deadline: start + TimeAmount(min(limits.http.idleTimeout, limits.http.responseTime))
            )
            guard response.history.count < 2 else { throw failures.redirected }
            return TransportResponse(
                to: request,
                head: HTTPResponse(response),
                body: ResponseBody(
                    chunks: ClientChunks(
                        body: response.body,
                        deadline: start + TimeAmount(limits.http.responseTime),
                        failures: failures
                    )
                )
            )
        } catch {
            throw failures.failure(error, isInBody: false)
        }
    }
}

extension HTTPHeaders {
    fileprivate init(_ fields: HTTPFields) {
        self.init()
        for field in fields { add(name: field.name.rawName, value: field.value) }
        if fields[.acceptEncoding] == nil { add(name: "Accept-Encoding", value: "gzip, deflate") }
    }
}

extension HTTPResponse {
    fileprivate init(_ response: HTTPClientResponse) {
        var fields = HTTPFields()
        for (name, value) in response.headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        self.init(
            status: Status(
                code: Int(response.status.code),
                reasonPhrase: response.status.reasonPhrase
            ),
            headerFields: fields
        )
    }
}
#endif
