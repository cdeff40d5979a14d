import Logging
import TidemarkImport
import TidemarkModel

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
        case .finished(let report):
            info(
                "The pull has ended.",
                metadata: [
                    "complete": "\(report.isComplete)", "requests": "\(report.requests)",
                    "bytes": "\(report.bytes)", "duration": "\(report.duration.shown)",
                ]
            )
        case .stopped(let reason):
            error("The pull was ended by an error.", metadata: ["reason": "\(reason)"])
        }
    }
}
