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
        ("application/json", "{\"results\": [", "broken JSON"),
        (nil, "hello", "something that is no JSON"),
    ])
    func `what is no JSON is refused`(_ type: String?, _ text: String, _ words: String) async {
        let error = await RemoteFixture().failure("films", StubTransport(text, type: type))
        #expect(error?.code == .notJSON)
        #expect(error?.status == 200)
        #expect(error?.message.contains(words) == true)
        #expect(error?.message.hasPrefix("GET https://api.example.com/v1/films ") == true)
    }

    @Test(arguments: [
        "application/json", "Application/JSON; charset=utf-8", "text/json", "application/hal+json",
        nil,
    ])
    func `what is JSON by any of its names is taken`(_ type: String?) async throws {
        let page = try await RemoteFixture().first(
            "films",
            StubTransport(#" {"results": [1], "count": 1} "#, type: type)
        )
        #expect(page.total == 1)
        #expect(page.envelope == ["results"])
        #expect(page.next == nil)
    }

    @Test(arguments: [(200, ""), (200, " \n"), (204, "")])
    func `a blank answer is no list, not even an empty one`(
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

    @Test func `a document that is an array is the list itself`() async throws {
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
    func `a failure is told in the service's words`(_ text: String, _ words: String) async {
        let error = await RemoteFixture().failure("films", StubTransport(text, status: 422))
        #expect(error?.code == .clientError)
        #expect(
            error?.message == "GET https://api.example.com/v1/films was answered 422: “\(words)”."
        )
    }

    @Test func `a page that was stored at an earlier address of a named service is found`()
        async throws
    {
        var fixture = RemoteFixture()
        let page = try #require(URL(string: "http://old.example:8080/v1/things?page=2"))
        let transport = StubTransport(#"{"results": []}"#)
        func ask() async throws -> HTTPRequest? {
            let resource = fixture.service.resource("Thing", path: "things")
            _ = try await fixture.remote(transport).page(
                PageRequest(resuming: resource, at: page, number: 2)
            )
            return transport.requests.last
        }
        let refused = await #expect(throws: RemoteError.self) { try await ask() }
        #expect(refused?.code == .linkRefused)
        fixture.service.name = "http://old.example:8080"
        let request = try await ask()
        #expect(request?.scheme == "https")
        #expect(request?.authority == "api.example.com")
        #expect(request?.path == "/v1/things?page=2")
    }

    @Test func `words without end are cut`() async {
        let text = String(repeating: "x", count: 1 << 20)
        let error = await RemoteFixture().failure("films", StubTransport(text, status: 400))
        #expect(error?.message.count == 258)
        #expect(error?.message.hasSuffix("x…”.") == true)
    }

    @Test(arguments: [
        (401, RemoteError.Code.refused), (403, .refused), (404, .notFound), (410, .notFound),
        (400, .clientError), (409, .clientError), (304, .redirectRefused),
    ])
    func `a status has a meaning and is asked once`(_ status: Int, _ code: RemoteError.Code) async {
        let stub = StubTransport("{}", status: status)
        let error = await RemoteFixture().failure("films", stub)
        #expect(error?.code == code)
        #expect(error?.status == status)
        #expect(stub.requests.count == 1)
    }

    @Test func `no secret shows in an error or a description`() async {
        var fixture = RemoteFixture("https://me:hunter2@api.example.com/v1/")
        fixture.service.headers[.cookie] = "sid=c00kie"
        let stub = StubTransport("{}", status: 500)
        let error = await fixture.failure("films?api_key=s3cret&page=2&token=t0ken", stub)
        #expect(
            error?.message
                == "GET https://api.example.com/v1/films?api_key=***&page=2&token=*** was answered 500."
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

    @Test func `the fields of a request are the service's, over our own`() async throws {
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

    @Test func `a cancellation passes untouched`() async {
        let stub = StubTransport { _ in throw CancellationError() }
        await #expect(throws: CancellationError.self) {
            _ = try await RemoteFixture().first("films", stub)
        }
        #expect(stub.requests.count == 1)
    }

    @Test func `a service that is no address is an error`() async {
        let error = await RemoteFixture("ftp://example.com/").failure("films", StubTransport("[]"))
        #expect(error?.code == .invalidRequest)
    }
}
