import Foundation
import HTTPTypes
import Testing
import TidemarkRemote

/// Requests to URLs, which may be links of a service.
struct HTTPRequestURLTests {
    @Test(arguments: [
        ("HTTPS://API.example.com:443/x", "https", "API.example.com:443", "/x"),
        ("https://me:secret@api.example.com/x", "https", "api.example.com", "/x"),
        ("http://[::1]:8080/x?a=%2B%20+#part", "http", "[::1]:8080", "/x?a=%2B%20+"),
        ("https://api.example.com?page=2", "https", "api.example.com", "/?page=2"),
        ("https://api.example.com", "https", "api.example.com", "/"),
        ("https://api.example.com/a%2Fb/%C3%A9", "https", "api.example.com", "/a%2Fb/%C3%A9"),
    ])
    func `a request has the parts of its URL`(
        _ text: String,
        _ scheme: String,
        _ authority: String,
        _ path: String
    ) throws {
        let url = try #require(URL(string: text))
        let request = try #require(HTTPRequest(to: url))
        #expect(request.scheme == scheme)
        #expect(request.authority == authority)
        #expect(request.path == path)
        #expect(request.url?.absoluteString == "\(scheme)://\(authority)\(path)")
    }

    @Test(arguments: [
        "ftp://example.com/", "/things", "things", "", "mailto:a@b.example", "https:///things",
        "https://example.com:99999/", "file:///etc/passwd", "javascript:alert(1)",
    ])
    func `a URL that no request can have is rejected`(_ text: String) {
        guard let url = URL(string: text) else { return }
        #expect(HTTPRequest(to: url) == nil)
    }
}
