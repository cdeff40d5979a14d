import HTTPTypes
import TidemarkModel
import TidemarkRemote
import TidemarkTesting

/// A transport that returns the responses of a function, and records the requests.
final class StubTransport: Transport {
    private let requested = Locked<[HTTPRequest]>([])
    private let respond: @Sendable (HTTPRequest) throws -> TransportResponse

    init(_ respond: @escaping @Sendable (HTTPRequest) throws -> TransportResponse) {
        self.respond = respond
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

    var requests: [HTTPRequest] { requested.withLock { $0 } }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        requested.withLock { $0.append(request) }
        return try respond(request)
    }
}
