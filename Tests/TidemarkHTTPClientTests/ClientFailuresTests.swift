import AsyncHTTPClient
import HTTPTypes
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
            #expect(failure.code == .timedOut)
            #expect("\(failure)".contains("no connection was made within \(shown)."), "\(failure)")
        }
        let busy = try #require(
            failures.failure(HTTPClientError.getConnectionFromPoolTimeout, isInBody: false)
                as? RemoteError
        )
        #expect(busy.code == .timedOut)
        #expect("\(busy)".contains("no connection was free within \(shown)."), "\(busy)")
    }
}
