import GRDB
import Testing
import TidemarkImport
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTesting

/// Objects that are received twice, and stored once.
struct RepeatedListTests {
    /// SDSyncEngine compared its rows with the list by index: after the first new object,
    /// everything was inserted again.
    @Test(arguments: Mirror.Dialect.plain)
    func `an object that is inserted between others does not duplicate those after it`(
        _ dialect: Mirror.Dialect
    ) async throws {
        let mirror = try Mirror(dialect, notes: 4, page: 10)
        try await mirror.pull()
        mirror.clock.advance(by: .seconds(60))
        mirror.write("n00", "between")

        var predecessor = Predecessor()
        predecessor.rows = (0..<4).map { Predecessor.Row("n\($0)", "first") }
        let listed = mirror.remote.split(separator: "\n").compactMap {
            $0.split(separator: " ").first
        }
        let stored = predecessor.rows.map(\.key)
        for (index, key) in listed.map(String.init).enumerated() {
            guard index >= stored.count || stored[index] != key else { continue }
            predecessor.rows.append(Predecessor.Row(key, "again"))
        }
        try await mirror.pull { $0.isFull = true }

        #expect(
            predecessor.rows.map(\.key).sorted() == [
                "n0", "n00", "n1", "n1", "n2", "n2", "n3", "n3",
            ]
        )
        #expect(mirror.remote == "n0 first\nn00 between\nn1 first\nn2 first\nn3 first")
        #expect(try mirror.local() == mirror.remote)
    }

    /// SDSyncEngine inserted the objects of its first pull without looking up rows: an interrupted
    /// first pull that ran again stored objects twice.
    @Test(arguments: Mirror.Dialect.plain)
    func `an interrupted first pull that runs again stores each object once`(
        _ dialect: Mirror.Dialect
    ) async throws {
        let mirror = try Mirror(dialect, notes: 6, page: 2)
        var predecessor = Predecessor()
        let pages = [0..<2, 2..<4, 4..<6].map { $0.map { Predecessor.Row("n\($0)", "first") } }
        predecessor.rows += pages[0]
        let transport = InterceptingTransport(mirror.fake, laterPage: dialect.laterPage)
        transport.rejectPositions(50, status: 403)
        let report = try await mirror.engine(over: transport).pull()
        #expect(!report.isComplete)
        for page in pages { predecessor.rows += page }
        try await mirror.pull()

        #expect(predecessor.rows.count == 8)
        #expect(try mirror.local() == mirror.remote)
        let rows = try await mirror.store.read { db in try db.count("Note") }
        #expect(rows == 6)
    }

    @Test func `the objects of a list that is read twice are counted once`() async throws {
        let mirror = try Mirror(.changes, notes: 7, page: 3)
        let report = try await mirror.pull()
        #expect(Set(mirror.fake.requests.map(\.status)) == [200, 304])
        #expect(report.imported.entities["Note"]?.inserted == 7)
        #expect(report.items == 7)
    }

    /// The cached next links of pages that were read at different times may lead from the third
    /// page back to the second.
    @Test(.timeLimit(.minutes(40)))
    func `a page whose cached next link forms a cycle is transferred again`() async throws {
        let mirror = try Mirror(.rest, notes: 5, page: 2)
        try await mirror.pull()
        let circle = try await mirror.store.writer.write { db in
            try db.execute(
                sql: """
                    UPDATE _tidemark_page SET next = \
                    (SELECT url FROM _tidemark_page WHERE url LIKE '%page=2%') \
                    WHERE url LIKE '%page=3%'
                    """
            )
            return db.changesCount
        }
        #expect(circle == 1)
        mirror.fake.clearRequests()
        let report = try await mirror.pull()
        #expect(mirror.fake.requests.map(\.status) == [304, 304, 304, 200])
        #expect(report.failure == nil)
        #expect(try mirror.local() == mirror.remote)
    }
}
