import HTTPTypes
import Synchronization
import TidemarkRemote
import TidemarkTesting

/// A transport that changes the bodies of responses on their way.
struct PartialTransport: Transport {
    let fake: FakeService

    /// Returns the chunks of a body instead of the whole.
    let chunks: @Sendable ([UInt8]) -> [[UInt8]]

    /// Called before each chunk after the first.
    var between: @Sendable () async throws -> Void = {}

    /// Changes the head of a response.
    var head: @Sendable (inout HTTPResponse) -> Void = { _ in }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        var response = try await fake.send(request, body: body)
        let left = Mutex(chunks(try await response.collect(upTo: .max)))
        let count = left.withLock { $0.count }
        response.body = ResponseBody { [between] in
            let rest = left.withLock { $0.count }
            if rest < count, rest > 0 { try await between() }
            return left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
        head(&response.head)
        return response
    }
}

extension [UInt8] {
    /// Returns the bytes in chunks of a length.
    func chunks(of length: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: length).map {
            Array(self[$0..<Swift.min($0 + length, count)])
        }
    }
}
