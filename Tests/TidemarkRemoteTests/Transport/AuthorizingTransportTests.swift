import HTTPTypes
import Synchronization
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkTesting

/// Header fields that expire, and the requests for new ones.
struct AuthorizingTransportTests {
    private let request = HTTPRequest(
        method: .get,
        scheme: "https",
        authority: "a.example",
        path: "/things"
    )

    /// Returns a function that sends the request, and the login that its credentials wait for.
    private func opening(
        _ stub: StubTransport = StubTransport("[]")
    ) -> (login: Login, send: @Sendable () async throws -> TransportResponse) {
        let login = Login()
        let transport = AuthorizingTransport(
            stub,
            with: Credentials(fields: { _ in try await login.fields() })
        )
        return (login, { [request] in try await transport.send(request, body: nil) })
    }

    /// Credentials that are not supplied before a test opens them.
    private final class Login: Sendable {
        private let state = Mutex<(requestCount: Int, cancelled: Int)>((0, 0))
        private let release = AsyncStream.makeStream(of: Void.self)

        var requestCount: Int { state.withLock { $0.requestCount } }
        var cancelled: Int { state.withLock { $0.cancelled } }

        func open() { release.continuation.yield() }

        func fields() async throws -> HTTPFields {
            state.withLock { $0.requestCount += 1 }
            for await _ in release.stream { return [.authorization: "Bearer x"] }
            state.withLock { $0.cancelled += 1 }
            throw CancellationError()
        }
    }

    @Test func `concurrent requests share one request for credentials`() async throws {
        let stub = StubTransport("[]")
        let (login, send) = opening(stub)
        let requests = (0..<5).map { _ in Task { try await send() } }
        login.open()
        for each in requests { #expect(try await each.value.head.status == .ok) }
        #expect(login.requestCount == 1)
        let sent = stub.requests.map { $0.headerFields[.authorization] }
        #expect(sent == Array(repeating: "Bearer x", count: 5))
    }

    @Test func `a cancelled request stops waiting for credentials`() async throws {
        let (login, send) = opening()
        let pull = Task { try await send() }
        while login.requestCount == 0 { await Task.yield() }
        pull.cancel()
        await #expect(throws: CancellationError.self) { try await pull.value }
        while login.cancelled == 0 { await Task.yield() }
        #expect(login.requestCount == 1)
    }

    @Test func `a waiting request continues when another one is cancelled`() async throws {
        let (login, send) = opening()
        let cancelled = Task { try await send() }
        let other = Task { try await send() }
        while login.requestCount == 0 { await Task.yield() }
        cancelled.cancel()
        _ = await cancelled.result
        login.open()
        #expect(try await other.value.head.status == .ok)
    }
}
