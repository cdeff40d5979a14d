import Foundation
import Testing
import TidemarkFakeServer
import TidemarkHTTPClient
import TidemarkModel
import TidemarkRemote
import TidemarkTestSupport
import TidemarkTesting
import TidemarkURLSession

/// Services whose TLS certificate cannot be verified.
@Suite(
    .timeLimit(.minutes(40)),
    .enabled(
        if: Certificate.tool != nil,
        "There is no openssl to make a certificate with: TLS is not tested."
    )
)
struct CertificateScenarioTests {
    @Test(arguments: TestTransport.socketBased)
    func `a self-signed certificate is rejected without a retry`(
        _ transport: TestTransport
    ) async throws {
        let folder = try Folder()
        let identity = try Certificate.make(in: folder.path)
        let fake = try StarWars.service()
        let clock = ManualClock()
        try await FakeServer.run(fake, identity: identity) { url in
            #expect(url.scheme == "https")
            func failure(over transport: some Transport) async -> RemoteError? {
                await Remote(.rest(url: url), over: transport, environment: clock.environment)
                    .failure("films/")
            }
            let error =
                switch transport {
                case .inProcess, .urlSession: await failure(over: URLSessionTransport())
                case .asyncHTTPClient:
                    try await AsyncHTTPClientTransport.run { await failure(over: $0) }
                }
            #expect(error?.code == .tlsFailed)
            #expect(error?.message.contains("TLS certificate verification failed") == true)
            #expect(error?.hint?.contains("certificate") == true)
        }
        #expect(clock.sleeps.isEmpty)
        #expect(fake.requests.isEmpty)
    }
}

/// Services that support only obsolete versions of TLS.
@Suite(
    .timeLimit(.minutes(40)),
    .enabled(
        if: Certificate.tool != nil,
        "There is no openssl to make a certificate with: TLS is not tested."
    )
)
struct ObsoleteTLSScenarioTests {
    @Test func `a service with only TLS 1.0 and 1.1 receives no request`() async throws {
        let folder = try Folder()
        var identity = try Certificate.make(in: folder.path)
        identity.versions = .obsolete
        let fake = try StarWars.service()
        let clock = ManualClock()
        try await FakeServer.run(fake, identity: identity) { url in
            let error = try await AsyncHTTPClientTransport.run { transport in
                await Remote(.rest(url: url), over: transport, environment: clock.environment)
                    .failure("films/")
            }
            #expect(error?.code == .tlsFailed)
            #expect(error?.message.contains("does not support TLS 1.2 or newer") == true)
        }
        #expect(clock.sleeps.isEmpty)
        #expect(fake.requests.isEmpty)
    }
}

/// A self-signed certificate.
enum Certificate {
    /// The path of `openssl`; nil if it is not installed.
    static let tool = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Creates a certificate and its key in a folder.
    static func make(in folder: String) throws -> FakeServer.Identity {
        let identity = FakeServer.Identity(
            certificate: "\(folder)/certificate.pem",
            key: "\(folder)/key.pem"
        )
        let process = Process()
        process.executableURL = URL(filePath: try #require(tool))
        process.arguments = [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
            "-keyout", identity.key, "-out", identity.certificate,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return identity
    }
}
