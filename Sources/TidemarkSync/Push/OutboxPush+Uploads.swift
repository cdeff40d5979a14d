import GRDB
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// Files are uploaded before the rows that refer to them are sent.
///
/// The URL of the service replaces that of the file in the row at once, before the request of the
/// row is made. So everything after it, such as the comparison with an object that was read, knows
/// one value only. An upload may be repeated: its name is that of the content.
extension OutboxPush {
    /// A file, and the changes that refer to it.
    private struct Upload: Sendable {
        let name: AssetName

        /// The media type.
        let type: String

        let style: PushStyle
        var uses: [Use]

        struct Use: Sendable {
            let change: CapturedChange
            let attribute: String
        }
    }

    /// An upload that was attempted.
    private struct Attempt: Sendable {
        let upload: Upload
        let result: Result<UploadResponse, any Error>

        /// Why the file was not sent at all; nil if it was.
        var obstacle: RequestNotStarted? {
            if case .failure(let error) = result { error as? RequestNotStarted } else { nil }
        }
    }

    /// What became of a change whose file was not uploaded.
    private struct Failed: Sendable {
        let change: CapturedChange
        let end: PushedEnd
        let event: SyncEvent?
    }

    /// Uploads the files of changes that the service does not have.
    ///
    /// - Parameter changes: The changes, all of one list.
    /// - Returns: The changes whose files the service has. The others are postponed, or rejected if
    ///   the service rejects a file or accepts none.
    /// - Throws: `CancellationError`; ``SyncError/Code/leaseLost``; `DatabaseError`.
    func uploadFiles(of changes: [PlannedChange]) async throws -> [PlannedChange] {
        let uploads = try await uploads(of: changes.map(\.number))
        guard !uploads.isEmpty else { return changes }
        let results = await perform(uploads) { [run] upload, _ in
            Attempt(upload: upload, result: await Self.send(upload, by: run))
        } judge: {
            $0.result.verdict
        }
        let obstacle = results.lazy.compactMap(\.obstacle).first
        let failed = try await record(results.filter { $0.obstacle == nil })
        for failed in failed {
            note(failed.end, of: failed.change)
            if let event = failed.event { run.emit(event) }
        }
        if let obstacle { throw obstacle.reason }
        for attempt in results {
            if case .failure(let error as CancellationError) = attempt.result { throw error }
        }
        // Those whose uploads did not begin are not sent either.
        let left = try await self.uploads(of: changes.map(\.number))
        let waiting = Set(left.flatMap(\.uses).map(\.change.number))
            .union(failed.map(\.change.number))
        return changes.filter { !waiting.contains($0.number) }
    }

    /// Returns the files that changes refer to and that the service does not have.
    private func uploads(of numbers: [Int64]) async throws -> [Upload] {
        let layout = run.store.layout
        guard layout.entities.contains(where: { $0.attributes.contains(where: \.isAsset) }) else {
            return []
        }
        return try await run.store.writer.read { [self] db in
            let reader = try StoreReader.prepare(db, in: run.store)
            var uploads: [Upload] = []
            for change in try reader.capturedChanges(numbers) {
                guard let resource = resources.resource(of: change.row.entity) else { continue }
                for asset in try reader.localAssets(of: change) {
                    let use = Upload.Use(change: change, attribute: asset.attribute)
                    if let index = uploads.firstIndex(where: { $0.name == asset.name }) {
                        uploads[index].uses.append(use)
                    } else {
                        let record = try AssetTable.existing(db)?.record(of: asset.name.reference)
                        uploads.append(
                            Upload(
                                name: asset.name,
                                type: record?.type ?? MediaType.type(of: asset.name.suffix)
                                    ?? MediaType.unknown,
                                style: resource.push,
                                uses: [use]
                            )
                        )
                    }
                }
            }
            return uploads
        }
    }

    @concurrent
    private static func send(
        _ upload: Upload,
        by run: RunContext
    ) async -> Result<UploadResponse, any Error> {
        do {
            guard let request = upload.style.body.uploads else { throw UploadFailure.unsupported }
            guard let folder = run.assets, let size = folder.size(of: upload.name) else {
                throw UploadFailure.missing
            }
            guard size <= run.limits.http.assetBytes else { throw UploadFailure.tooLarge }
            // Under its name the service would keep another file for ever.
            guard let bytes = try folder.bytes(of: upload.name) else {
                throw UploadFailure.changed
            }
            return .success(
                try await run.remote.upload(
                    bytes,
                    named: upload.name.fileName,
                    type: upload.type,
                    by: request,
                    in: upload.style
                )
            )
        } catch {
            return .failure(error)
        }
    }

    // MARK: Outcomes

    private func record(_ results: [Attempt]) async throws -> [Failed] {
        // Not in this task: if it is cancelled, its transactions throw, and files would be uploaded
        // again.
        try await Task { [run, isOutage = availability.isOutage] in
            try await run.write { db in
                var failed: [Failed] = []
                var numbers: Set<Int64> = []
                for result in results {
                    let recorder = UploadRecorder(db: db, run: run, isOutage: isOutage)
                    for use in result.upload.uses {
                        let end = try recorder.record(
                            result.result,
                            of: result.upload.name,
                            to: use.attribute,
                            of: use.change
                        )
                        // A change may refer to several files.
                        guard let end, numbers.insert(use.change.number).inserted else { continue }
                        let event = try SyncEvent(end, of: use.change, db, in: run.store)
                        failed.append(Failed(change: use.change, end: end, event: event))
                    }
                }
                return failed
            }
        }.value
    }
}

extension Result<UploadResponse, any Error> {
    /// What the result of an upload means for the requests after it.
    fileprivate var verdict: RequestVerdict {
        switch self {
        case .failure(let error):
            guard let error = error as? RemoteError else {
                let isOver = error is CancellationError || error is RequestNotStarted
                return isOver ? .end(nil) : .next(atMost: .max)
            }
            return error.code == .unreachable ? .end(error) : .failed(error)
        case .success(let response):
            switch response.outcome {
            case .denied(.credentials): return .end(nil)
            case .denied: return .stop
            case .applied, .contradictory, .accepted, .missing, .exists, .stale, .rejected,
                .postponed, .uncertain:
                return .next(atMost: .max)
            }
        }
    }
}
