import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTesting

/// Lists that prove deletions, and lists that do not.
struct PartialListTests {
    /// SDSyncEngine read the first hundred objects, which is the default limit of Parse, and
    /// deleted the rows of all others.
    @Test func `rows of later pages are kept`() async throws {
        let mirror = try Mirror(.parse, notes: 150, page: 100)
        try await mirror.pull()
        mirror.write("n149", nil)
        mirror.write("n3", "second")

        var predecessor = Predecessor()
        predecessor.rows = (0..<150).map { Predecessor.Row("n\($0)", "first") }
        let listed = try await mirror.fake.page("classes/Note")
        predecessor.merge(listed)
        let keys = Set(listed.map(\.key))
        predecessor.rows.removeAll { !keys.contains($0.key) }
        try await mirror.pull()

        #expect(predecessor.rows.count == 100)
        #expect(mirror.remote.split(separator: "\n").count == 149)
        #expect(try mirror.local() == mirror.remote)
    }

    /// SDSyncEngine treated an empty list as a failed one: the rows of an emptied class were never
    /// deleted.
    @Test(arguments: [Mirror.Dialect.parse, .rest, .kinto, .rails])
    func `an empty complete list deletes all rows`(
        _ dialect: Mirror.Dialect
    ) async throws {
        let mirror = try Mirror(dialect, notes: 3)
        try await mirror.pull()
        var predecessor = Predecessor()
        predecessor.rows = (0..<3).map { Predecessor.Row("n\($0)", "first") }
        for row in predecessor.rows { mirror.write(row.key, nil) }

        let listed: [Predecessor.Row] = []
        if listed.count > 0 { predecessor.rows = listed }
        try await mirror.pull()

        #expect(mirror.remote == "")
        #expect(predecessor.local == "n0 first\nn1 first\nn2 first")
        #expect(try mirror.local() == "")
    }

    /// The last page is unmodified, and no longer the last.
    @Test(arguments: Mirror.Dialect.followed, [3, 6])
    func `objects after a full page are found`(
        _ dialect: Mirror.Dialect,
        _ notes: Int
    ) async throws {
        let mirror = try Mirror(dialect, notes: notes, page: 3)
        for _ in 0..<2 { try await mirror.pull() }
        mirror.clock.advance(by: .seconds(60))
        mirror.write("n9", "new")
        for _ in 0..<2 { try await mirror.pull() }
        #expect(try mirror.local() == mirror.remote)
    }

    /// SDSyncEngine wrote each response to a file: if the list of keys failed, the file still
    /// contained the changes that were requested before, and all other rows were deleted.
    @Test func `a list of keys that fails deletes nothing`() async throws {
        let mirror = try Mirror(.parse, notes: 5, page: 10)
        try await mirror.pull()
        mirror.clock.advance(by: .seconds(60))
        mirror.write("n0", "second")
        mirror.write("n4", nil)

        var predecessor = Predecessor()
        predecessor.rows = (0..<5).map { Predecessor.Row("n\($0)", "first") }
        let changes = try await mirror.fake.changes(since: "2017-07-14T02:40:30.000Z")
        predecessor.merge(changes)
        let keys = Set(changes.map(\.key))
        predecessor.rows.removeAll { !keys.contains($0.key) }
        let transport = RejectingTransport(mirror.fake) { $0.contains("keys=objectId") }
        let report = try await mirror.engine(over: transport).pull()

        #expect(!report.isComplete)
        #expect(predecessor.local == "n0 second")
        #expect(
            try mirror.local() == "n0 second\nn1 first\nn2 first\nn3 first\nn4 first"
        )
        try await mirror.pull()
        #expect(try mirror.local() == mirror.remote)
    }

    /// SDSyncEngine deleted unlisted rows before it uploaded rows that were created locally, and
    /// which the service had not assigned a key yet.
    @Test(arguments: Mirror.Dialect.plain)
    func `a row without a key is kept when unlisted rows are deleted`(
        _ dialect: Mirror.Dialect
    ) async throws {
        let mirror = try Mirror(dialect, notes: 3)
        try await mirror.pull()
        try await mirror.store.write { db in
            try db.insert("Note", values: ["text": .string("made here")])
        }
        mirror.clock.advance(by: .seconds(60))
        mirror.write("n1", nil)

        var predecessor = [nil, "n0", "n1", "n2"] as [String?]
        predecessor.removeAll { key in !["n0", "n2"].contains(key) }
        try await mirror.pull { $0.isFull = true }
        try await mirror.pull()

        #expect(predecessor == ["n0", "n2"])
        let rows = try await mirror.store.writer.read { db in
            try String.fetchAll(
                db,
                sql: "SELECT coalesce(id, '–') || ' ' || text FROM Note ORDER BY id"
            )
        }
        #expect(rows == ["– made here", "n0 first", "n2 first"])
    }

    /// RestKit treated objects that it could not map as objects that the list did not contain.
    @Test func `an object that cannot be imported keeps its row`() async throws {
        let mirror = try Mirror(.rest, notes: 3)
        try await mirror.pull()
        mirror.fake["notes/n1"]?["text"] = ["no": "text"]
        mirror.write("n2", nil)

        let listed = try await mirror.fake.page("notes/")
        let mapped = listed.filter { !$0.text.isEmpty }.map(\.key)
        var predecessor = Predecessor()
        predecessor.rows = (0..<3).map { Predecessor.Row("n\($0)", "first") }
        predecessor.rows.removeAll { !mapped.contains($0.key) }
        let report = try await mirror.pull()

        #expect(predecessor.local == "n0 first")
        #expect(report.imported.diagnostics.isEmpty == false)
        #expect(try mirror.local() == "n0 first\nn1 first")
    }

    /// RestKit deleted rows that a page did not contain, although the list had other pages.
    @Test(arguments: Mirror.Dialect.plain)
    func `a page deletes no rows of other pages`(_ dialect: Mirror.Dialect) async throws {
        let mirror = try Mirror(dialect, notes: 8, page: 2)
        var predecessor = Predecessor()
        for page in [0..<2, 2..<4, 4..<6, 6..<8] {
            predecessor.rows = page.map { Predecessor.Row("n\($0)", "first") }
        }
        try await mirror.pull()
        try await mirror.pull { $0.isFull = true }
        #expect(predecessor.local == "n6 first\nn7 first")
        #expect(try mirror.local() == mirror.remote)
        #expect(mirror.remote.split(separator: "\n").count == 8)
    }
}
