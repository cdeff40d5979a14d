import Foundation
import HTTPTypes
import Testing
import TidemarkFakeServices
import TidemarkRemote
import TidemarkTesting

/// The files of a fake service.
struct FakeFilesTests {
    private func service(_ dialect: FakeDialect, files: String? = "files") -> FakeService {
        var dialect = dialect
        var writes = FakeWrites()
        writes.files = files
        dialect.writes = writes
        return FakeService(collections: ["notes": []], dialect: dialect)
    }

    /// Sends a request, and prints the status, some header fields and the body.
    private func exchange(
        _ fake: FakeService,
        _ method: HTTPRequest.Method,
        _ path: String,
        _ fields: HTTPFields = [:],
        body: String? = nil
    ) async throws -> String {
        var request = HTTPRequest(method: method, url: fake.url.appending(path: path))
        request.headerFields = fields
        let response = try await fake.send(request, body: body.map { Array($0.utf8) })
        let bytes = try await response.collect(upTo: 1 << 20)
        let head = response.head
        return [
            "\(head.status.code)", head.headerFields[.contentType],
            head.headerFields[.contentRange], String(decoding: bytes, as: UTF8.self),
        ]
        .compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
    }

    @Test func `a path without a file, or a service that accepts none, has no upload`() async throws
    {
        let fake = service(.rest(), files: nil)
        #expect(try await exchange(fake, .get, "media/a.txt").hasPrefix("404"))
        #expect(try await exchange(fake, .post, "files/a.txt", body: "abc").hasPrefix("2") == false)
        #expect(fake.file(at: "files/a.txt") == nil)
    }

    @Test func `a file is served by ranges of the version that the client knows`() async throws {
        let fake = service(.rest())
        fake.setFile(Array("0123456789".utf8), type: "text/plain", at: "media/a.txt")
        let request = HTTPRequest(method: .head, url: fake.url.appending(path: "media/a.txt"))
        let head = try await fake.send(request, body: nil).head
        let tag = head.headerFields[.eTag] ?? ""
        #expect(tag.hasPrefix("\""))
        #expect(try await exchange(fake, .get, "media/a.txt") == "200 text/plain 0123456789")
        let known: HTTPFields = [.range: "bytes=7-", .ifRange: tag]
        #expect(
            try await exchange(fake, .get, "media/a.txt", known)
                == "206 text/plain bytes 7-9/10 789"
        )
        let end: HTTPFields = [.range: "bytes=10-"]
        #expect(try await exchange(fake, .get, "media/a.txt", end) == "416 bytes */10")
        fake.setFile(Array("abcdefghij".utf8), type: "text/plain", at: "media/a.txt")
        #expect(try await exchange(fake, .get, "media/a.txt", known) == "200 text/plain abcdefghij")
    }

    @Test func `an uploaded file has a URL`() async throws {
        let fake = service(.rest())
        let fields: HTTPFields = [.contentType: "text/plain"]
        #expect(
            try await exchange(fake, .put, "files/a.txt", fields, body: "abc")
                == "201 application/json "
                + #"{"name":"a.txt","url":"https://fake.example/api/files/a.txt"}"#
        )
        #expect(try await exchange(fake, .get, "files/a.txt") == "200 text/plain abc")
    }

    @Test func `Parse gives each file a name of its own`() async throws {
        let fake = service(.parse())
        _ = try await exchange(fake, .post, "files/a.txt", body: "abc")
        _ = try await exchange(fake, .post, "files/a.txt", body: "abc")
        let name = "app/00000000000000000000000000000002_a.txt"
        #expect(fake.file(at: "files/\(name)") == Array("abc".utf8))
    }
}
