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
    let base: any Transport
    let service: Service
    let meter: TransferMeter
    let telemetry: Telemetry
    let environment: SystemEnvironment

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        meter.countRequest()
        let start = environment.now()
        // Spans and logs must not contain the secrets of a URL.
        let url = request.url.map(service.secrets(of: request).masked) ?? ""
        let span = TraceSpan(
            "tidemark.request",
            attributes: ["http.request.method": request.method.rawValue, "url.full": url]
        )
        func record(_ status: HTTPResponse.Status?) {
            let duration = environment.duration(since: start)
            telemetry.recordRequest(request.method, to: url, status: status, duration: duration)
        }
        var response: TransportResponse
        do {
            response = try await span.around { try await base.send(request, body: body) }
        } catch {
            record(nil)
            throw error
        }
        record(response.head.status)
        response.body = response.body.observed { [meter, telemetry] chunk in
            meter.count(bytes: chunk?.count ?? 0)
            telemetry.metrics.recordReceived(bytes: chunk?.count ?? 0)
        }
        return response
    }
}
