import Foundation
import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkTestSupport
import TidemarkTesting

/// Requests that change objects: what is sent, and that it is sent once.
struct WriteRequestTests {
    private let fixture = RemoteFixture()

    private func request(_ method: HTTPRequest.Method = .patch) throws -> WriteRequest {
        let url = try #require(URL(string: "\(RemoteFixture.address)things/7"))
        var request = WriteRequest(method, url: url)
        request.body = Array(#"{"title":"a"}"#.utf8)
        return request
    }

    @Test func `conditions and idempotency keys are header fields`() async throws {
        let stub = StubTransport("{}")
        var request = try request()
        request.condition = .version(#""3""#)
        request.idempotencyKey = "k1"
        var style = PushStyle.rest
        style.idempotency = PushStyle.Idempotency(field: "Idempotency-Key")
        _ = try await fixture.remote(stub).write(request, style: style)
        request.condition = .absent
        style.idempotency?.format = .plain
        _ = try await fixture.remote(stub).write(request, style: style)
        request.condition = nil
        request.body = nil
        _ = try await fixture.remote(stub).write(request, style: .rest)
        let sent = stub.requests.map { request in
            request.headerFields.filter { ![.accept, .userAgent].contains($0.name) }
                .map { "\($0.name): \($0.value)" }.sorted().joined(separator: ", ")
        }
        #expect(
            sent == [
                #"Content-Type: application/json, Idempotency-Key: "k1", If-Match: "3""#,
                "Content-Type: application/json, Idempotency-Key: k1, If-None-Match: *", "",
            ]
        )
    }

    @Test(arguments: [429, 500, 502, 503, 504])
    func `a failed request is not repeated`(_ status: Int) async throws {
        let stub = StubTransport("", status: status)
        let response = try await fixture.remote(stub).write(request(.put), style: .rest)
        #expect(response.status.code == status)
        #expect(stub.requests.count == 1)
    }

    @Test func `a connection that broke is not made again, and one never made had no effect`()
        async throws
    {
        for (code, excludesEffect) in [
            (RemoteError.Code.unreachable, true), (.tlsFailed, true), (.connectionFailed, false),
            (.timedOut, false), (.truncated, false),
        ] {
            let stub = StubTransport { _ in throw RemoteError(code, "It failed.") }
            let error = try await #require(throws: RemoteError.self) {
                try await fixture.remote(stub).write(request(.delete), style: .rest)
            }
            #expect(error.excludesEffect == excludesEffect)
            #expect(stub.requests.count == 1)
        }
    }

    @Test(arguments: [(307, 2), (308, 2), (301, 1), (302, 1), (303, 1)])
    func `only redirects that keep the method are followed`(
        _ status: Int,
        _ count: Int
    )
        async throws
    {
        let stub = StubTransport { request in
            var head = HTTPResponse(status: .ok)
            if request.path == "/v1/things/7" {
                head.status = .init(code: status)
                head.headerFields[.location] = "/v1/things/7/"
            }
            return TransportResponse(to: request, head: head)
        }
        _ = try await fixture.remote(stub).write(request(), style: .rest)
        #expect(stub.requests.count == count)
        #expect(stub.requests.allSatisfy { $0.method == .patch })
    }

    @Test func `expired credentials are renewed once`() async throws {
        let stub = StubTransport { request in
            let isNew = request.headerFields[.authorization] == "Bearer 2"
            return TransportResponse(
                to: request,
                head: HTTPResponse(status: isNew ? .noContent : .unauthorized)
            )
        }
        let renewals = Locked(0)
        let remote = Remote(
            fixture.service,
            over: stub,
            credentials: Credentials { _ in
                let number = renewals.withLock { count in
                    count += 1
                    return count
                }
                return [.authorization: "Bearer \(number)"]
            },
            environment: fixture.clock.environment
        )
        let response = try await remote.write(request(), style: .rest)
        #expect(response.status == .noContent)
        #expect(stub.requests.count == 2)
    }

    @Test func `a body that is not JSON is named by its type`() async throws {
        func content(_ text: String, type: String?) async throws -> String {
            let stub = StubTransport(text, type: type)
            switch try await fixture.remote(stub).write(request(), style: .rest).content {
            case .empty: return "empty"
            case .json: return "json"
            case .other(let type): return type
            }
        }
        #expect(try await content("", type: "text/html") == "empty")
        #expect(try await content(" \n", type: nil) == "empty")
        #expect(try await content("{}", type: "application/vnd.api+json; charset=utf-8") == "json")
        #expect(try await content("{}", type: nil) == "json")
        #expect(try await content("<html>", type: "text/html") == "text/html")
        #expect(try await content("{}", type: "text/html") == "text/html")
        #expect(try await content("<p>", type: nil) == "text")
        #expect(try await content(#"{"id": "#, type: "application/json") == "application/json")
    }
}
