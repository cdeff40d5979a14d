import CoreMetrics
import TidemarkImport

/// The metrics of an engine.
///
/// The labels and dimensions are part of the API, since dashboards and alerts depend on them.
///
/// | label | kind | dimensions |
/// |---|---|---|
/// | `tidemark_pulls` | counter | `outcome`: complete, incomplete, stopped |
/// | `tidemark_pull_duration` | timer | |
/// | `tidemark_resource_duration` | timer | `resource`, `ending` |
/// | `tidemark_rows` | counter | `entity`, `change`: inserted, updated, deleted, skipped |
/// | `tidemark_requests` | counter | `status`: 2xx, 3xx, 4xx, 5xx, none |
/// | `tidemark_request_duration` | timer | |
/// | `tidemark_received_bytes` | counter | |
/// | `tidemark_retries` | counter | |
/// | `tidemark_pending_rows` | counter | `entity` |
///
/// A dry run sends real requests, which are counted. What it does to its copy of the store is not.
struct SyncMetrics: Sendable {
    private let factory: any MetricsFactory

    /// Created once, because bytes are counted in many small chunks.
    private let receivedBytes: Counter

    init(_ factory: any MetricsFactory) {
        self.factory = factory
        receivedBytes = Counter(label: "tidemark_received_bytes", factory: factory)
    }

    func note(_ event: SyncEvent, isDryRun: Bool) {
        switch event {
        case .retrying: count("retries", 1)
        case _ where isDryRun: break
        case .deletionPending(let pending):
            count("pending_rows", pending.rows, [("entity", pending.entity)])
        case .finished(let report): note(report)
        case .stopped: count("pulls", 1, [("outcome", "stopped")])
        case .started, .page, .applied, .failed: break
        }
    }

    private func note(_ report: SyncReport) {
        count("pulls", 1, [("outcome", report.isComplete ? "complete" : "incomplete")])
        measure("pull_duration", report.duration)
        for (path, resource) in report.resources {
            measure(
                "resource_duration",
                resource.duration,
                [("resource", path), ("ending", resource.ending.rawValue)]
            )
        }
        for (entity, counts) in report.total.entities {
            let changes = [
                ("inserted", counts.inserted), ("updated", counts.updated),
                ("deleted", counts.deleted), ("skipped", counts.skipped),
            ]
            for (change, rows) in changes where rows > 0 {
                count("rows", rows, [("entity", entity), ("change", change)])
            }
        }
    }

    /// Counts a request; the status is nil if it was not answered.
    func noteRequest(status: Int?, _ duration: Duration) {
        count("requests", 1, [("status", status.map { "\($0 / 100)xx" } ?? "none")])
        measure("request_duration", duration)
    }

    /// Counts received bytes.
    func note(bytes: Int) {
        receivedBytes.increment(by: bytes)
    }

    private func count(_ name: String, _ number: Int, _ dimensions: [(String, String)] = []) {
        Counter(label: "tidemark_\(name)", dimensions: dimensions, factory: factory)
            .increment(by: number)
    }

    private func measure(
        _ name: String,
        _ duration: Duration,
        _ dimensions: [(String, String)] = []
    ) {
        Timer(label: "tidemark_\(name)", dimensions: dimensions, factory: factory)
            .recordNanoseconds(Int64(duration / .nanoseconds(1)))
    }
}
