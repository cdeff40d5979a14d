import Logging
import TidemarkImport
import TidemarkModel
import TidemarkStore

/// The log messages.
///
/// The keys of the metadata are part of the API, since log queries depend on them.
extension Logger {
    func log(_ event: SyncEvent) {
        switch event {
        case .started(let resources):
            info("A pull begins.", metadata: ["resources": "\(resources.count)"])
        case .page(let resource, let done, let expected):
            debug(
                "A page is in the store.",
                metadata: [
                    "resource": "\(resource)", "done": "\(done)",
                    "expected": "\(expected.map(String.init) ?? "unknown")",
                ]
            )
        case .retrying(let wait, let reason):
            notice(
                "A request is tried again.",
                metadata: ["after": "\(wait.shown)", "reason": "\(reason)"]
            )
        case .deletionPending(let pending):
            warning(
                "A deletion awaits approval.",
                metadata: [
                    "resource": "\(pending.resource)", "entity": "\(pending.entity)",
                    "rows": "\(pending.rowCount)",
                ]
            )
        case .pulled(let resource, let counts):
            info(
                "A resource was pulled.",
                metadata: [
                    "resource": "\(resource)", "inserted": "\(counts.inserted)",
                    "updated": "\(counts.updated)", "unchanged": "\(counts.unchanged)",
                    "deleted": "\(counts.deleted)",
                ]
            )
        case .failed(let resource, let reason):
            error(
                "A resource could not be pulled.",
                metadata: ["resource": "\(resource)", "reason": "\(reason)"]
            )
        case .pushing, .pushed, .adopted, .rejected, .uncertain, .notShown, .conflict,
            .serviceDeletionPending:
            logPush(event)
        case .editsUnrecorded(let edits):
            warning(
                "Edits may not have been recorded.",
                metadata: ["causes": "\(edits.causes.map(\.rawValue).joined(separator: ","))"]
            )
        case .storeCopied(let creations):
            warning(
                "The store is a copy, or was restored.",
                metadata: ["creations": "\(creations)"]
            )
        case .versionsFail(let resource):
            notice(
                "The versions of a resource fail although objects are unchanged.",
                metadata: ["resource": "\(resource)"]
            )
        case .orderNotSent(let relationship):
            notice(
                "The order of a list is not sent.",
                metadata: ["relationship": "\(relationship)"]
            )
        case .finished(let report): log(report)
        case .stopped(let reason):
            error("The run was ended by an error.", metadata: ["reason": "\(reason)"])
        }
    }

    /// Logs what a push does with single changes.
    private func logPush(_ event: SyncEvent) {
        switch event {
        case .pushing(let changes):
            info("A push begins.", metadata: ["changes": "\(changes)"])
        case .pushed(let row, let kind):
            debug("A change was pushed.", metadata: ["row": "\(row)", "kind": "\(kind.rawValue)"])
        case .adopted(let row, _):
            notice("An existing object was adopted.", metadata: ["row": "\(row)"])
        case .rejected(let change):
            // Names of attributes alone: what a service says may repeat values.
            let fields = change.attempts.fieldErrors.keys.sorted().joined(separator: ",")
            warning(
                "A change was rejected.",
                metadata: [
                    "row": "\(change.row)", "kind": "\(change.kind.rawValue)",
                    "status": "\(change.attempts.status.map(String.init) ?? "none")",
                    "fields": "\(fields)",
                ]
            )
        case .uncertain(let change):
            notice(
                "A change may have been applied.",
                metadata: ["row": "\(change.row)", "kind": "\(change.kind.rawValue)"]
            )
        case .notShown(let row):
            notice("No list shows what was pushed.", metadata: ["row": "\(row)"])
        case .serviceDeletionPending(let pending):
            warning(
                "Deletions at the service await approval.",
                metadata: [
                    "entity": "\(pending.entity)", "objects": "\(pending.count)",
                    "known": "\(pending.known)",
                ]
            )
        case .conflict(let conflict):
            notice(
                "A conflict was recorded.",
                metadata: [
                    "row": "\(conflict.row)", "kind": "\(conflict.kind.rawValue)",
                    "decision": "\(conflict.decision?.rawValue ?? "open")",
                ]
            )
        case .started, .page, .retrying, .deletionPending, .pulled, .failed: break
        case .editsUnrecorded, .storeCopied, .versionsFail, .orderNotSent: break
        case .finished, .stopped: break
        }
    }

    private func log(_ report: SyncReport) {
        if let duration = report.pushed.duration {
            let counts = report.pushed.total
            info(
                "The push has ended.",
                metadata: [
                    "created": "\(counts.created)", "updated": "\(counts.updated)",
                    "deleted": "\(counts.deleted)", "rejected": "\(counts.rejected)",
                    "uncertain": "\(counts.uncertain)", "notTaken": "\(counts.notTaken)",
                    "unconfirmed": "\(report.pushed.localChanges.unconfirmed.values.reduce(0, +))",
                    "duration": "\(duration.shown)",
                ]
            )
        }
        guard !report.resources.isEmpty else { return }
        info(
            "The pull has ended.",
            metadata: [
                "complete": "\(report.isComplete)", "requests": "\(report.requests)",
                "bytes": "\(report.bytes)", "duration": "\(report.duration.shown)",
            ]
        )
    }
}
