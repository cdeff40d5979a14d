import HTTPTypes
import TidemarkModel
import TidemarkRemote

/// How much was sent and received.
final class Traffic: Sendable {
    struct Total: Sendable {
        var requests = 0
        var bytes = 0
    }

    private let state = Locked(Total())

    var total: Total { state.withLock { $0 } }

    func countRequest() {
        state.withLock { $0.requests += 1 }
    }

    func count(bytes: Int) {
        state.withLock { $0.bytes += bytes }
    }
}

/// A transport that counts what goes through it.
struct MeteredTransport: Transport {
    private let base: any Transport
    private let traffic: Traffic

    init(_ base: any Transport, _ traffic: Traffic) {
        self.base = base
        self.traffic = traffic
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        traffic.countRequest()
        var response = try await base.send(request, body: body)
        response.body = ResponseBody(chunks: Metered(base: response.body, traffic: traffic))
        return response
    }

    /// A body whose bytes are counted as they pass.
    private struct Metered: AsyncSequence, Sendable {
        let base: ResponseBody
        let traffic: Traffic

        func makeAsyncIterator() -> Iterator {
            Iterator(base: base.makeAsyncIterator(), traffic: traffic)
        }

        struct Iterator: AsyncIteratorProtocol {
            var base: ResponseBody.AsyncIterator
            let traffic: Traffic

            mutating func next() async throws -> [UInt8]? {
                let chunk = try await base.next()
                traffic.count(bytes: chunk?.count ?? 0)
                return chunk
            }
        }
    }
}
