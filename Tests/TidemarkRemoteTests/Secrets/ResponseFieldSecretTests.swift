import Foundation
import HTTPTypes
import Testing
import TidemarkModel
import TidemarkTesting

@testable import TidemarkRemote

/// Secrets that a service repeats in the header fields of its responses.
struct ResponseFieldSecretTests {
    private static let secret = "s3cr3t-T0k3n-XYZZY"
    private let fixture = RemoteFixture(sending: [.authorization: "Bearer \(secret)"])

    private func write(
        _ status: Int,
        _ text: String = "",
        type: String? = nil,
        fields: HTTPFields = [:]
    ) async throws -> WriteOutcome {
        let stub = StubTransport(text, status: status, type: type, fields: fields)
        let url = try #require(URL(string: "\(RemoteFixture.address)things/7"))
        let request = WriteRequest(.patch, url: url)
        let response = try await fixture.remote(stub).write(request, style: .rest)
        return try fixture.outcome(of: response, to: .create)
    }

    @Test(arguments: [
        "/login?next=\(secret)", "/\(secret)/login", "/login?next=s3cr3t%2DT0k3n%2DXYZZY",
    ])
    func `the target of a redirect is shown without them`(_ location: String) async throws {
        guard
            case .denied(.redirect(let target)) = try await write(
                302,
                fields: [.location: location]
            )
        else {
            Issue.record("it is not a redirect")
            return
        }
        #expect(target?.contains("***") == true)
        #expect(target?.contains("XYZZY") == false)
    }

    @Test func `a media type is shown without them, in either case`() async throws {
        let outcome = try await write(200, "<html>", type: "text/\(Self.secret)")
        guard case .denied(.page(let type)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(type == "text/***")
        let stub = StubTransport("<html>", type: "text/\(Self.secret)")
        let failure = await fixture.failure("things", stub)
        #expect(failure?.code == .notJSON)
        #expect(failure?.message.contains("text/***") == true)
    }

    @Test func `a location becomes no key that contains them`() async throws {
        func locations(_ text: String) async throws -> [String] {
            guard case .applied(let applied) = try await write(201, fields: [.location: text])
            else {
                return ["not applied"]
            }
            return applied.locations
        }
        #expect(try await locations("/v1/things/8") == ["/v1/things/8"])
        #expect(try await locations("/v1/things/\(Self.secret)") == [])
        #expect(try await locations("https://api.example.com/\(Self.secret)/8") == [])
        #expect(
            try await locations("things/8?token=\(Self.secret)")
                == ["things/8?token=***authorization.0***"]
        )
    }

    @Test func `an entity tag that contains them is dropped, in a batch as well`() async throws {
        guard
            case .applied(let applied) = try await write(
                200,
                "{}",
                fields: [.eTag: "\"\(Self.secret)\""]
            )
        else {
            Issue.record("it is not applied")
            return
        }
        #expect(applied.entityTag == nil)
        let body = """
            {"responses": [{"status": 200, "body": {}, "headers": {"ETag": "\\"a\\""}},
              {"status": 201, "body": {}, "headers": {"ETag": "\\"\(Self.secret)\\"",
                "Location": "/things/\(Self.secret)"}}]}
            """
        let stub = StubTransport(body)
        let url = try #require(URL(string: "\(RemoteFixture.address)things"))
        let batch = PushStyle.Batch(.kinto, path: "batch", limit: 2)
        let response = try await fixture.remote(stub)
            .write([WriteRequest(.put, url: url), WriteRequest(.post, url: url)], in: batch)
        guard case .members(let members) = response else {
            Issue.record("\(response)")
            return
        }
        #expect(members.map { $0?.headers[.eTag] } == [#""a""#, nil])
        #expect(members.map { $0?.headers[.location] } == [nil, nil])
    }
}
