import Foundation
import GRDB
import TidemarkModel
import TidemarkStore

extension Assets {
    /// Deletes files that were not used for the longest time, until the others have a size.
    ///
    /// Files that were not uploaded yet are kept, whatever their size is: the device has the only
    /// copy. So are those that the app has added during the last day, because a row may not refer
    /// to them yet. A file that was deleted is downloaded when it is requested again.
    ///
    /// ```swift
    /// try await engine.assets.prune(keeping: 200 << 20)    // 200 MiB
    /// ```
    ///
    /// - Parameter bytes: The size of the files to keep.
    /// - Returns: The size of the files that were deleted, in bytes.
    /// - Throws: ``SyncError/Code/noAssetFolder``; an error of Foundation if the folder cannot be
    ///   read; `DatabaseError`.
    @concurrent
    @discardableResult
    public func prune(keeping bytes: Int) async throws -> Int {
        guard let folder else { throw SyncError.noAssetFolder }
        let found = try folder.contents()
        let recent = environment.now().addingTimeInterval(-Self.day)
        let (kept, deleted) = try await store.transaction(durability: .relaxed) { [store] db in
            let selection = try Selection(db, store, found: found, keeping: bytes, since: recent)
            for url in selection.forgotten { try AssetTable.existing(db)?.remove(url) }
            return (selection.kept, selection.deleted)
        }
        var size = 0
        for name in deleted.sorted() where !kept.contains(name) {
            guard try remove(name, from: folder) else { continue }
            size += found[name] ?? 0
        }
        return size
    }

    /// Deletes a file, and returns whether it was deleted: not if it is being written.
    private func remove(_ name: String, from folder: AssetFolder) throws -> Bool {
        guard name.hasSuffix(PartialFile.suffix) else {
            folder.remove(name)
            return true
        }
        guard let file = try PartialFile.create(name, in: folder) else { return false }
        file.remove()
        return true
    }

    private static let day = 86_400.0

    /// The files that stay in the folder, and those that do not.
    private struct Selection {
        private(set) var kept: Set<String> = []
        private(set) var deleted: Set<String> = []
        private(set) var forgotten: [String] = []

        init(
            _ db: Database,
            _ store: Store,
            found: [String: Int],
            keeping bytes: Int,
            since recent: Date
        ) throws {
            let records = try AssetTable.existing(db)?.records() ?? []
            let needed = try store.localAssets(db)
            kept = Set(needed.map(\.fileName))
            var left = bytes
            // The most recently used first.
            for record in records.reversed() {
                let file = record.name?.fileName ?? record.partial ?? ""
                let isAdded = AssetName(reference: record.url) != nil
                if kept.contains(file) { continue }
                guard let size = found[file] else {
                    // Another process may be about to give it its name.
                    if record.lastUsed < recent { forgotten.append(record.url) }
                    continue
                }
                if isAdded && record.lastUsed >= recent || size <= left {
                    kept.insert(file)
                    left -= size
                } else {
                    // Smaller files that were not used for longer are not kept instead.
                    left = 0
                    forgotten.append(record.url)
                }
            }
            // Files without a record were left by processes that were killed.
            deleted = Set(found.keys).subtracting(kept)
        }
    }
}

extension Store {
    /// Returns the files of this device that the service does not have yet.
    ///
    /// They are values of rows, and of rows before or after a change or a conflict.
    func localAssets(_ db: Database) throws -> Set<AssetName> {
        let own = layout.entities.flatMap { entity in
            entity.attributes.filter(\.isAsset).map { attribute in
                let table = layout.tables[entity.table]
                return (table.name, table.columns[attribute.column].name)
            }
        }
        let captured = [
            ("_tidemark_base", "value"), ("_tidemark_conflict_value", "base"),
            ("_tidemark_conflict_value", "local"), ("_tidemark_conflict_value", "remote"),
            ("_tidemark_conflict_value", "kept"),
        ]
        let isCapturing = try Capture.isInstalled(db)
        let columns = own + (isCapturing ? captured : [])
        return try columns.reduce(into: []) { names, column in
            let values = try String.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT \(column.1.quotedDatabaseIdentifier) \
                    FROM \(column.0.quotedDatabaseIdentifier) \
                    WHERE typeof(\(column.1.quotedDatabaseIdentifier)) = 'text' \
                    AND \(column.1.quotedDatabaseIdentifier) GLOB ?
                    """,
                arguments: ["\(AssetName.scheme):*"]
            )
            names.formUnion(values.compactMap(AssetName.init(reference:)))
        }
    }
}
