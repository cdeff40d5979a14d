import Foundation
import GRDB
import Testing
import TidemarkImport
import TidemarkRemote

@testable import TidemarkSync

/// Saving, finding and deleting the cached metadata of pages.
struct PageCacheEntryTests {
    private let database: DatabaseQueue

    init() throws {
        database = try DatabaseQueue()
        try database.write { try SyncTables.create($0) }
    }

    private static func record(_ url: String) throws -> PageCacheEntry {
        PageCacheEntry(
            url: url,
            validator: try #require(CacheValidator(tag: "W/\"a\"", modified: "yesterday")),
            next: URL(string: "https://a.example/films/?page=2"),
            since: "c",
            count: 10,
            total: 77,
            cursor: "c",
            rows: try #require(PageRows(text: "=Film 1-10\n!Person\nFilm 1-10"))
        )
    }

    private func find(_ url: String, in resource: String = "films/") throws -> PageCacheEntry? {
        try database.read { try PageCacheEntry.of(url, in: resource, $0) }
    }

    @Test func `an entry is saved with all values, under its resource and URL`() throws {
        let record = try Self.record("https://a.example/films/")
        let checkpoint = PullCheckpoint(.list, run: "1")
        try database.write { try record.save($0, in: "films/", of: checkpoint) }
        let found = try #require(try find(record.url))
        #expect(found.url == record.url)
        #expect(found.validator == record.validator)
        #expect([found.next?.absoluteString, found.since] == [record.next?.absoluteString, "c"])
        #expect([found.count, found.total] == [10, 77])
        #expect(found.cursor == "c")
        #expect(found.rows == record.rows)
        #expect(try find(record.url, in: "people/") == nil)
        #expect(try find("https://a.example/films") == nil)
    }

    /// Changes of a row by another program, and whether the entry is still valid.
    static let damages = [
        ("tag = NULL", true), ("modified = NULL", true), ("tag = NULL, modified = NULL", false),
        ("marks = 'Film one-two'", false), ("marks = '=x'", false), ("marks = ''", true),
        ("marks = 'Film 0-9223372036854775807'", false), ("next = NULL", true),
        ("next = ''", true), ("since = NULL", true), ("total = NULL, cursor = NULL", true),
        ("count = -1", false),
        ("count = 9223372036854775807", false),
    ]

    @Test(arguments: damages)
    func `an entry with invalid values is ignored`(
        _ set: String,
        _ isRecord: Bool
    ) throws {
        let record = try Self.record("a")
        try database.write { db in
            try record.save(db, in: "films/", of: PullCheckpoint(.list, run: "1"))
            try db.execute(sql: "UPDATE _tidemark_page SET \(set)")
        }
        #expect((try find("a") != nil) == isRecord)
    }

    @Test
    func `deletes entries that a read of the list did not visit, but not those of other parts`()
        throws
    {
        let (first, second) = (PullCheckpoint(.list, run: "1"), PullCheckpoint(.list, run: "2"))
        try database.write { db in
            for url in ["a", "b", "c"] {
                try Self.record(url).save(db, in: "films/", of: first)
            }
            try Self.record("keys").save(db, in: "films/", of: PullCheckpoint(.keys, run: "1"))
            try Self.record("a").save(db, in: "people/", of: first)
            try PageCacheEntry.touch(db, "a", in: "films/", of: second)
            try Self.record("b").save(db, in: "films/", of: second)
            try PageCacheEntry.forgetOthers(db, in: "films/", than: second)
        }
        func known() throws -> [String] {
            try database.read { db in
                try String.fetchAll(
                    db,
                    sql: "SELECT resource || url FROM _tidemark_page ORDER BY resource, url"
                )
            }
        }
        #expect(try known() == ["films/a", "films/b", "films/keys", "people/a"])
        try database.write { try PageCacheEntry.forgetAll($0, in: "films/") }
        #expect(try known() == ["people/a"])
    }
}
