import Foundation
import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote

@testable import TidemarkURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct URLSessionExchangeTests {
    @Test(.timeLimit(.minutes(1)))
    func `an exchange that is cancelled before its response is awaited throws`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let exchange = URLSessionExchange(
            try #require(HTTPRequest(to: url)),
            task: URLSession(configuration: .ephemeral).dataTask(with: url),
            limits: Limits()
        )
        exchange.finished(URLError(.cancelled))
        await #expect(throws: CancellationError.self) { try await exchange.response() }
    }
}
