import Synchronization
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkSync

/// The events of a pull, one line per event.
final class EventLog: Sendable {
    private let state = Mutex<[String]>([])

    var lines: [String] { state.withLock { $0 } }

    /// Returns the events since the last call.
    func take() -> [String] {
        state.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }

    /// Records the events of a stream until a pull has finished.
    func follow(_ events: AsyncStream<SyncEvent>) async {
        for await event in events {
            record(event)
            if lines.last == "finished" { return }
        }
    }

    func record(_ event: SyncEvent) {
        let line =
            switch event {
            case .started(let resources):
                "started \(resources.sorted().joined(separator: ", "))"
            case .page(let resource, let done, let expected):
                "\(resource): \(done) of \(expected.map(String.init) ?? "?")"
            case .retrying(_, let reason):
                "again, for \(reason)"
            case .deletionPending(let pending):
                pending.shares.map { "\(pending.resource): \($0.rows) of \($0.total) rows wait" }
                    .joined(separator: ", ")
            case .pulled(let resource, let counts):
                "\(resource): \(counts.inserted) inserted, \(counts.deleted) deleted"
            case .failed(let resource, let error):
                "\(resource): failed, \(error)"
            case .pushing(let changes): "pushing \(changes)"
            case .pushed(let row, let kind): "\(kind.rawValue) of \(row)"
            case .adopted(let row, let key): "\(row) adopts \(key.text)"
            case .rejected(let change): "\(change.row) rejected"
            case .uncertain(let change): "\(change.row) uncertain"
            case .notShown(let row): "\(row) not shown"
            case .serviceDeletionPending(let pending): "\(pending)"
            case .conflict(let conflict): "\(conflict.row) in conflict"
            case .editsUnrecorded(let edits):
                "unrecorded: \(edits.causes.map(\.rawValue).joined(separator: ", "))"
            case .versionsFail(let resource): "versions of \(resource) fail"
            case .orderNotSent(let relationship): "order of \(relationship) is not sent"
            case .storeCopied(let creations): "a copy, \(creations) creations"
            case .finished(let report):
                report.isComplete ? "finished" : "finished in part"
            case .stopped(let error):
                "stopped, \(error)"
            }
        state.withLock { $0.append(line) }
    }
}
