import Foundation
import HTTPTypes
import Testing
import TidemarkModel
import TidemarkTesting

@testable import TidemarkRemote

/// Responses with a file, whose header fields a service may fill with anything.
struct FileResponseTests {
    private static let part = FilePart(length: 10, entityTag: #""a""#)

    /// Resumes a download, and returns the offset and the length of the response.
    private func resume(_ range: String) async throws -> String {
        let stub = StubTransport { request in
            var head = HTTPResponse(status: .ok, headerFields: [.eTag: #""a""#])
            if request.headerFields[.range] != nil {
                head.status = .partialContent
                head.headerFields[.contentRange] = range
            }
            return TransportResponse(to: request, head: head, body: ResponseBody([1, 2]))
        }
        let fixture = RemoteFixture()
        let url = try #require(URL(string: "files/7"))
        let file = try await fixture.remote(stub).file(at: url, after: Self.part, limit: .max)
        return "\(file.offset) of \(file.length.map(String.init) ?? "?"), \(stub.requests.count)"
    }

    @Test(arguments: [
        ("bytes 10-11/12", "10 of 12, 1"), ("bytes 10-11/*", "10 of 12, 1"),
        ("bytes 10-9223372036854775806/*", "10 of 9223372036854775807, 1"),
        ("bytes 10-11/9223372036854775807", "10 of 9223372036854775807, 1"),
    ])
    func `a range is the rest of the file`(_ range: String, _ result: String) async throws {
        #expect(try await resume(range) == result)
    }

    /// The whole file is requested instead.
    @Test(arguments: [
        "bytes 10-9223372036854775807/*", "bytes 10-9223372036854775807/9223372036854775807",
        "bytes 10-9223372036854775808/*", "bytes 10-11/11", "bytes 10-11/-5", "bytes 11-10/12",
        "bytes 9-11/12", "bytes */12", "bytes 10-11", "bytes 10-11/x", "items 10-11/12", "",
        "bytes -9223372036854775808-11/12",
    ])
    func `a range that cannot be the rest of the file is not used`(_ range: String) async throws {
        #expect(try await resume(range) == "0 of ?, 2")
    }

    @Test func `what is stored of a file contains no secret`() async throws {
        let fixture = RemoteFixture(sending: [.authorization: "Bearer s3cr3t-T0k3n"])
        let stub = StubTransport("a", type: "image/s3cr3t-T0k3n; a=b")
        let url = try #require(URL(string: "files/7"))
        let file = try await fixture.remote(stub).file(at: url, limit: 10)
        #expect(file.type == "image/***")
    }
}
