package import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
package import TidemarkTesting

/// Runs a fake service on a loopback socket.
package enum FakeServer {
    /// The content coding of response bodies.
    package enum Coding: Hashable, Sendable {
        /// Not compressed.
        case identity
        /// Compressed if the client accepts it. A strong entity tag then becomes weak, as it does
        /// behind real servers.
        case compressed
    }

    /// The TLS certificate of a server: files in PEM format.
    package struct Identity: Hashable, Sendable {
        /// The path of the certificate chain.
        package var certificate: String

        /// The path of its private key.
        package var key: String

        /// The TLS versions that the server supports.
        ///
        /// Defaults to current versions.
        package var versions = Versions.current

        /// A range of TLS versions.
        package enum Versions: Hashable, Sendable {
            /// TLS 1.2 and newer.
            case current
            /// Only TLS 1.0 and 1.1, which are deprecated by RFC 8996. Clients must reject the
            /// connection.
            case obsolete
        }

        /// Creates an identity from two files.
        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// Runs a closure while the service is available at a loopback address, and then stops the
    /// server.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - port: The port to listen on; 0 for any free port.
    ///   - coding: The content coding of response bodies.
    ///   - identity: The certificate for `https`; nil for `http`.
    ///   - body: The closure. It receives the URL of the service.
    /// - Returns: The result of `body`.
    /// - Throws: The errors of `body`, or an error if the server cannot listen on the port.
    package static func run<Result: Sendable>(
        _ service: FakeService,
        port: Int = 0,
        coding: Coding = .identity,
        identity: Identity? = nil,
        body: (URL) async throws -> Result
    ) async throws -> Result {
        let (ports, started) = AsyncStream<Int>.makeStream()
        let connections = try connections(coding: coding, identity: identity)
        let group = services(service, port: port, coding: coding, connections: connections) {
            started.yield($0)
        }
        // An unstructured task, because cancelling the server drops connections that were just
        // accepted, which is a precondition failure in NIO.
        let server = Task {
            defer { started.finish() }
            try await group.run()
        }
        let port = await ports.first { _ in true }
        let scheme = identity == nil ? "http" : "https"
        let url = port.flatMap { URL(string: "\(scheme)://127.0.0.1:\($0)\(service.path)") }
        let outcome = await outcome(of: body, at: url)
        await group.triggerGracefulShutdown()
        try await server.value
        return try outcome.get()
    }

    private static func outcome<Result: Sendable>(
        of body: (URL) async throws -> Result,
        at url: URL?
    ) async -> Swift.Result<Result, any Error> {
        do {
            guard let url else { throw CancellationError() }
            return .success(try await body(url))
        } catch {
            return .failure(error)
        }
    }

    private static func connections(
        coding: Coding,
        identity: Identity?
    ) throws -> HTTPServerBuilder {
        let plain = HTTPServerBuilder.http1(
            configuration: .init(additionalChannelHandlers: coding.handlers)
        )
        guard let identity else { return plain }
        let chain = try NIOSSLCertificate.fromPEMFile(identity.certificate)
        let key = try NIOSSLPrivateKey(file: identity.key, format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        switch identity.versions {
        case .current:
            configuration.minimumTLSVersion = .tlsv12
        case .obsolete:
            configuration.minimumTLSVersion = .tlsv1
            configuration.maximumTLSVersion = .tlsv11
        }
        return try .tls(plain, tlsConfiguration: configuration)
    }

    private static func services(
        _ service: FakeService,
        port: Int,
        coding: Coding,
        connections: HTTPServerBuilder,
        onStart: @escaping @Sendable (Int) -> Void
    ) -> ServiceGroup {
        var logger = Logger(label: "TidemarkFakeServer")
        logger.logLevel = .critical
        let application = Application(
            responder: FakeResponder(service: service, coding: coding),
            server: connections,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in
                if let port = channel.localAddress?.port { onStart(port) }
            },
            logger: logger
        )
        var configuration = ServiceGroupConfiguration(services: [application], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(1)
        return ServiceGroup(configuration: configuration)
    }
}
