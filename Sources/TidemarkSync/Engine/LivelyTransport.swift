import Foundation
import HTTPTypes
import TidemarkModel
import TidemarkRemote

/// A transport that gives a sign of life while long answers come.
struct LivelyTransport: Transport {
    private let base: any Transport
    private let environment: Environment
    private let sign: @Sendable () async throws -> Void

    /// How long after one sign the next is given, at the earliest.
    private static let interval = 20.0

    init(
        _ base: any Transport,
        _ environment: Environment,
        sign: @escaping @Sendable () async throws -> Void
    ) {
        self.base = base
        self.environment = environment
        self.sign = sign
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        let start = environment.now()
        var response = try await base.send(request, body: body)
        response.body = ResponseBody(
            chunks: Signs(base: response.body, transport: self, start: start)
        )
        return response
    }

    /// A body whose chunks are signs of life as they come.
    private struct Signs: AsyncSequence, Sendable {
        let base: ResponseBody
        let transport: LivelyTransport
        let start: Date

        func makeAsyncIterator() -> Iterator {
            Iterator(base: base.makeAsyncIterator(), transport: transport, last: start)
        }

        struct Iterator: AsyncIteratorProtocol {
            var base: ResponseBody.AsyncIterator
            let transport: LivelyTransport
            var last: Date

            mutating func next() async throws -> [UInt8]? {
                let chunk = try await base.next()
                let now = transport.environment.now()
                if now.timeIntervalSince(last) >= LivelyTransport.interval {
                    try await transport.sign()
                    last = now
                }
                return chunk
            }
        }
    }
}
