#if AsyncHTTPClient
import AsyncHTTPClient
import NIOCore

/// The chunks of a body, all of which must be received before the deadline.
struct ClientChunks: AsyncSequence, Sendable {
    let body: HTTPClientResponse.Body
    let deadline: NIODeadline
    let failures: ClientFailures

    struct AsyncIterator: AsyncIteratorProtocol {
        var chunks: HTTPClientResponse.Body.AsyncIterator
        let deadline: NIODeadline
        let failures: ClientFailures

        mutating func next() async throws -> [UInt8]? {
            do {
                let chunk = try await chunks.next(isolation: #isolation)
                guard NIODeadline.now() < deadline else { throw failures.timedOut }
                return chunk.map { [UInt8]($0.readableBytesView) }
            } catch {
                throw failures.failure(error, isInBody: true)
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(chunks: body.makeAsyncIterator(), deadline: deadline, failures: failures)
    }
}
#endif
