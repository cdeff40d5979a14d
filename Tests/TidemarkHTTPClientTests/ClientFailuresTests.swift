import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import Testing
import TidemarkModel
import TidemarkRemote

@testable import TidemarkHTTPClient

struct ClientFailuresTests {
    /// The idle timeout, and the connection timeout that follows from it.
    @Test(arguments: [(Duration.seconds(3_600), "10 s"), (.milliseconds(200), "0.2 s")])
    func `a connection that times out is reported with its own limit`(
        _ idleTimeout: Duration,
        _ shown: String
    ) throws {
        var limits = Limits()
        limits.http.idleTimeout = idleTimeout
        let request = HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/a")
        let failures = ClientFailures(request: request, limits: limits)
        let errors = [HTTPClientError.connectTimeout, .tlsHandshakeTimeout]
        for error in errors {
            let failure = try #require(
                failures.failure(error, isInBody: false) as? RemoteError
            )
            #expect(failure.code == .unreachable)
            #expect("\(failure)".contains("no connection was made within \(shown)."), "\(failure)")
        }
        let busy = try #require(
            failures.failure(HTTPClientError.getConnectionFromPoolTimeout, isInBody: false)
                as? RemoteError
        )
        #expect(busy.code == .unreachable)
        #expect("\(busy)".contains("no connection was free within \(shown)."), "\(busy)")
    }

    /// The service has certainly not received the request, or it may have.
    @Test(arguments: [
        (IOError(errnoCode: ECONNREFUSED, reason: "connect") as any Error, true),
        (IOError(errnoCode: EHOSTUNREACH, reason: "write"), false),
        (IOError(errnoCode: ECONNRESET, reason: "read"), false),
        (HTTPClientError.remoteConnectionClosed, false),
    ])
    func `a service is unreachable only if no connection was made`(
        _ error: any Error,
        _ isUnreachable: Bool
    ) throws {
        let request = HTTPRequest(
            method: .post,
            scheme: "https",
            authority: "a.example",
            path: "/a"
        )
        let failures = ClientFailures(request: request, limits: Limits())
        let failure = failures.failure(error, isInBody: false) as? RemoteError
        #expect(failure?.code == (isUnreachable ? .unreachable : .connectionFailed))
        #expect(failure?.isTransient == true)
    }
}
