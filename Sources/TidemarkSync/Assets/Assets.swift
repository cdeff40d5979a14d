public import Foundation
import GRDB
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// The files that rows refer to, such as photos: downloaded when they are needed, and uploaded
/// before the rows that refer to them.
///
/// Attributes that contain the URLs of files are `uri` attributes with `isAsset`. Files are stored
/// in a folder next to the store, `PATH.assets`, under names that follow from their content. Get
/// the assets of an engine from ``SyncEngine/assets``.
///
/// ```swift
/// let photo = try await engine.assets.put(Data(body), type: "image/png")
/// try await store.write { writer in
///     _ = try writer.insert("Note", values: ["photo": .uri(photo.absoluteString)])
/// }
/// _ = try await engine.sync()    // uploads the photo, then the note with its URL
/// let file = try await engine.assets.file(for: photo)
/// ```
///
/// The files are a cache: the service has them, except for those that were not uploaded yet, which
/// are never deleted. Nothing runs in the background, and images are not decoded.
public struct Assets: Sendable {
    let store: Store
    let folder: AssetFolder?
    let remote: Remote
    let limits: Limits
    let environment: SystemEnvironment
    let downloads = SharedDownloads()

    /// Returns the location of a file, which is downloaded unless the folder has it.
    ///
    /// Callers that request the same URL at a time share one request. A download that was
    /// interrupted, even by the end of the process, resumes where it stopped, if the service
    /// supports that (`ETag` and `Range`, RFC 9110). The file is checked by its length and, if the
    /// service sends one, by its digest (`Repr-Digest`, RFC 9530).
    ///
    /// <!-- example: let note = try await store.read { try $0.record(RecordLocator("Note:7")) } -->
    /// ```swift
    /// if case .uri(let address) = note["photo"], let url = URL(string: address) {
    ///     let file = try await engine.assets.file(for: url)
    ///     print(file.path)
    /// }
    /// ```
    ///
    /// - Parameter url: The value of an attribute: a URL of the service or of one of its origins,
    ///   to which credentials are sent, or one that `put` has returned.
    /// - Returns: The location of the file, which must not be changed. It may be deleted by
    ///   ``prune(keeping:)``: request it again instead of storing it.
    /// - Throws: `RemoteError` if the file cannot be downloaded; ``SyncError/Code/unknownAsset``;
    ///   ``SyncError/Code/noAssetFolder``; ``SyncError/Code/assetNotWritten``;
    ///   `CancellationError`; `DatabaseError`.
    @concurrent
    public func file(for url: URL) async throws -> URL {
        guard let folder else { throw SyncError.noAssetFolder }
        if let location = try await stored(url, in: folder) { return location }
        guard url.scheme != AssetName.scheme else {
            throw SyncError.unknownAsset(url.absoluteString)
        }
        let download = AssetDownload(url: url, folder: folder, assets: self)
        return try await downloads.file(for: url.absoluteString) { try await download.run() }
    }

    /// Adds a file that the app has made, and returns the value for the attribute that refers to
    /// it.
    ///
    /// The next push uploads it, and replaces the value by the URL of the service. Both lead to the
    /// file in the folder.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - type: The media type, such as `image/png`. It is sent to the service, and the extension
    ///     of the file follows from it.
    /// - Returns: A URL such as `tidemark-asset:DIGEST.png`.
    /// - Throws: ``SyncError/Code/assetTooLarge``; ``SyncError/Code/noAssetFolder``;
    ///   ``SyncError/Code/assetNotWritten``; `DatabaseError`.
    @concurrent
    public func put(_ data: Data, type: String) async throws -> URL {
        try await add(type) { file in
            guard data.count <= limits.http.assetBytes else {
                throw SyncError.assetTooLarge(limit: limits.http.assetBytes)
            }
            try file.append(data)
        }
    }

    /// Copies a file of the app, and returns the value for the attribute that refers to it.
    ///
    /// ```swift
    /// let recording = try await engine.assets.put(URL(filePath: "memo.m4a"))
    /// ```
    ///
    /// - Parameters:
    ///   - file: The file, which is not changed.
    ///   - type: The media type. Defaults to nil: it follows from the extension.
    /// - Returns: A URL such as `tidemark-asset:DIGEST.m4a`.
    /// - Throws: An error of Foundation if the file cannot be read; otherwise as
    ///   for the content of a file in memory.
    @concurrent
    public func put(_ file: URL, type: String? = nil) async throws -> URL {
        let type = type ?? MediaType.type(of: file.pathExtension) ?? MediaType.unknown
        return try await add(type) { copy in
            let source = try FileHandle(forReadingFrom: file)
            while let chunk = try source.read(upToCount: PartialFile.chunkBytes), !chunk.isEmpty {
                guard copy.length + chunk.count <= limits.http.assetBytes else {
                    throw SyncError.assetTooLarge(limit: limits.http.assetBytes)
                }
                try copy.append(chunk)
            }
        }
    }

    // MARK: Stored files

    /// Returns whether the folder has the file of a URL.
    func hasFile(for url: URL) async throws -> Bool {
        guard let folder else { return false }
        return try await found(url, in: folder) != nil
    }

    /// Returns the location of a file that the folder has; nil if it does not have it.
    func stored(_ url: URL, in folder: AssetFolder) async throws -> URL? {
        guard let (name, record) = try await found(url, in: folder) else { return nil }
        if let record { try await touch(record) }
        return folder.location(of: name)
    }

    private func found(
        _ url: URL,
        in folder: AssetFolder
    ) async throws -> (name: AssetName, record: AssetRecord?)? {
        let key = url.absoluteString
        let record = try await store.writer.read { db in
            try AssetTable.existing(db)?.record(of: key)
        }
        let name = AssetName(reference: key) ?? record?.name
        guard let name, let size = folder.size(of: name) else { return nil }
        // The record may outlive the content after a power failure.
        guard record?.bytes == nil || record?.bytes == size else { return nil }
        return (name, record)
    }

    /// Records that a file is in use.
    private func touch(_ record: AssetRecord) async throws {
        let now = environment.now()
        // Not each time: a list of photos would write as often as it is scrolled.
        // Also if the clock was set back since: the file would count as used until then.
        guard abs(now.timeIntervalSince(record.lastUsed)) > Self.precision else { return }
        var used = record
        used.lastUsed = now
        try await store.transaction(durability: .relaxed) { [used] db in
            try AssetTable.create(db).write(used)
        }
    }

    /// The precision of ``AssetRecord/lastUsed``, in seconds.
    private static let precision = 3_600.0

    private func add(_ type: String, _ write: (PartialFile) throws -> Void) async throws -> URL {
        guard let folder else { throw SyncError.noAssetFolder }
        try folder.create()
        let partial = environment.uuid().uuidString.lowercased() + PartialFile.suffix
        guard let file = try PartialFile.create(partial, in: folder) else {
            throw SyncError.notWritten(folder.url, because: "a file with a new name exists")
        }
        do {
            try write(file)
            let name = AssetName(digest: file.hexadecimal, type: type)
            guard let url = URL(string: name.reference) else {
                throw SyncError.unknownAsset(name.reference)
            }
            try file.synchronize()
            let record = AssetRecord(
                url: name.reference,
                digest: name.digest,
                bytes: file.length,
                type: type,
                lastUsed: environment.now()
            )
            try await store.transaction(durability: .relaxed) { db in
                try AssetTable.create(db).write(record)
            }
            try file.complete(as: name)
            return url
        } catch {
            file.remove()
            throw error
        }
    }
}
