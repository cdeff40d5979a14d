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
    private let meter: TransferMeter
    private let telemetry: Telemetry
    private let environment: SystemEnvironment

    init(
        _ base: any Transport,
        of service: Service,
        countedBy meter: TransferMeter,
        reportingTo telemetry: Telemetry,
        in environment: SystemEnvironment
    ) {
        self.base = base
        self.service = service
        self.meter = meter
        self.telemetry = telemetry
        self.environment = environment
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        meter.countRequest()
        let start = environment.now()
        // Spans and logs must not contain the secrets of a URL.
        let label = request.target.map(service.secrets(of: request).masked) ?? ""
        let outcome = await Result(catching: {
            try await TraceSpan(
                "tidemark.request",
                attributes: ["http.request.method": request.method.rawValue, "url.full": label]
            ).around { try await base.send(request, body: body) }
        })
        telemetry.recordRequest(
            request.method,
            to: label,
            status: outcome.success?.head.status,
            duration: environment.duration(since: start)
        )
        var response = try outcome.get()
        response.body = response.body.observed { count($0?.count ?? 0) }
        return response
    }

    private func count(_ bytes: Int) {
        meter.count(bytes: bytes)
        telemetry.metrics.recordReceived(bytes: bytes)
    }
}

extension Result where Failure == any Error {
    fileprivate var success: Success? {
        if case .success(let value) = self { value } else { nil }
    }

    fileprivate init(catching body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
