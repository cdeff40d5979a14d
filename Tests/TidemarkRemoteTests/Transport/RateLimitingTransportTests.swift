import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkTesting

/// Services that request a pause with `Backoff` or `Retry-After`.
struct RateLimitingTransportTests {
    private let clock = ManualClock()
    private let reported = Locked<[String]>([])

    private func pacing(_ field: String, _ value: String) -> RateLimitingTransport<StubTransport> {
        var fields = HTTPFields()
        if let name = HTTPField.Name(field) { fields[name] = value }
        let reported = reported
        return RateLimitingTransport(
            StubTransport("[]", fields: fields),
            policy: WaitPolicy(environment: clock.environment) { length, reason in
                reported.withLock { $0.append("\(length): \(reason)") }
            }
        )
    }

    private let request = HTTPRequest(
        method: .get,
        scheme: "https",
        authority: "a.example",
        path: "/things?token=t0psecret"
    )

    @Test(arguments: [
        ("Backoff", "30"), ("Retry-After", "30"), ("Backoff", " 30 "),
        ("Retry-After", "Fri, 14 Jul 2017 02:40:30 GMT"),
    ])
    func `a request waits for the pause of the last response, and reports it`(
        _ field: String,
        _ value: String
    ) async throws {
        let pacing = pacing(field, value)
        _ = try await pacing.send(request, body: nil)
        #expect(clock.sleeps.isEmpty)
        _ = try await pacing.send(request, body: nil)
        #expect(clock.sleeps == [.seconds(30)])
        #expect(
            reported.withLock { $0 } == [
                """
                30.0 seconds: GET https://a.example/things?token=*** has to wait: the service \
                requested a pause of 30 s. Try again then.
                """
            ]
        )
    }

    @Test func `a clock that is set back does not lengthen a wait`() async throws {
        let pacing = pacing("Backoff", "30")
        _ = try await pacing.send(request, body: nil)
        clock.advance(by: .seconds(-7_200))
        _ = try await pacing.send(request, body: nil)
        #expect(clock.sleeps == [.seconds(30)])
    }

    @Test(arguments: ["", "soon", "-5", "0", "Fri, 14 Jul 2017 02:39:30 GMT"])
    func `an invalid, zero or past pause causes no wait`(_ value: String) async throws {
        let pacing = pacing("Retry-After", value)
        for _ in 0..<3 { _ = try await pacing.send(request, body: nil) }
        #expect(clock.sleeps.isEmpty)
    }

    @Test(arguments: ["3600", "99999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
    func `requests fail during a pause that exceeds the limit`(_ value: String) async throws {
        let pacing = pacing("Retry-After", value)
        _ = try await pacing.send(request, body: nil)
        for _ in 0..<3 {
            let error = await #expect(throws: RemoteError.self) {
                try await pacing.send(request, body: nil)
            }
            #expect(error?.code == .rateLimited)
            #expect(error?.retryAfter ?? .zero >= .seconds(3_600))
        }
        #expect(clock.sleeps.isEmpty)
        clock.advance(by: .seconds(3_600))
        guard value == "3600" else { return }
        _ = try await pacing.send(request, body: nil)
        #expect(reported.withLock { $0 } == [])
    }
}
