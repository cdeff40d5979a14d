import Foundation
import HTTPTypes
import Testing
import TidemarkRemote
import TidemarkTesting

struct ServiceTests {
    @Test(arguments: [
        ("https://api.example.com", "films", "https://api.example.com/films"),
        ("https://api.example.com/v1", "films", "https://api.example.com/v1/films"),
        ("https://api.example.com/v1/", "/films/", "https://api.example.com/v1/films/"),
        ("https://api.example.com/v1/?x=1#y", "films?a=b", "https://api.example.com/v1/films?a=b"),
        ("https://api.example.com/v1/", "a:b", "https://api.example.com/v1/a:b"),
        ("https://api.example.com/v1/", "two words", "https://api.example.com/v1/two%20words"),
        ("http://[::1]:8080/api/", "films", "http://[::1]:8080/api/films"),
        (
            "https://api.example.com/v1/", "https://api.example.com/v2/x",
            "https://api.example.com/v2/x"
        ),
    ])
    func `a path of a resource is relative to the path of the service`(
        _ base: String,
        _ path: String,
        _ expected: String
    ) async throws {
        let stub = StubTransport("[]")
        _ = try await RemoteFixture(base).first(path, stub)
        let request = try #require(stub.requests.first)
        let url = "\(request.scheme ?? "")://\(request.authority ?? "")\(request.path ?? "")"
        #expect(url == expected)
    }

    @Test(arguments: ["https://evil.example/films", "http://api.example.com:81/"])
    func `a resource outside the service is rejected`(_ path: String) async {
        let stub = StubTransport("[]")
        let error = await RemoteFixture().failure(path, stub)
        #expect(error?.code == .linkRejected)
        #expect(stub.requests.isEmpty)
    }

    @Test(arguments: ["", "api.example.com", "ftp://x/", "https://", "/path"])
    func `a text without scheme and host is not an origin`(_ text: String) {
        #expect(Origin(text) == nil)
    }

    @Test(arguments: [
        ("https://API.example.com", "https://api.example.com"),
        ("HTTP://x:80/path", "http://x"),
        ("https://x:80", "https://x:80"),
        ("http://[::1]:8080/", "http://[::1]:8080"),
    ])
    func `an origin is scheme, host and port`(_ text: String, _ shown: String) {
        #expect(Origin(text)?.description == shown)
    }

    @Test func `pagination, envelope and deletes are parsed from options`() {
        #expect(Pagination(option: "next") == .nextInBody(["next"]))
        #expect(
            Pagination(option: "next:meta.links.next") == .nextInBody(["meta", "links", "next"])
        )
        #expect(Pagination(option: "link") == .linkHeader)
        #expect(Pagination(option: "none") == Pagination.none)
        #expect(Pagination(option: "pages") == nil)
        #expect(Envelope(option: "data.items") == .keyPath(["data", "items"]))
        #expect(Envelope(option: "none") == .none)
        #expect(DeletionDetection(option: "sweep") == .sweep)
        #expect(DeletionDetection(option: "always") == nil)
    }

    @Test func `a preset is found by its name`() throws {
        let url = try #require(URL(string: RemoteFixture.address))
        #expect(Service.presets["rest"]?(url) == .rest(url: url))
        #expect(Service.presets["no such"] == nil)
    }
}
