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

    @Test func `the messages of a text are read, unless it is a page`() async throws {
        func outcome(_ text: String, type: String?) async throws -> [String] {
            let stub = StubTransport(text, status: 400, type: type)
            let response = try await fixture.remote(stub).write(request(), style: .rest)
            guard case .rejected(let errors) = try fixture.outcome(of: response, to: .update)
            else { return ["not rejected"] }
            return errors.messages
        }
        #expect(
            try await outcome("invalid value\nfor name", type: "text/plain") == [
                "invalid value for name"
            ]
        )
        #expect(try await outcome("invalid value", type: nil) == ["invalid value"])
        #expect(try await outcome("<html>a", type: nil) == [])
        #expect(try await outcome("a", type: "text/html") == [])
    }

    // MARK: Origins

    @Test(arguments: [
        "https://other.example.com/v1/things/7", "http://api.example.com:8080/v1/things/7",
        "https://api.example.com.evil.example/v1/things/7", "ftp://api.example.com/things",
    ])
    func `a request to another origin is not sent`(_ address: String) async throws {
        let stub = StubTransport("{}")
        var request = try request()
        request.url = try #require(URL(string: address))
        let error = try await #require(throws: RemoteError.self) {
            try await fixture.remote(stub).write(request, style: .rest)
        }
        #expect(error.code == .linkRejected)
        #expect(error.excludesEffect)
        #expect(stub.requests.isEmpty)
    }

    @Test func `a request to a further origin of the service is sent`() async throws {
        var fixture = fixture
        fixture.service.origins = [try #require(Origin("https://files.example.com"))]
        let stub = StubTransport("{}")
        var request = try request()
        request.url = try #require(URL(string: "https://files.example.com/things/7"))
        _ = try await fixture.remote(stub).write(request, style: .rest)
        #expect(stub.requests.map { $0.url?.absoluteString } == [request.url.absoluteString])
    }

    @Test(arguments: [
        ("https://api.example.com/v1/things?a=b%20c", "things?a=b%20c"),
        ("https://api.example.com/v1/", ""), ("https://api.example.com/other", "/other"),
        ("https://api.example.com:443/v1/things/a%2Fb", "things/a%2Fb"),
        ("https://api.example.com/v1/things#part", "things"),
        ("https://API.example.com/v1/things", "things"),
        ("https://api.example.com/v1things", "/v1things"),
        ("https://files.example.com/v1/things", "/v1/things"),
    ])
    func `a stored path has no origin, and leads back`(_ address: String, _ path: String) throws {
        var fixture = fixture
        fixture.service.origins = [try #require(Origin("https://files.example.com"))]
        let service = fixture.service
        let url = try #require(URL(string: address))
        #expect(fixture.remote(StubTransport("{}")).relativePath(of: url) == path)
        let found = try service.url(ofRelativePath: path, at: url)
        let usual = address.replacing(":443", with: "").replacing("API", with: "api")
        #expect(found.absoluteString == usual.replacing("#part", with: ""))
        // The service has moved.
        var moved = Service.rest(url: try #require(URL(string: "https://new.example.com/api")))
        moved.origins = service.origins
        let isOwn = Origin(url) == Origin(service.url)
        let new = try moved.url(ofRelativePath: path, at: isOwn ? moved.url : url)
        #expect(Origin(new) == (isOwn ? Origin(moved.url) : Origin(url)))
    }

    @Test(arguments: [
        "//evil.example/x", "/\\evil.example", "https://evil.example/x", "../../x", "\\x",
    ])
    func `a path that another program has stored leads to no other origin`(_ path: String) {
        let service = fixture.service
        let result = Result { try service.url(ofRelativePath: path, at: service.url) }
        switch result {
        case .success(let url): #expect(Origin(url) == Origin(service.url))
        case .failure(let error): #expect((error as? RemoteError)?.code == .linkRejected)
        }
    }
}
