import HTTPTypes
import Testing
import TidemarkRemote
import TidemarkTesting

struct ResponseBodyTests {
    private let request = HTTPRequest(
        method: .get,
        scheme: "https",
        authority: "api.example.com",
        path: "/"
    )

    private func response(_ chunks: [[UInt8]], length: String? = nil) -> TransportResponse {
        let (stream, feed) = AsyncStream<[UInt8]>.makeStream()
        for chunk in chunks { feed.yield(chunk) }
        feed.finish()
        var head = HTTPResponse(status: .ok)
        head.headerFields[.contentLength] = length
        return TransportResponse(to: request, head: head, body: ResponseBody(chunks: stream))
    }

    @Test(arguments: [nil, "0", "6", "-1", "garbage"])
    func `a body over the limit is rejected, with any Content-Length`(_ length: String?) async {
        let error = await #expect(throws: RemoteError.self) {
            try await response([[1, 2, 3], [4, 5, 6]], length: length).collect(upTo: 5)
        }
        #expect(error?.code == .tooLarge)
    }

    @Test func `a Content-Length over the limit is rejected without reading the body`() async {
        let endless = ResponseBody { throw CancellationError() }
        var head = HTTPResponse(status: .ok)
        head.headerFields[.contentLength] = "\(Int.max)"
        let response = TransportResponse(to: request, head: head, body: endless)
        let error = await #expect(throws: RemoteError.self) {
            try await response.collect(upTo: 1 << 30)
        }
        #expect(error?.code == .tooLarge)
    }

    @Test func `a body is the concatenation of its chunks`() async throws {
        let bytes = try await response([[1, 2], [], [3]]).collect(upTo: 3)
        #expect(bytes == [1, 2, 3])
    }

    @Test func `a body in memory can be read again`() async throws {
        let response = TransportResponse(
            to: request,
            head: HTTPResponse(status: .ok),
            body: ResponseBody([7])
        )
        let first = try await response.collect(upTo: 1)
        let second = try await response.collect(upTo: 1)
        #expect(first == [7])
        #expect(second == [7])
    }

    @Test func `a cancelled stream throws instead of ending the body`() async {
        let (stream, feed) = AsyncStream<[UInt8]>.makeStream()
        feed.yield([1])
        let response = TransportResponse(
            to: request,
            head: HTTPResponse(status: .ok),
            body: ResponseBody(chunks: stream)
        )
        let reading = Task { try await response.collect(upTo: 10) }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        feed.finish()
    }
}
