import GRDB
import TidemarkModel
import TidemarkRemote
import TidemarkStore

public import struct Foundation.URL

/// The result of a download of the files of many rows.
///
/// ```swift
/// let report = try await engine.assets.download("photo", of: "Note")
/// for (url, error) in report.failures { print(url, error) }
/// ```
public struct AssetReport: Sendable {
    /// The number of files that were downloaded; those that were stored already are not counted.
    public internal(set) var downloaded = 0

    /// The errors of files that could not be downloaded, by URL; at most `Limits.diagnostics`.
    public internal(set) var failures: [URL: any Error] = [:]

    /// Whether the download ended early, because the service could not be reached or rejected the
    /// credentials.
    public internal(set) var isInterrupted = false
}

extension Assets {
    /// Downloads the files of all rows that the folder does not have, so that they can be used
    /// without a network.
    ///
    /// At most `Limits.concurrency` files are requested at a time. A file that fails does not stop
    /// the others.
    ///
    /// ```swift
    /// _ = try await engine.sync()
    /// _ = try await engine.assets.download("photo", of: "Note")
    /// ```
    ///
    /// - Parameters:
    ///   - attribute: The attribute with the URLs.
    ///   - entity: The entity of the rows, or one that theirs inherit from.
    /// - Returns: What was downloaded.
    /// - Throws: ``SyncError/Code/unknownProperty`` if it is not an attribute of files;
    ///   ``SyncError/Code/noAssetFolder``; `StoreError` if the model lacks the entity;
    ///   `CancellationError`; `DatabaseError`.
    @concurrent
    @discardableResult
    public func download(_ attribute: String, of entity: String) async throws -> AssetReport {
        guard folder != nil else { throw SyncError.noAssetFolder }
        let layout = try store.layout.entity(entity)
        guard let column = layout.attribute(attribute), column.isAsset else {
            throw SyncError.noAsset(attribute, of: entity)
        }
        var report = AssetReport()
        var last = ""
        while !report.isInterrupted {
            try Task.checkCancellation()
            let urls = try await urls(after: last, in: column, of: layout)
            guard let end = urls.last else { break }
            last = end
            try await download(urls.compactMap { URL(string: $0) }, into: &report)
        }
        return report
    }

    /// The number of URLs that are read at a time.
    private static let group = 500

    /// Returns the next URLs of rows whose files are not stored, in their order.
    private func urls(
        after last: String,
        in attribute: AttributeLayout,
        of entity: EntityLayout
    ) async throws -> [String] {
        let table = store.layout.tables[entity.table]
        let column = table.columns[attribute.column].name.quotedDatabaseIdentifier
        let family = entity.family.map { names in
            "AND _entity IN (\(names.map(\.sqlText).joined(separator: ", ")))"
        }
        let sql = """
            SELECT DISTINCT \(column) FROM \(table.name.quotedDatabaseIdentifier) \
            WHERE \(column) > ? \(family ?? "") ORDER BY \(column) LIMIT \(Self.group)
            """
        return try await store.writer.read { [store] db in
            try store.expectLayout(db)
            return try String.fetchAll(db, sql: sql, arguments: [last])
        }
    }

    private func download(_ urls: [URL], into report: inout AssetReport) async throws {
        let urls = try await urls.missing(in: self)
        var waiting = urls[...]
        try await withThrowingTaskGroup(of: (URL, (any Error)?).self) { group in
            func start() {
                guard let url = waiting.popFirst() else { return }
                group.addTask {
                    do {
                        _ = try await file(for: url)
                        return (url, nil)
                    } catch let error as CancellationError {
                        throw error
                    } catch {
                        return (url, error)
                    }
                }
            }
            for _ in 0..<max(1, limits.concurrency) { start() }
            while let (url, error) = try await group.next() {
                report.add(error, of: url, limit: limits.diagnostics)
                if !report.isInterrupted { start() }
            }
        }
    }
}

extension [URL] {
    /// Returns the URLs whose files a folder does not have.
    fileprivate func missing(in assets: Assets) async throws -> [URL] {
        var missing: [URL] = []
        for url in self where url.scheme != AssetName.scheme {
            if try await !assets.hasFile(for: url) { missing.append(url) }
        }
        return missing
    }
}

extension AssetReport {
    fileprivate mutating func add(_ error: (any Error)?, of url: URL, limit: Int) {
        guard let error else {
            downloaded += 1
            return
        }
        if failures.count < limit { failures[url] = error }
        let remote = error as? RemoteError
        let codes: [RemoteError.Code] = [.unreachable, .tlsFailed, .rateLimited]
        if remote?.status == 401 || remote.map({ codes.contains($0.code) }) ?? false {
            isInterrupted = true
        }
    }
}

extension AttributeLayout {
    /// Whether the values are the URLs of files.
    var isAsset: Bool { attribute.json.isAsset && attribute.type == .uri }
}

extension String {
    /// The text as a literal of SQL.
    fileprivate var sqlText: String { "'\(replacing("'", with: "''"))'" }
}
