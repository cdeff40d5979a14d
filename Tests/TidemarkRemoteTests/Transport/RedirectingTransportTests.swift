import Foundation
import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkTesting

struct RedirectingTransportTests {
    private func send(
        _ stub: some Transport,
        _ method: HTTPRequest.Method = .get,
        service: String = "https://api.example.com/"
    ) async throws -> TransportResponse {
        let url = try #require(URL(string: service))
        let redirecting = RedirectingTransport(stub, within: .rest(url: url))
        let request = HTTPRequest(
            method: method,
            scheme: "https",
            authority: "api.example.com",
            path: "/a",
            headerFields: [.authorization: "Bearer x"]
        )
        return try await redirecting.send(request, body: nil)
    }

    @Test func `an endless redirect stops at the limit`() async {
        let stub = StubTransport("", status: 302, fields: [.location: "/b"])
        let error = await #expect(throws: RemoteError.self) { try await send(stub) }
        #expect(error?.code == .redirectRejected)
        #expect(error?.message.contains("more than 5 redirects") == true)
        #expect(stub.requests.count == 6)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect keeps the header fields, and http becomes https`(_ status: Int) async throws {
        let stub = StubTransport { request in
            guard request.path == "/a" else {
                return TransportResponse(to: request, head: HTTPResponse(status: .ok))
            }
            var head = HTTPResponse(status: .init(code: status))
            head.headerFields[.location] = "http://api.example.com/b?x=1#part"
            return TransportResponse(to: request, head: head)
        }
        let response = try await send(stub)
        #expect(response.request.path == "/b?x=1")
        #expect(response.request.scheme == "https")
        #expect(response.request.headerFields[.authorization] == "Bearer x")
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .patch, .delete])
    func `an unsafe method is not redirected`(_ method: HTTPRequest.Method) async throws {
        let stub = StubTransport("", status: 301, fields: [.location: "/b"])
        #expect(try await send(stub, method).head.status.code == 301)
        #expect(stub.requests.count == 1)
    }

    @Test(arguments: ["http://api.example.com:8080/b", "http://other.example.com/b"])
    func `a redirect from https to http at another origin is rejected`(_ location: String) async {
        let stub = StubTransport("", status: 302, fields: [.location: location])
        let error = await #expect(throws: RemoteError.self) { try await send(stub) }
        #expect(error?.code == .redirectRejected)
        #expect(stub.requests.count == 1)
    }

    @Test func `a redirect from http to https is rejected with a hint`() async {
        let stub = StubTransport("", status: 301, fields: [.location: "https://api.example.com/"])
        let error = await #expect(throws: RemoteError.self) {
            try await send(stub, service: "http://api.example.com/")
        }
        #expect(error?.code == .redirectRejected)
        #expect(error?.hint?.contains("write it as the service's URL") == true)
    }
}
