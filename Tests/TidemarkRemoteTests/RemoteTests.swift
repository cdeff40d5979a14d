import Foundation
import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkTesting

struct RemoteTests {
    @Test(arguments: [
        ("text/html; charset=utf-8", "<html></html>", "a web page (HTML)"),
        ("text/plain", "{}", "text/plain"),
        ("application/xml", "<a/>", "application/xml"),
        ("application/json", "{\"results\": [", "invalid JSON"),
        (nil, "hello", "something that is not JSON"),
    ])
    func `non-JSON responses are rejected`(_ type: String?, _ text: String, _ message: String) async
    {
        let error = await RemoteFixture().failure("films", StubTransport(text, type: type))
        #expect(error?.code == .notJSON)
        #expect(error?.status == 200)
        #expect(error?.message.contains(message) == true)
        #expect(error?.message.hasPrefix("GET https://api.example.com/v1/films ") == true)
    }

    @Test(arguments: [
        "application/json", "Application/JSON; charset=utf-8", "text/json", "application/hal+json",
        nil,
    ])
    func `JSON is accepted with any JSON media type or without one`(_ type: String?) async throws {
        let page = try await RemoteFixture().first(
            "films",
            StubTransport(#" {"results": [1], "count": 1} "#, type: type)
        )
        #expect(page.total == 1)
        #expect(page.envelope == ["results"])
        #expect(page.next == nil)
    }

    @Test(arguments: [(200, ""), (200, " \n"), (204, "")])
    func `an empty response is rejected, not read as an empty list`(
        _ status: Int,
        _ text: String
    ) async throws {
        let error = await #expect(throws: RemoteError.self) {
            try await RemoteFixture().first(
                "films",
                StubTransport(text, status: status, type: "text/html")
            )
        }
        #expect(error?.code == .notJSON)
        #expect(error?.message.contains("nothing") == true)
    }

    @Test func `an array at the root of a document is the list`() async throws {
        let page = try await RemoteFixture().first("films", StubTransport("[1, 2]"))
        #expect(page.envelope == [])
    }

    @Test(arguments: [
        (#"{"detail": "Not found."}"#, "Not found."),
        (#"{"error": "no such thing"}"#, "no such thing"),
        (#"{"message": "gone"}"#, "gone"),
        (#"{"errors": {"title": ["is taken", "is short"]}}"#, "title: is taken; title: is short"),
        (#"{"errors": [{"detail": "bad"}]}"#, "detail: bad"),
        (#"["Full message"]"#, "Full message"),
        ("plain \u{1B}[31mwords\u{202E}\r\nof it", "plain [31mwords of it"),
        (#"{"detail": "a\u0000b"}"#, "a b"),
    ])
    func `errors contain the message of the service`(_ text: String, _ message: String) async {
        let error = await RemoteFixture().failure("films", StubTransport(text, status: 422))
        #expect(error?.code == .clientError)
        #expect(
            error?.message == "GET https://api.example.com/v1/films returned 422: “\(message)”."
        )
    }

    @Test func `a stored page of a named service is requested at its current URL`() async throws {
        var fixture = RemoteFixture()
        let page = try #require(URL(string: "http://old.example:8080/v1/things?page=2"))
        let transport = StubTransport(#"{"results": []}"#)
        func lastRequest() async throws -> HTTPRequest? {
            let resource = fixture.service.resource("Thing", path: "things")
            _ = try await fixture.remote(transport).page(
                PageRequest(resuming: resource, at: page, number: 2)
            )
            return transport.requests.last
        }
        let error = await #expect(throws: RemoteError.self) { try await lastRequest() }
        #expect(error?.code == .linkRejected)
        fixture.service.name = "http://old.example:8080"
        let request = try await lastRequest()
        #expect(request?.scheme == "https")
        #expect(request?.authority == "api.example.com")
        #expect(request?.path == "/v1/things?page=2")
    }

    @Test func `a long message of the service is truncated`() async {
        let text = String(repeating: "x", count: 1 << 20)
        let error = await RemoteFixture().failure("films", StubTransport(text, status: 400))
        #expect(error?.message.count == 254)
        #expect(error?.message.hasSuffix("x…”.") == true)
    }

    @Test(arguments: [
        (401, RemoteError.Code.unauthorized), (403, .unauthorized), (404, .notFound),
        (410, .notFound),
        (400, .clientError), (409, .clientError), (304, .redirectRejected),
    ])
    func `a status maps to a code, without retries`(_ status: Int, _ code: RemoteError.Code) async {
        let stub = StubTransport("{}", status: status)
        let error = await RemoteFixture().failure("films", stub)
        #expect(error?.code == code)
        #expect(error?.status == status)
        #expect(stub.requests.count == 1)
    }

    @Test func `errors and descriptions contain no secret`() async {
        var fixture = RemoteFixture("https://me:hunter2@api.example.com/v1/")
        fixture.service.headers[.cookie] = "sid=c00kie"
        let stub = StubTransport("{}", status: 500)
        let error = await fixture.failure("films?api_key=s3cret&page=2&token=t0ken", stub)
        #expect(
            error?.message
                == "GET https://api.example.com/v1/films?api_key=***&page=2&token=*** returned 500."
        )
        var shown = "\(fixture.service) \(String(reflecting: fixture.service))"
        dump(fixture.service, to: &shown)
        if let error {
            shown += "\(error) \(String(reflecting: error))"
            dump(error, to: &shown)
        }
        for secret in ["hunter2", "bWU6aHVudGVyMg", "c00kie", "s3cret", "t0ken"] {
            #expect(!shown.contains(secret))
        }
        #expect(stub.requests[0].headerFields[.authorization] == "Basic bWU6aHVudGVyMg==")
        #expect(stub.requests[0].authority == "api.example.com")
    }

    @Test func `header fields of the service override the defaults`() async throws {
        var fixture = RemoteFixture()
        fixture.service.headers = [.accept: "application/vnd.api+json", .authorization: "Bearer x"]
        let stub = StubTransport("[]")
        _ = try await fixture.first("films", stub)
        #expect(
            stub.requests[0].headerFields == [
                .userAgent: "Tidemark", .accept: "application/vnd.api+json",
                .authorization: "Bearer x",
            ]
        )
    }

    @Test func `a cancellation error is passed through without a retry`() async {
        let stub = StubTransport { _ in throw CancellationError() }
        await #expect(throws: CancellationError.self) {
            _ = try await RemoteFixture().first("films", stub)
        }
        #expect(stub.requests.count == 1)
    }

    @Test func `a service URL with an unsupported scheme is an error`() async {
        let error = await RemoteFixture("ftp://example.com/").failure("films", StubTransport("[]"))
        #expect(error?.code == .invalidRequest)
    }
}
