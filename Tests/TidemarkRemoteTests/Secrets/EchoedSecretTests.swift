import Foundation
import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote

/// Messages of a service that repeats the secrets of a request.
struct EchoedSecretTests {
    @Test(arguments: [
        ("Bearer t0psecret", "no token t0psecret", "no token ***"),
        ("Bearer t0psecret", "Bearer tokens only", "Bearer tokens only"),
        ("Basic YWRhOmh1bnRlcjI=", "no user ada, hunter2", "no user ada, ***"),
        ("Basic YWRhOmh1bnRlcjI=", "not ada:hunter2", "not ***"),
        ("Digest username=\"ada\", response=\"6629fae4\"", "6629FAE4 is stale", "*** is stale"),
        ("t0p secret", "bad: t0p secret, t0p+secret, t0p%20secret", "bad: ***, ***, ***"),
        ("Bearer short", "it is shorter", "it is ***er"),
        ("Bearer abc", "abc is short", "abc is short"),
        ("Bearer a-long-token-1", "a-long-token-2 is another", "***2 is another"),
    ])
    func `secrets and nothing else are hidden in the message of the service`(
        _ sent: String,
        _ message: String,
        _ shown: String
    ) async throws {
        let transport = StubTransport(message, status: 400, type: "text/plain")
        let failure = await RemoteFixture(sending: [.authorization: sent])
            .failure("things", transport)
        #expect(
            failure?.message
                == "GET https://api.example.com/v1/things returned 400: “\(shown)”."
        )
    }

    @Test func `a secret that contains another field's value is hidden as a whole`() async throws {
        var fields: HTTPFields = [.authorization: "Bearer films-9f8e7d6c5b"]
        fields[.client] = "films"
        let transport = StubTransport("bad token films-9f8e7d6c5b", status: 400, type: "text/plain")
        let failure = await RemoteFixture(sending: fields).failure("things", transport)
        #expect(failure?.message.hasSuffix(": “bad token ***”.") == true)
    }

    @Test func `an error about a redirect hides a secret in its URL`() async throws {
        for location in ["foo:t0psecret", "https://t0psecret.example.org/", "http://[t0psecret"] {
            let transport = StubTransport("", status: 302, fields: [.location: location])
            let failure = await RemoteFixture(sending: [.authorization: "Bearer t0psecret"])
                .failure("things", transport)
            #expect(failure?.code == .redirectRejected)
            #expect(failure?.description.contains("t0psecret") == false)
            #expect(failure?.message.contains("***") == true)
        }
    }

    @Test func `an error about a redirect loop contains no secret`() async throws {
        let transport = StubTransport("", status: 302, fields: [.location: "/loop?k=t0psecret"])
        let failure = await RemoteFixture(sending: [.authorization: "Bearer t0psecret"])
            .failure("things", transport)
        #expect(failure?.code == .redirectRejected)
        #expect(failure?.description.contains("t0psecret") == false)
    }

    @Test func `a next page whose URL contains a secret is read, and its URL stored without it`()
        async throws
    {
        let transport = StubTransport { request in
            let isFirst = request.path?.contains("cursor") == false
            let body =
                isFirst
                ? #"{"results": [{"id": 1}], "next": "/v1/things?cursor=t0p%2Fsecret&page=2"}"#
                : #"{"results": [{"id": 2}], "next": "/v1/things?cursor=t0p%2Fsecret&page=2"}"#
            return TransportResponse(
                to: request,
                head: HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]),
                body: ResponseBody(Array(body.utf8))
            )
        }
        let fixture = RemoteFixture(sending: [.authorization: "Bearer t0p/secret"])
        let first = try await fixture.first("things", transport)
        let next = try #require(first.next)
        #expect(next.url?.query() == "cursor=***authorization.0***&page=2")
        let failure = await #expect(throws: RemoteError.self) {
            try await fixture.remote(transport).page(next)
        }
        #expect(transport.requests.last?.path == "/v1/things?cursor=t0p%2Fsecret&page=2")
        #expect(failure?.code == .paginationLoop)
        #expect(failure?.description.contains("secret") == false)
    }

    @Test func `an entity tag that repeats a secret is not stored`() async throws {
        for (tag, isKept) in [("\"t0psecret\"", false), ("\"another\"", true)] {
            let transport = StubTransport(#"{"results": []}"#, fields: [.eTag: tag])
            let page = try await RemoteFixture(sending: [.authorization: "Bearer t0psecret"])
                .first("things", transport)
            #expect((page.metadata.validator?.tag == tag) == isKept)
        }
    }

    @Test func `a media type that repeats a secret is not shown`() async throws {
        let transport = StubTransport("x", type: "application/t0psecret")
        let failure = await RemoteFixture(sending: [.authorization: "Bearer t0psecret"])
            .failure("things", transport)
        #expect(failure?.code == .notJSON)
        #expect(failure?.message.contains("t0psecret") == false)
    }
}

extension HTTPField.Name {
    fileprivate static let client = HTTPField.Name("X-Client") ?? .authorization
}
