import CoreMetrics
import TidemarkImport
import TidemarkModel
import TidemarkStore

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
/// | `tidemark_pushes` | counter | `outcome`: complete, incomplete, stopped |
/// | `tidemark_push_duration` | timer | |
/// | `tidemark_changes` | counter | `entity`, `outcome`: created, adopted, updated, … |
/// | `tidemark_conflicts` | counter | `entity`, `kind`, `decision` |
/// | `tidemark_adoptions` | counter | `entity` |
/// | `tidemark_unrecorded` | counter | `cause`: triggers, recording, rowNumbers |
/// | `tidemark_copies` | counter | |
/// | `tidemark_failing_versions` | counter | `resource` |
/// | `tidemark_outbox_changes` | gauge | `entity`, `state` |
/// | `tidemark_unconfirmed` | gauge | `entity` |
/// | `tidemark_not_shown` | counter | `entity` |
/// | `tidemark_sent_bytes` | counter | |
/// | `tidemark_pending_service_deletions` | counter | `entity` |
///
/// A dry run sends real requests, which are counted. What it does to its copy of the store is not.
struct SyncMetrics: Sendable {
    private let factory: any MetricsFactory

    /// Created once, because bytes are counted in many small chunks.
    private let receivedBytes: Counter

    /// Whether the present run pulls.
    private let isPulling = Locked(false)

    /// The dimensions of the gauges that were recorded last and are not zero, by label.
    private let gauges = Locked<[String: Set<[String]>]>([:])

    init(_ factory: any MetricsFactory) {
        self.factory = factory
        receivedBytes = Counter(label: "tidemark_received_bytes", factory: factory)
    }

    func record(_ event: SyncEvent, isDryRun: Bool) {
        switch event {
        case .retrying: count("retries")
        case _ where isDryRun: break
        case .deletionPending(let pending):
            count("pending_rows", by: pending.rowCount, in: [("entity", pending.entity)])
        case .serviceDeletionPending(let pending):
            let entity = [("entity", pending.entity)]
            count("pending_service_deletions", by: pending.count, in: entity)
        case .conflict(let conflict):
            count(
                "conflicts",
                in: [
                    ("entity", conflict.row.entity), ("kind", conflict.kind.rawValue),
                    ("decision", conflict.decision?.rawValue ?? "open"),
                ]
            )
        case .adopted(let row, _): count("adoptions", in: [("entity", row.entity)])
        case .editsUnrecorded(let edits):
            for cause in edits.causes { count("unrecorded", in: [("cause", cause.rawValue)]) }
        case .storeCopied: count("copies")
        case .versionsFail(let resource): count("failing_versions", in: [("resource", resource)])
        // A property of the configuration, not of a run.
        case .orderNotSent: break
        case .finished(let report):
            isPulling.withLock { $0 = false }
            record(report.pushed)
            if !report.resources.isEmpty { record(report) }
        case .started: isPulling.withLock { $0 = true }
        case .stopped:
            let isPull = isPulling.withLock { isPulling in
                defer { isPulling = false }
                return isPulling
            }
            count(isPull ? "pulls" : "pushes", in: [("outcome", "stopped")])
        case .page, .pulled, .failed: break
        case .notShown(let row): count("not_shown", in: [("entity", row.entity)])
        case .pushing, .pushed, .rejected, .uncertain: break
        }
    }

    private func record(_ report: PushReport) {
        // A pull decides about what was accepted and not shown, too.
        for (entity, counts) in report.entities {
            for (outcome, changes) in counts.named where changes > 0 {
                count("changes", by: changes, in: [("entity", entity), ("outcome", outcome)])
            }
        }
        // Read at the end of a run: a counter could not say what another process has pushed.
        record(
            report.localChanges.unconfirmed.map { ([$0.key], $0.value) },
            as: "unconfirmed",
            by: ["entity"]
        )
        guard let duration = report.duration else { return }
        count(
            "pushes",
            in: [("outcome", report.localChanges.unpushed.isEmpty ? "complete" : "incomplete")]
        )
        measure(duration, as: "push_duration")
        record(
            report.localChanges.unpushed.map { ([$0.entity, $0.state.rawValue], $0.count) },
            as: "outbox_changes",
            by: ["entity", "state"]
        )
    }

    /// Records the numbers of what is left, and 0 for what is not left any more: a gauge keeps its
    /// value until it gets another one.
    private func record(
        _ numbers: [(values: [String], count: Int)],
        as name: String,
        by dimensions: [String]
    ) {
        let counts = Dictionary(numbers.map { ($0.values, $0.count) }, uniquingKeysWith: +)
        let former = gauges.withLock { gauges in
            gauges.updateValue(Set(counts.keys), forKey: name) ?? []
        }
        for values in former.union(counts.keys) {
            Gauge(
                label: "tidemark_\(name)",
                dimensions: Array(zip(dimensions, values)),
                factory: factory
            )
            .record(counts[values] ?? 0)
        }
    }

    private func record(_ report: SyncReport) {
        count("pulls", in: [("outcome", report.isComplete ? "complete" : "incomplete")])
        measure(report.duration - (report.pushed.duration ?? .zero), as: "pull_duration")
        for (path, resource) in report.resources {
            measure(
                resource.duration,
                as: "resource_duration",
                in: [("resource", path), ("ending", resource.ending.rawValue)]
            )
        }
        for (entity, counts) in report.total.entities {
            let changes = [
                ("inserted", counts.inserted), ("updated", counts.updated),
                ("deleted", counts.deleted), ("skipped", counts.skipped),
            ]
            for (change, rows) in changes where rows > 0 {
                count("rows", by: rows, in: [("entity", entity), ("change", change)])
            }
        }
    }

    /// Counts a request; the status is nil without a response.
    func recordRequest(status: Int?, duration: Duration) {
        count("requests", in: [("status", status.map { "\($0 / 100)xx" } ?? "none")])
        measure(duration, as: "request_duration")
    }

    /// Counts the bytes of a request's body.
    func recordSent(bytes: Int) { count("sent_bytes", by: bytes) }

    /// Counts received bytes.
    func recordReceived(bytes: Int) {
        receivedBytes.increment(by: bytes)
    }

    private func count(
        _ name: String,
        by number: Int = 1,
        in dimensions: [(String, String)] = []
    ) {
        Counter(label: "tidemark_\(name)", dimensions: dimensions, factory: factory)
            .increment(by: number)
    }

    private func measure(
        _ duration: Duration,
        as name: String,
        in dimensions: [(String, String)] = []
    ) {
        Timer(label: "tidemark_\(name)", dimensions: dimensions, factory: factory)
            .recordNanoseconds(Int64(duration / .nanoseconds(1)))
    }
}
