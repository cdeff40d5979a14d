public import AsyncHTTPClient
import Foundation
public import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOSSL
public import TidemarkModel
public import TidemarkRemote

/// Carries requests by AsyncHTTPClient: for servers and command lines.
///
/// Bodies stream with back-pressure, in memory only as far as they are read.
public struct AsyncHTTPClientTransport: Transport {
    private let client: HTTPClient
    private let limits: Limits

    /// Creates a transport over a client that whoever made it shuts down.
    ///
    /// The client must be made with ``configuration(for:)``, or one like it: one that follows
    /// redirects by itself is found out and refused.
    public init(_ client: HTTPClient, limits: Limits = Limits()) {
        self.client = client
        self.limits = limits
    }

    /// Runs something with a transport of its own, which is shut down when that ends.
    ///
    /// ```swift
    /// try await AsyncHTTPClientTransport.run { transport in
    ///     let remote = Remote(service, over: transport, environment: environment)
    ///     …
    /// }
    /// ```
    public static func run<Result: Sendable>(
        limits: Limits = Limits(),
        _ body: (AsyncHTTPClientTransport) async throws -> Result
    ) async throws -> Result {
        // On one thread, requests and connections need not go from one to another.
        try await HTTPClient.withHTTPClient(
            eventLoopGroup: HTTPClient.defaultEventLoopGroup.any(),
            configuration: configuration(for: limits)
        ) { client in
            try await body(AsyncHTTPClientTransport(client, limits: limits))
        }
    }

    /// The configuration that a client needs: no redirects, limited decompression, timeouts, at
    /// least `Limits.concurrency` connections to a host, and TLS 1.2 or newer.
    public static func configuration(for limits: Limits = Limits()) -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        // RFC 8996 forbids 1.0 and 1.1, which NIO offers by default.
        tls.minimumTLSVersion = .tlsv12
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls,
            redirectConfiguration: .disallow,
            decompression: .enabled(limit: .size(limits.bodyBytes))
        )
        // Trying again is left to whoever knows how often, and tells about it.
        configuration.connectionPool.retryConnectionEstablishment = false
        // AsyncHTTPClient fails a request that has waited for a free connection as long as a new
        // connection may take.
        let connections = configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            max(connections, limits.concurrency)
        configuration.timeout = .init(
            connect: TimeAmount(connectTimeout(limits)),
            read: TimeAmount(limits.idleTimeout)
        )
        return configuration
    }

    /// How long a connection may take to be made.
    static func connectTimeout(_ limits: Limits) -> Duration {
        min(limits.idleTimeout, .seconds(10))
    }

    /// Sends a request.
    ///
    /// `Limits.idleTimeout` bounds how long nothing may come, and how long a body may wait for its
    /// reader; `Limits.answerTime` bounds the whole.
    public func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        let failures = ClientFailures(request: request, limits: limits)
        guard let target = request.target else { throw failures.invalid }
        var asked = HTTPClientRequest(url: target.absoluteString)
        asked.method = HTTPMethod(rawValue: request.method.rawValue)
        asked.headers = HTTPHeaders(request.headerFields)
        asked.body = body.map { .bytes($0) }
        let start = NIODeadline.now()
        do {
            // The client's deadline is for the head alone.
            let answer = try await client.execute(
                asked,
                deadline: start + TimeAmount(min(limits.idleTimeout, limits.answerTime))
            )
            guard answer.history.count < 2 else { throw failures.redirected }
            return TransportResponse(
                to: request,
                head: HTTPResponse(answer),
                body: ResponseBody(
                    chunks: ClientChunks(
                        body: answer.body,
                        deadline: start + TimeAmount(limits.answerTime),
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
    fileprivate init(_ answer: HTTPClientResponse) {
        var fields = HTTPFields()
        for (name, value) in answer.headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        self.init(
            status: Status(code: Int(answer.status.code), reasonPhrase: answer.status.reasonPhrase),
            headerFields: fields
        )
    }
}
