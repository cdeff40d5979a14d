import HTTPTypes
import TidemarkModel
import TidemarkRemote
import TidemarkTesting

/// A transport that returns the responses of a function, and records the requests.
final class StubTransport: Transport {
    private let asked = Locked<[HTTPRequest]>([])
    private let answer: @Sendable (HTTPRequest) throws -> TransportResponse

    init(_ answer: @escaping @Sendable (HTTPRequest) throws -> TransportResponse) {
        self.answer = answer
    }

    /// Creates a transport that returns the same response to every request.
    convenience init(
        _ text: String,
        status: Int = 200,
        type: String? = "application/json",
        fields: HTTPFields = [:]
    ) {
        self.init { request in
            var head = HTTPResponse(status: .init(code: status), headerFields: fields)
            head.headerFields[.contentType] = type
            return TransportResponse(to: request, head: head, body: ResponseBody(Array(text.utf8)))
        }
    }

    var requests: [HTTPRequest] { asked.withLock { $0 } }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        asked.withLock { $0.append(request) }
        return try answer(request)
    }
}
