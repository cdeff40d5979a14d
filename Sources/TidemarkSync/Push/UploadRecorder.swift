import Foundation
import GRDB
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// Records what became of uploads, in one transaction.
struct UploadRecorder {
    let db: Database
    let run: RunContext

    /// Whether the service is down.
    let isOutage: Bool

    private var writer: OutboxWriter {
        OutboxWriter(db: db, environment: run.environment, isOutage: isOutage)
    }

    /// Records the result of an upload for one of the changes that refer to the file.
    ///
    /// - Returns: What became of the change; nil if the service has the file, or the change does
    ///   not need it any more.
    /// - Throws: `DatabaseError`; `StoreError`.
    func record(
        _ result: Result<UploadResponse, any Error>,
        of name: AssetName,
        to attribute: String,
        of change: CapturedChange
    ) throws -> PushedEnd? {
        if case .success(let response) = result, case .applied = response.outcome,
            let url = response.url
        {
            try replace(name, in: attribute, of: change, by: url)
            return nil
        }
        // Its user may have deleted the row meanwhile, or chosen another file.
        let reader = try StoreReader.prepare(db, in: run.store)
        guard let current = try reader.capturedChanges([change.number]).first,
            try reader.localAssets(of: current)
                .contains(LocalAsset(attribute: attribute, name: name))
        else { return nil }
        switch result {
        case .success(let response): return try record(response, in: attribute, of: change)
        case .failure(let error as UploadFailure):
            return try reject(change, attribute, because: error.reason)
        case .failure(let error as RemoteError) where error.code == .unreachable:
            try writer.postpone(change.number, because: .init(reason: error.message))
            return .unreachable(error)
        case .failure(let error as RemoteError) where error.isTransient:
            return try postpone(change, after: error.retryAfter, because: error.message)
        case .failure(let error as RemoteError):
            try writer.postpone(change.number, because: .init(reason: error.message))
            return .stopped(error)
        case .failure(let error):
            let isCancelled = error is CancellationError
            let reason = isCancelled ? "the push was cancelled" : "\(error)"
            try writer.postpone(change.number, because: .init(reason: reason))
            return .postponed
        }
    }

    private func record(
        _ response: UploadResponse,
        in attribute: String,
        of change: CapturedChange
    ) throws -> PushedEnd {
        let status = response.status
        switch response.outcome {
        case .rejected(let errors):
            return try reject(change, attribute, because: errors.reason, status: status)
        case .exists, .stale, .missing:
            let reason = "the service does not accept the file"
            return try reject(change, attribute, because: reason, status: status)
        case .postponed(let delay):
            let reason = WriteOutcome.reason(forPause: delay, run.limits)
            return try postpone(change, after: delay, because: reason)
        case .accepted(let delay):
            let reason = "the service processes the file later"
            return try postpone(change, after: delay, because: reason)
        case .uncertain(let doubt):
            // Repeated, it is the same file.
            return try postpone(change, after: nil, because: doubt.reason)
        case .denied(let denial):
            let failure = OutboxWriter.Failure(status: status, reason: "file: \(denial.reason)")
            try writer.postpone(change.number, because: failure)
            let error = denial.error(status: status)
            return denial.isOfCredentials ? .unreachable(error) : .stopped(error)
        case .applied, .contradictory:
            let error = RemoteError(
                .clientError,
                "The response to an upload does not contain the URL of the file.",
                hint: "Correct the key path in `uploads`.",
                status: status
            )
            try writer.postpone(change.number, because: .init(reason: error.message))
            return .stopped(error)
        }
    }

    private func reject(
        _ change: CapturedChange,
        _ attribute: String,
        because reason: String,
        status: Int? = nil
    ) throws -> PushedEnd {
        let failure = OutboxWriter.Failure(
            status: status,
            reason: "\(attribute): \(reason)",
            messages: StoredMessages([attribute: [reason]])
        )
        try writer.reject(change.number, because: failure)
        return .rejected
    }

    private func postpone(
        _ change: CapturedChange,
        after delay: Duration?,
        because reason: String
    ) throws -> PushedEnd {
        let next = try writer.nextAttempt(of: change.number, after: delay)
        try writer.postpone(change.number, until: next, because: .init(reason: reason))
        return .postponed
    }

    /// Replaces the URL of a file in a row by that of the service, unless the row was edited since.
    private func replace(
        _ name: AssetName,
        in attribute: String,
        of change: CapturedChange,
        by url: URL
    ) throws {
        let table = try AssetTable.create(db)
        let local = try table.record(of: name.reference)
        // The folder has the file of the URL already.
        try table.write(
            AssetRecord(
                url: url.absoluteString,
                digest: name.digest,
                bytes: local?.bytes,
                type: local?.type ?? MediaType.type(of: name.suffix),
                lastUsed: run.environment.now()
            )
        )
        let entity = try run.store.layout.entity(change.row.entity)
        let reader = try StoreReader.prepare(db, in: run.store)
        let stored = try reader.record(change.row.number, of: entity, links: .none)
        guard stored?[attribute] == .uri(name.reference),
            let capture = try Capture.of(db, run.store.layout)
        else { return }
        // It is the same value as before, which the change contains already.
        _ = try capture.suppressed {
            try run.store.write(in: db) { writer in
                try writer.update(
                    RecordLocator(change.row),
                    values: [attribute: .uri(url.absoluteString)]
                )
            }
        }
    }
}

/// Why a file was not sent.
enum UploadFailure: Error {
    case unsupported, missing, tooLarge, changed

    var reason: String {
        switch self {
        case .unsupported: "the service accepts no files: no `uploads` are configured"
        case .missing: "the file does not exist in the folder of the store"
        case .tooLarge: "the file is longer than `Limits.http.assetBytes`"
        case .changed: "the file in the folder of the store was changed: its digest is another one"
        }
    }
}
