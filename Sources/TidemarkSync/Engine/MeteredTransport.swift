import HTTPTypes
import TidemarkModel
import TidemarkRemote

/// A transport that counts requests and bytes, and reports them to the log and the metrics.
struct MeteredTransport: Transport {
    let base: any Transport
    let service: Service
    let traffic: Locked<Traffic>
    let telemetry: Telemetry
    let environment: SystemEnvironment

    /// The requests that were sent, and the bytes that were received.
    struct Traffic: Sendable {
        var requests = 0
        var bytes = 0
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        traffic.withLock { $0.requests += 1 }
        if let body { telemetry.metrics.recordSent(bytes: body.count) }
        let start = environment.now()
        // Spans and logs must not contain the secrets of a URL.
        func url() -> String { request.url.map(service.secrets(of: request).masked) ?? "" }
        func attributes() -> [String: String] {
            ["http.request.method": request.method.rawValue, "url.full": url()]
        }
        func record(_ status: HTTPResponse.Status?) {
            let duration = environment.duration(since: start)
            telemetry.recordRequest(request.method, to: url(), status: status, duration: duration)
        }
        var response: TransportResponse
        do {
            response = try await TraceSpan.run("tidemark.request", attributes: attributes()) {
                try await base.send(request, body: body)
            }
        } catch {
            record(nil)
            throw error
        }
        record(response.head.status)
        response.body = response.body.observed { [traffic, telemetry] chunk in
            guard let chunk else { return }
            traffic.withLock { $0.bytes += chunk.count }
            telemetry.metrics.recordReceived(bytes: chunk.count)
        }
        return response
    }
}
