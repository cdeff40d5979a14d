import HTTPTypes
import Synchronization
import TidemarkRemote

/// A transport to a real service that loses the responses to requests that change objects.
final class LostResponses: Transport {
    /// What becomes of a request and its response.
    enum Fault: String, CaseIterable, Sendable {
        /// The service applies the request, and closes the connection without a response.
        case closed
        /// The service applies it, and closes the connection within the body of the response.
        case truncated
        /// The service applies it, and responds 500.
        case failed
        /// The service applies it, and the response is lost after it has arrived.
        case dropped
        /// The request is lost before the service has received it.
        case unsent
        /// A change fails with 500 in Kinto after the record was changed: it stays changed in
        /// memory, and PostgreSQL rolls it back.
        case light

        fileprivate var field: HTTPField? {
            switch self {
            case .closed, .truncated, .failed:
                HTTPField.Name("X-Test-Response").map { HTTPField(name: $0, value: rawValue) }
            case .light:
                HTTPField.Name("Response-Behavior").map { HTTPField(name: $0, value: rawValue) }
            case .dropped, .unsent: nil
            }
        }
    }

    private let base: any Transport
    private let faults = Mutex<[Fault]>([])

    init(_ base: any Transport) { self.base = base }

    /// Adds faults of the next requests that change objects, one after the other.
    func add(_ faults: [Fault]) { self.faults.withLock { $0 += faults } }

    /// Discards the faults that have not happened.
    func reset() { faults.withLock { $0 = [] } }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        let isRead = request.method == .get || request.method == .head
        let fault = faults.withLock { isRead || $0.isEmpty ? nil : $0.removeFirst() }
        guard let fault else { return try await base.send(request, body: body) }
        guard fault != .unsent else { throw RequestLog.connectionLost }
        var request = request
        if let field = fault.field { request.headerFields.append(field) }
        let response = try await base.send(request, body: body)
        guard fault == .dropped else { return response }
        _ = try await response.collect(upTo: 1 << 20)
        throw RequestLog.connectionLost
    }
}
