import Foundation
import GRDB
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// One download of a file into an ``AssetFolder``.
///
/// 1. Bytes are written to a partial file as they arrive. If the service identifies the file by an
///    entity tag, the tag is stored first, so that a later download resumes after them.
/// 2. The complete file is checked, and is on disk before anything refers to it.
/// 3. The record is written, and then the file gets its name. A file without a record is one that
///    was left by a process that was killed, and may be deleted.
struct AssetDownload: Sendable {
    let url: URL
    let folder: AssetFolder
    let assets: Assets

    private var key: String { url.absoluteString }
    private var limit: Int { assets.limits.http.assetBytes }

    /// Downloads the file.
    ///
    /// - Returns: Its location.
    /// - Throws: `RemoteError`; ``SyncError/Code/assetNotWritten``; `CancellationError`;
    ///   `DatabaseError`.
    @concurrent
    func run() async throws -> URL {
        try folder.create()
        let (file, isShared) = try openFile()
        var isKept = false
        defer { if !isKept || !isShared { file.remove() } }
        // Another process, or a caller before this one, may have completed it by now.
        if let location = try await assets.stored(url, in: folder) { return location }
        var tag = isShared ? try await storedTag() : nil
        if tag == nil { try file.restart() } else { try file.resume() }
        var attempt = 1
        while true {
            let before = file.length
            do {
                let received = try await receive(into: file, after: &tag, isShared: isShared)
                let location = try await finish(file, received)
                isKept = true
                return location
            } catch {
                let isTransient = (error as? RemoteError)?.isTransient ?? false
                isKept = tag != nil && (isTransient || error is CancellationError)
                guard isTransient, tag != nil, file.length > before,
                    attempt < assets.limits.http.attempts
                else {
                    if !isKept, isShared { try await forget() }
                    throw error
                }
                // The connection broke, and the rest can be requested at once.
                attempt += 1
            }
        }
    }

    /// Opens the partial file of the URL, or one of its own if another process is writing to that.
    private func openFile() throws -> (file: PartialFile, isShared: Bool) {
        if let file = try PartialFile.create(key.sha256 + PartialFile.suffix, in: folder) {
            return (file, true)
        }
        let name = assets.environment.uuid().uuidString.lowercased() + PartialFile.suffix
        guard let file = try PartialFile.create(name, in: folder) else {
            throw SyncError.notWritten(folder.url, because: "a file with a new name exists")
        }
        return (file, false)
    }

    /// Returns the entity tag of the bytes that were received before; nil without such bytes.
    @concurrent
    private func storedTag() async throws -> String? {
        try await assets.store.writer.read { [key] db in
            let record = try AssetTable.existing(db)?.record(of: key)
            return record?.partial == nil ? nil : record?.entityTag
        }
    }

    // MARK: Receiving

    /// Requests the file, or the rest of it, and writes the body.
    private func receive(
        into file: PartialFile,
        after tag: inout String?,
        isShared: Bool
    ) async throws -> FileResponse {
        let part = tag.flatMap { tag in
            file.length > 0 ? FilePart(length: file.length, entityTag: tag) : nil
        }
        let response = try await assets.remote.file(at: url, after: part, limit: limit)
        if response.offset == 0 {
            tag = nil
            try file.restart()
            // Before the first byte: bytes of another version must not be taken for a part of this.
            if isShared { try await record(response, in: file.name) }
            tag = response.entityTag
        }
        for try await chunk in response.body {
            guard file.length + chunk.count <= limit else { throw response.tooLarge(limit: limit) }
            try file.append(chunk)
        }
        try Task.checkCancellation()
        // A transport reports a body that breaks off, but not every service sends what it has
        // announced.
        if let length = response.length, length != file.length { throw response.truncated }
        if let digest = response.digest, digest != file.digest { throw response.mismatched }
        return response
    }

    private func record(_ response: FileResponse, in partial: String) async throws {
        guard response.entityTag != nil else { return try await forget() }
        let record = AssetRecord(
            url: key,
            bytes: response.length,
            type: response.type,
            entityTag: response.entityTag,
            partial: partial,
            lastUsed: assets.environment.now()
        )
        try await assets.store.transaction(durability: .relaxed) { db in
            try AssetTable.create(db).write(record)
        }
    }

    /// Removes what is known about a file of which nothing is kept.
    private func forget() async throws {
        let key = key
        // Not in this task, whose transactions throw after it was cancelled.
        try await Task { [store = assets.store] in
            try await store.transaction(durability: .relaxed) { db in
                try AssetTable.existing(db)?.remove(key)
            }
        }.value
    }

    // MARK: The complete file

    private func finish(_ file: PartialFile, _ response: FileResponse) async throws -> URL {
        let type = response.type == MediaType.unknown ? nil : response.type
        let record = AssetRecord(
            url: key,
            digest: file.hexadecimal,
            bytes: file.length,
            type: type ?? MediaType.type(of: url.pathExtension),
            entityTag: response.entityTag,
            lastUsed: assets.environment.now()
        )
        let name = AssetName(digest: file.hexadecimal, type: record.type)
        try file.synchronize()
        try await assets.store.transaction(durability: .relaxed) { db in
            try AssetTable.create(db).write(record)
        }
        try file.complete(as: name)
        return folder.location(of: name)
    }
}
