import HTTPTypes
import TidemarkModel
import TidemarkRemote

/// A counter of the requests that are sent and the bytes that are received.
final class TransferMeter: Sendable {
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

/// A transport that counts requests and bytes, and reports them to the log and the metrics.
struct MeteredTransport: Transport {
    private let base: any Transport
    private let service: Service
    private let traffic: TransferMeter
    private let observers: Telemetry
    private let environment: SystemEnvironment

    init(
        _ base: any Transport,
        of service: Service,
        _ traffic: TransferMeter,
        _ observers: Telemetry,
        _ environment: SystemEnvironment
    ) {
        self.base = base
        self.service = service
        self.traffic = traffic
        self.observers = observers
        self.environment = environment
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        traffic.countRequest()
        let start = environment.now()
        // Spans and logs must not contain the secrets of a URL.
        let label = request.target.map(service.secrets(of: request).masked) ?? ""
        let outcome = await Result(catching: {
            try await TraceSpan(
                "tidemark.request",
                ["http.request.method": request.method.rawValue, "url.full": label]
            ).around { try await base.send(request, body: body) }
        })
        let duration = environment.duration(since: start)
        note(request, label, outcome, duration)
        var response = try outcome.get()
        response.body = response.body.observed { count($0?.count ?? 0) }
        return response
    }

    private func note(
        _ request: HTTPRequest,
        _ label: String,
        _ outcome: Result<TransportResponse, any Error>,
        _ duration: Duration
    ) {
        var status: Int?
        if case .success(let response) = outcome { status = response.head.status.code }
        observers.noteRequest(request.method.rawValue, label, status: status, duration)
    }

    private func count(_ bytes: Int) {
        traffic.count(bytes: bytes)
        observers.metrics.note(bytes: bytes)
    }
}

extension Result where Failure == any Error {
    fileprivate init(catching body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
