import struct Foundation.URL

extension SyncError {
    /// The error for a store without a folder.
    static let noAssetFolder = SyncError(
        .noAssetFolder,
        "The store has no folder for files.",
        hint: "It has no file of its own: pass `assetFolder` to `SyncEngine.prepare`."
    )

    /// Returns the error for a file that the folder does not have.
    static func unknownAsset(_ url: String) -> SyncError {
        SyncError(
            .unknownAsset,
            "There is no file for “\(url)”.",
            hint: "It was deleted, or it was added to the folder of another store."
        )
    }

    /// Returns the error for a file that is too long.
    static func assetTooLarge(limit: Int) -> SyncError {
        SyncError(
            .assetTooLarge,
            "The file is longer than \(limit) bytes.",
            hint: "Make it smaller, or raise `Limits.http.assetBytes`."
        )
    }

    /// Returns the error for a file that cannot be written.
    static func notWritten(_ file: URL, because reason: String) -> SyncError {
        SyncError(
            .assetNotWritten,
            "The file \(file.path) cannot be written: \(reason).",
            hint: "Its folder must be writable, and the disk must have space."
        )
    }

    /// Returns the error for an attribute that contains no files.
    static func noAsset(_ attribute: String, of entity: String) -> SyncError {
        SyncError(
            .unknownProperty,
            "\(entity).\(attribute) is not an attribute of files.",
            hint: "Declare it as a `uri` with `asset: true`."
        )
    }
}
