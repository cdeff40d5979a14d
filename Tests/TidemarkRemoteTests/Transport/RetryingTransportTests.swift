import Foundation
import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkTesting

struct RetryingTransportTests {
    private let clock = ManualClock(now: Date(timeIntervalSince1970: 784_111_777))

    private func send(
        _ stub: some Transport,
        _ method: HTTPRequest.Method = .get,
        limits: Limits = Limits(),
        random: Double? = nil,
        onWait: @escaping WaitPolicy.Observer = { _, _ in }
    ) async throws -> TransportResponse {
        var environment = clock.environment
        if let random { environment.random = { random } }
        let retrying = RetryingTransport(
            stub,
            policy: WaitPolicy(environment: environment, limits: limits, onWait: onWait)
        )
        let request = HTTPRequest(
            method: method,
            scheme: "https",
            authority: "api.example.com",
            path: "/"
        )
        return try await retrying.send(request, body: nil)
    }

    @Test func `delays double up to a maximum`() async throws {
        var limits = Limits()
        limits.http.attempts = 10
        _ = try await send(StubTransport("{}", status: 500), limits: limits, random: 1)
        #expect(
            clock.sleeps == [0.5, 1, 2, 4, 8, 16, 30, 30, 30].map { Duration.seconds($0) }
        )
    }

    @Test func `each delay is a random fraction of its maximum`() async throws {
        _ = try await send(StubTransport("{}", status: 500), random: 0.25)
        #expect(clock.sleeps == [0.125, 0.25, 0.5, 1].map { Duration.seconds($0) })
    }

    @Test func `the total time of all retries is limited`() async throws {
        var limits = Limits()
        limits.http.attempts = 1_000
        limits.http.retryTime = .seconds(10)
        let stub = StubTransport("{}", status: 503)
        let response = try await send(stub, limits: limits, random: 1)
        #expect(response.head.status.code == 503)
        #expect(clock.sleeps == [0.5, 1, 2, 4].map { Duration.seconds($0) })
    }

    @Test(arguments: [
        ("0", 0), ("7", 7), ("-3", 0), ("Sun, 06 Nov 1994 08:49:47 GMT", 10),
        ("Sun, 06 Nov 1994 08:49:00 GMT", 0),
    ])
    func `the delay of Retry-After is respected`(_ field: String, _ seconds: Int) async throws {
        var limits = Limits()
        limits.http.attempts = 2
        let stub = StubTransport("{}", status: 429, fields: [.retryAfter: field])
        _ = try await send(stub, limits: limits)
        #expect(clock.sleeps == [.seconds(seconds)])
    }

    @Test(arguments: ["soon", "", "1e9", "99999999999999999999", "Sunday"])
    func `an invalid Retry-After is ignored`(_ field: String) async throws {
        var limits = Limits()
        limits.http.attempts = 2
        let stub = StubTransport("{}", status: 503, fields: [.retryAfter: field])
        _ = try await send(stub, limits: limits, random: 1)
        #expect(clock.sleeps == [.milliseconds(500)])
    }

    @Test func `a delay that exceeds the total time fails without waiting`() async throws {
        let stub = StubTransport("{}", status: 503, fields: [.retryAfter: "301"])
        let response = try await send(stub)
        #expect(response.head.status.code == 503)
        #expect(stub.requests.count == 1)
        #expect(clock.sleeps.isEmpty)
    }

    @Test(arguments: [
        RemoteError.Code.tlsFailed, .invalidRequest, .tooLarge, .redirectRejected, .notJSON,
    ])
    func `a permanent failure is not retried`(_ code: RemoteError.Code) async {
        let stub = StubTransport { _ in throw RemoteError(code, "no") }
        let error = await #expect(throws: RemoteError.self) { try await send(stub) }
        #expect(error?.code == code)
        #expect(stub.requests.count == 1)
    }

    @Test(arguments: [HTTPRequest.Method.post, .patch])
    func `non-idempotent methods are not retried`(_ method: HTTPRequest.Method) async throws {
        let stub = StubTransport("{}", status: 503)
        _ = try await send(stub, method)
        #expect(stub.requests.count == 1)
    }

    @Test func `each retry is reported before its delay`() async throws {
        let reported = Locked<[String]>([])
        let stub = StubTransport { _ in throw RemoteError(.connectionFailed, "Nemo there.") }
        var limits = Limits()
        limits.http.attempts = 3
        await #expect(throws: RemoteError.self) {
            try await send(stub, limits: limits, random: 1) { wait, reason in
                reported.withLock { $0.append("\(wait) \(reason)") }
            }
        }
        #expect(reported.withLock { $0 } == ["0.5 seconds Nemo there.", "1.0 seconds Nemo there."])
    }

    @Test func `a truncated body is retried only if it was cut off in memory`() async throws {
        let fake = FakeService(
            collections: [
                "things": [["id": 1, "text": .string(String(repeating: "x", count: 999))]]
            ])
        let request = HTTPRequest(
            method: .get,
            scheme: "https",
            authority: "fake.example",
            path: "/api/things/1/"
        )
        fake.inject(.truncatedBody(after: 500), times: 1)
        var limits = Limits()
        let whole = try await RetryingTransport(
            fake,
            policy: WaitPolicy(environment: clock.environment, limits: limits)
        )
        .send(request, body: nil).collect(upTo: 2_000)
        #expect(try FakeJSON(parsing: whole)["id"] == 1)
        #expect(fake.requests.count == 2)

        fake.inject(.truncatedBody(after: 500), times: 1)
        limits.http.bodyInMemory = 100
        let response = try await RetryingTransport(
            fake,
            policy: WaitPolicy(environment: clock.environment, limits: limits)
        )
        .send(request, body: nil)
        let error = await #expect(throws: RemoteError.self) {
            try await response.collect(upTo: 2_000)
        }
        #expect(error?.code == .truncated)
        #expect(fake.requests.count == 3)
    }
}
