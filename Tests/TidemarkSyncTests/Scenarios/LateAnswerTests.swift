import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTesting

/// Answers that are older than what is stored, and answers that say that nothing is newer.
struct LateAnswerTests {
    /// RestKit wrote whatever came last: an answer that had been under way for long overwrote what
    /// was newer.
    @Test func `an answer that comes late does not overwrite what is newer`() async throws {
        let mirror = try Mirror(.rest, notes: 2)
        var theirs = Predecessor()
        let late = try await mirror.fake.page("notes/")
        let rival = try mirror.engine()
        let way = DelayedFirstResponse(mirror.fake) {
            // The answer is on its way while time goes by, and another process pulls.
            mirror.write("n0", "newer")
            mirror.clock.advance(by: .seconds(200))
            _ = try await rival.pull()
        }
        let failure = await #expect(throws: SyncError.self) {
            try await mirror.engine(over: way) { $0.idleTimeout = .seconds(30) }.pull()
        }
        theirs.merge(try await mirror.fake.page("notes/"))
        theirs.merge(late)

        #expect(failure?.code == .overtaken)
        #expect(mirror.remote == "n0 newer\nn1 first")
        #expect(theirs.local == "n0 first\nn1 first")
        #expect(try mirror.local() == mirror.remote)
    }

    /// RestKit mapped a 304 as an empty answer, and whoever deleted orphans lost everything.
    @Test(arguments: [Mirror.Dialect.rest, .rails, .kinto, .offsets])
    func `an answer that nothing has changed changes nothing`(
        _ dialect: Mirror.Dialect
    ) async throws {
        let mirror = try Mirror(dialect)
        try await mirror.pull()
        let before = try mirror.local()
        mirror.fake.forgetRequests()
        var theirs = Predecessor()
        theirs.rows = [Predecessor.Row("n0", "first")]
        let mapped: [Predecessor.Row] = []
        theirs.rows.removeAll { !mapped.contains($0) }
        let report = try await mirror.pull()

        #expect(Set(mirror.fake.requests.map(\.status)) == [304])
        #expect(report.ending == .unchanged)
        #expect(theirs.local == "")
        #expect(try mirror.local() == before)
        #expect(before == mirror.remote)
    }

    /// RestKit believed its cache of answers, whatever had become of the rows that they had named.
    @Test(arguments: [Mirror.Dialect.rest, .rails, .offsets])
    func `rows that somebody has deleted here come back, though the service has no news`(
        _ dialect: Mirror.Dialect
    ) async throws {
        let mirror = try Mirror(dialect)
        try await mirror.pull()
        try await mirror.store.writer.write { db in
            try db.execute(sql: "DELETE FROM Note WHERE id IN ('n1', 'n5')")
        }
        try await mirror.pull()
        #expect(try mirror.local() == mirror.remote)
    }
}
