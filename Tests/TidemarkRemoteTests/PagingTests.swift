import Foundation
import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkTesting

/// Next links, the limit of pages, and lists that resume at a page.
struct PagingTests {
    /// A service whose pages contain the URL of the next page in the member `next`.
    private static var linked: RemoteFixture {
        var fixture = RemoteFixture()
        fixture.service.style.pagination = .nextInBody(["next"])
        return fixture
    }

    @Test(arguments: [
        ("https://evil.example/?page=2", "leads to https://evil.example,"),
        ("//evil.example/", "leads to https://evil.example,"),
        ("https://api.example.com@evil.example/", "leads to https://evil.example,"),
        ("https://api.example.com:8443/", "leads to https://api.example.com:8443,"),
        ("http://api.example.com:8080/", "leads to http://api.example.com:8080,"),
        ("file:///etc/passwd", "which is not a valid URL"),
        ("javascript:alert(1)", "which is not a valid URL"),
    ])
    func `a next link outside the service is rejected`(_ link: String, _ message: String) async {
        let stub = StubTransport(#"{"results": [], "next": "\#(link)"}"#)
        let error = await Self.linked.failure("films", stub)
        #expect(error?.code == .linkRejected)
        #expect(error?.message.contains(message) == true)
        #expect(stub.requests.count == 1)
    }

    @Test(arguments: [
        ("?page=2", "https://api.example.com/v1/films/?page=2"),
        ("/v1/films/?page=2", "https://api.example.com/v1/films/?page=2"),
        ("http://api.example.com/v1/films/?page=2", "https://api.example.com/v1/films/?page=2"),
        ("HTTPS://API.example.com:443/x", "HTTPS://API.example.com:443/x"),
        ("https://cdn.example.com/2", "https://cdn.example.com/2"),
    ])
    func `a next link within the service is resolved`(_ link: String, _ url: String) async throws {
        var fixture = RemoteFixture()
        fixture.service.origins = [try #require(Origin("https://cdn.example.com"))]
        let page = try await fixture.first(
            "films/",
            StubTransport(#"{"results": [], "next": "\#(link)"}"#)
        )
        #expect(page.next?.url?.absoluteString == url)
        #expect(page.next?.number == 2)
    }

    /// On the last page some services have an empty string, an empty container or false instead of
    /// null.
    ///
    /// If a total contradicts it, the list is incomplete: see `ListEndTests`.
    @Test(arguments: [
        #"{"next": null}"#, #"{"next": ""}"#, #"{"next": false}"#, #"{"next": []}"#,
        #"{"next": {}}"#, #"{"next": {"href": null}}"#,
        #"{"next": [{"rel": "self", "href": "/"}]}"#,
        #"{"next": [{"relation": "self", "url": "/"}, {"relation": "previous", "url": "/"}]}"#,
        "{}", "[]", "7",
    ])
    func `a document without a next link is the last page`(_ text: String) async throws {
        #expect(try await RemoteFixture().first("films", StubTransport(text)).next == nil)
    }

    @Test(arguments: ["7", "true", #"{"page": 2}"#, #"["x"]"#, #"[{"title": "x"}]"#])
    func `an unrecognized next link throws and does not end the list`(_ next: String) async {
        let stub = StubTransport(#"{"results": [], "next": \#(next)}"#)
        let error = await Self.linked.failure("films", stub)
        #expect(error?.code == .noList)
        #expect(error?.message.contains("“next” of") == true, "\(String(describing: error))")
        #expect(error?.message.contains("may have further pages") == true)
    }

    @Test(arguments: [
        #"[{"rel": "self", "href": "?page=1"}, {"rel": "next", "href": "?page=2"}]"#,
        #"[{"uri": "?page=2"}]"#, #"{"url": "?page=2"}"#,
        #"[{"relation": "next", "url": "?page=2"}, {"relation": "previous", "url": "?page=0"}]"#,
    ])
    func `a next link may be an object or an array of objects`(_ next: String) async throws {
        let stub = StubTransport(#"{"results": [], "next": \#(next)}"#)
        let page = try await RemoteFixture().first("films", stub)
        #expect(page.next?.url?.query() == "page=2")
    }

    @Test func `a next link may be an object nested in the document`() async throws {
        var fixture = RemoteFixture()
        fixture.service.style.pagination = try #require(Pagination(option: "next:links.next"))
        let page = try await fixture.first(
            "films",
            StubTransport(#"{"links": {"next": {"href": "?page=2"}}}"#)
        )
        #expect(page.next?.url?.query() == "page=2")
    }

    @Test(arguments: [
        (#"<https://api.example.com/v1/films?page=2>; rel="next", </x>; rel="last""#, "page=2"),
        (#"</first>; rel=first, <?page=3>; title="a, b; c"; REL="prev next""#, "page=3"),
        (#"<?page=4> ; rel = next"#, "page=4"),
        (#"</last>; rel="last""#, nil),
        (#"<?page=5; rel="next""#, nil),
        (#"<?page=6>; rel="nextish""#, nil),
        ("", nil),
    ])
    func `a Link field leads to the next page`(_ field: String, _ query: String?) async throws {
        var fixture = RemoteFixture()
        fixture.service.style.pagination = .linkHeader
        let name = try #require(HTTPField.Name("Link"))
        let page = try await fixture.first("films", StubTransport("[]", fields: [name: field]))
        #expect(page.next?.url?.query() == query)
    }

    @Test func `reading more pages than the limit throws`() async throws {
        var fixture = RemoteFixture()
        fixture.limits.http.pages = 3
        let stub = StubTransport { request in
            let number = (request.path ?? "").count
            let text = #"{"next": "?p=\#(String(repeating: "x", count: number))"}"#
            return TransportResponse(
                to: request,
                head: HTTPResponse(status: .ok),
                body: ResponseBody(Array(text.utf8))
            )
        }
        let remote = fixture.remote(stub)
        var request = PageRequest(first: fixture.service.resource("Thing", path: "films"))
        request = try #require(try await remote.page(request).next)
        request = try #require(try await remote.page(request).next)
        let error = await #expect(throws: RemoteError.self) { try await remote.page(request) }
        #expect(error?.code == .pageLimit)
        #expect(stub.requests.count == 3)
    }

    @Test(arguments: ["-1", "-9223372036854775808", "9223372036854775808", "1e300"])
    func `a total that cannot be a number of objects is ignored`(_ total: String) async throws {
        var fixture = RemoteFixture()
        fixture.service.style.total = .body(["count"])
        let stub = StubTransport(#"{"results": [], "count": \#(total)}"#)
        #expect(try await fixture.first("films", stub).total == nil)
    }

    @Test(arguments: ["9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e99"])
    func `the number of a page that has no successor ends a list or is an error`(
        _ number: String
    ) async throws {
        for (page, count) in [("page", "total_pages"), ("current_page", "last_page")] {
            let body = #"{"results": [{"id": 1}], "\#(page)": \#(number), "\#(count)": \#(number)}"#
            let more = #"{"results": [{"id": 1}], "has_more": true, "\#(page)": \#(number)}"#
            for text in [body, more] {
                let stub = StubTransport(text)
                let error = await RemoteFixture().failure("films", stub)
                #expect(error == nil || error?.code == .incompleteList, "\(text): \(error as Any)")
                #expect(stub.requests.count == 1)
            }
        }
    }

    @Test func `a list resumes at the URL of a page`() async throws {
        let fake = FakeService(collections: ["things": (1...35).map { ["id": .number("\($0)")] }])
        let fixture = RemoteFixture(fake.url.absoluteString)
        var resource = fixture.service.resource("Thing", path: "things/")
        resource.style.total = .body(["count"])
        let url = try #require(URL(string: "things/?page=3", relativeTo: fake.url)?.absoluteURL)
        let page = try await fixture.remote(fake).page(
            PageRequest(resuming: resource, at: url, number: 3)
        )
        #expect(page.next?.number == 4)
        #expect(page.next?.url?.query() == "page=4")
        #expect(page.total == 35)
    }

    @Test func `a list does not resume at a URL outside the service`() async throws {
        let stub = StubTransport("[]")
        let fixture = RemoteFixture()
        let url = try #require(URL(string: "https://evil.example/"))
        let resource = fixture.service.resource("Thing", path: "films")
        let error = await #expect(throws: RemoteError.self) {
            try await fixture.remote(stub).page(PageRequest(resuming: resource, at: url, number: 2))
        }
        #expect(error?.code == .linkRejected)
        #expect(stub.requests.isEmpty)
    }
}
