import Foundation
import GRDB
import TidemarkImport
import TidemarkRemote

/// What is known of a page that was read before: by which words the service can tell that it is as
/// it was, what came behind it, and which rows it named.
struct PageCacheEntry: Sendable {
    var url: String
    /// The reading of the list that has read the page or found it unmodified last.
    var run = ""
    var validator: CacheValidator
    var next: URL?
    /// Since when the changes are told that the page behind it has, where it has changes.
    var since: String?
    var count: Int
    var total: Int?
    var cursor: String?
    var marks: PageRows

    /// The record of a page; nil where there is none.
    static func of(_ url: String, in resource: String, _ db: Database) throws -> PageCacheEntry? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT * FROM _tidemark_page WHERE resource = ? AND url = ?"
            ),
            arguments: [resource, url]
        )
        guard let row, let validator = CacheValidator(tag: row["tag"], modified: row["modified"]),
            let marks = PageRows(text: row["marks"]),
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
            marks: marks
        )
    }

    /// Whether there is any record of a resource.
    static func areThere(_ db: Database, in resource: String) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: "SELECT EXISTS (SELECT * FROM _tidemark_page WHERE resource = ?)",
            arguments: [resource]
        ) ?? false
    }

    /// Writes the record, of a page that a walk has just read.
    func save(_ db: Database, in resource: String, of walk: PullCheckpoint) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO _tidemark_page \
                (resource, url, leg, run, tag, modified, next, since, count, total, cursor, marks) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
        .execute(arguments: [
            resource, url, walk.leg.name, walk.run, validator.tag, validator.modified,
            next?.absoluteString, since, count, total, cursor, marks.text,
        ])
    }

    /// Notes that a walk has found the page as it was.
    static func touch(
        _ db: Database,
        _ url: String,
        in resource: String,
        of walk: PullCheckpoint
    ) throws {
        try db.cachedStatement(
            sql: "UPDATE _tidemark_page SET run = ? WHERE resource = ? AND url = ?"
        )
        .execute(arguments: [walk.run, resource, url])
    }

    /// Forgets the pages of a leg that a walk has not come by: the list has no such pages any more.
    static func forgetOthers(_ db: Database, in resource: String, than walk: PullCheckpoint) throws
    {
        try db.execute(
            sql: "DELETE FROM _tidemark_page WHERE resource = ? AND leg = ? AND run <> ?",
            arguments: [resource, walk.leg.name, walk.run]
        )
    }

    /// Forgets all pages of a resource.
    static func forgetAll(_ db: Database, in resource: String) throws {
        try db.execute(
            sql: "DELETE FROM _tidemark_page WHERE resource = ?",
            arguments: [resource]
        )
    }
}

extension PageRequest.Purpose {
    /// Since when changes are asked for; nil where it is something else.
    var since: String? {
        switch self {
        case .changes(let since): since
        case .list, .keys: nil
        }
    }
}
