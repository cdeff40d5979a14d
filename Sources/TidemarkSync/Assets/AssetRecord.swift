import Foundation
import GRDB

/// What is known about the file of a URL: a row of `_tidemark_asset`.
struct AssetRecord: Sendable, Hashable {
    /// The URL, as rows of the model contain it.
    let url: String

    /// The digest of the content; nil until the file is complete.
    var digest: String?

    /// The length of the content; nil if it is unknown.
    var bytes: Int?

    /// The media type.
    var type: String?

    /// The strong entity tag with which a download is resumed.
    var entityTag: String?

    /// The name of the file with the bytes that were received so far; nil if it is complete.
    var partial: String?

    /// When the file was last requested.
    var lastUsed: Date

    /// The name of the complete file.
    var name: AssetName? { digest.map { AssetName(digest: $0, type: type) } }
}

extension AssetRecord {
    /// Reads a row of the table.
    init(_ row: Row) {
        self.init(
            url: row["url"],
            digest: row["digest"],
            bytes: row["bytes"],
            type: row["type"],
            entityTag: row["etag"],
            partial: row["partial"],
            lastUsed: Date(timeIntervalSince1970: row["lastUsed"])
        )
    }
}
