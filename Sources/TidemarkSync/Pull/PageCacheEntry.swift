import Foundation
import GRDB
import TidemarkImport
import TidemarkRemote

/// The cached metadata of a page: its validator, the next page, and the rows that it named.
struct PageCacheEntry: Sendable {
    var url: String
    /// The read of the list that last received the page or found it unmodified.
    var run = ""
    var validator: CacheValidator
    var next: URL?
    /// The cursor of the next page, if that is a page of changes.
    var since: String?
    var count: Int
    var total: Int?
    var cursor: String?
    /// The rows that the page named.
    var rows: PageRows

    /// Returns the entry of a page; nil if the page is not cached or the entry is damaged.
    static func of(_ url: String, in resource: String, _ db: Database) throws -> PageCacheEntry? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT * FROM _tidemark_page WHERE resource = ? AND url = ?"
            ),
            arguments: [resource, url]
        )
        // A damaged entry is ignored: the page is received again.
        guard let row, let validator = CacheValidator(tag: row["tag"], modified: row["modified"]),
            let rows = PageRows(text: row["marks"]),
            let count = Int32(exactly: row["count"] as Int64), count >= 0
        else { return nil }
        let next: String? = row["next"]
        return PageCacheEntry(
            url: url,
            run: row["run"],
            validator: validator,
            next: next.flatMap { URL(string: $0) },
            since: row["since"],
            count: Int(count),
            total: row["total"],
            cursor: row["cursor"],
            rows: rows
        )
    }

    /// Returns whether any page of a resource is cached.
    static func exist(_ db: Database, in resource: String) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: "SELECT EXISTS (SELECT * FROM _tidemark_page WHERE resource = ?)",
            arguments: [resource]
        ) ?? false
    }

    /// Saves the entry of a page that was just read.
    func save(_ db: Database, in resource: String, of checkpoint: PullCheckpoint) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO _tidemark_page \
                (resource, url, leg, run, tag, modified, next, since, count, total, cursor, marks) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
        .execute(arguments: [
            resource, url, checkpoint.mode.name, checkpoint.run, validator.tag, validator.modified,
            next?.absoluteString, since, count, total, cursor, rows.text,
        ])
    }

    /// Marks the entry of a page that was found unmodified.
    static func touch(
        _ db: Database,
        _ url: String,
        in resource: String,
        of checkpoint: PullCheckpoint
    ) throws {
        try db.cachedStatement(
            sql: "UPDATE _tidemark_page SET run = ? WHERE resource = ? AND url = ?"
        )
        .execute(arguments: [checkpoint.run, resource, url])
    }

    /// Deletes the entries of pages that a read of the list did not visit: they no longer exist.
    static func forgetOthers(
        _ db: Database,
        in resource: String,
        than checkpoint: PullCheckpoint
    ) throws {
        try db.execute(
            sql: "DELETE FROM _tidemark_page WHERE resource = ? AND leg = ? AND run <> ?",
            arguments: [resource, checkpoint.mode.name, checkpoint.run]
        )
    }

    /// Deletes the entries of all pages of a resource.
    static func forgetAll(_ db: Database, in resource: String) throws {
        try db.execute(
            sql: "DELETE FROM _tidemark_page WHERE resource = ?",
            arguments: [resource]
        )
    }
}
