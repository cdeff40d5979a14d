import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTesting

/// Responses that are older than the stored rows, and responses that nothing is modified.
struct LateResponseTests {
    /// RestKit stored whichever response arrived last: a delayed response overwrote newer values.
    @Test func `a late response does not overwrite newer values`() async throws {
        let mirror = try Mirror(.rest, notes: 2)
        var predecessor = Predecessor()
        let late = try await mirror.fake.page("notes/")
        let concurrentEngine = try mirror.engine()
        let transport = DelayedFirstResponse(mirror.fake) {
            // The response is delayed until the lease has expired and another process has pulled.
            mirror.write("n0", "newer")
            mirror.clock.advance(by: .seconds(200))
            _ = try await concurrentEngine.pull()
        }
        let failure = await #expect(throws: SyncError.self) {
            try await mirror.engine(over: transport) { $0.http.idleTimeout = .seconds(30) }.pull()
        }
        predecessor.merge(try await mirror.fake.page("notes/"))
        predecessor.merge(late)

        #expect(failure?.code == .leaseLost)
        #expect(mirror.remote == "n0 newer\nn1 first")
        #expect(predecessor.local == "n0 first\nn1 first")
        #expect(try mirror.local() == mirror.remote)
    }

    /// RestKit mapped a 304 as an empty response, so that deleting orphans deleted all rows.
    @Test(arguments: [Mirror.Dialect.rest, .rails, .kinto, .offsets])
    func `a 304 response changes nothing`(
        _ dialect: Mirror.Dialect
    ) async throws {
        let mirror = try Mirror(dialect)
        try await mirror.pull()
        let before = try mirror.local()
        mirror.fake.clearRequests()
        var predecessor = Predecessor()
        predecessor.rows = [Predecessor.Row("n0", "first")]
        let mapped: [Predecessor.Row] = []
        predecessor.rows.removeAll { !mapped.contains($0) }
        let report = try await mirror.pull()

        #expect(Set(mirror.fake.requests.map(\.status)) == [304])
        #expect(report.ending == .unchanged)
        #expect(predecessor.local == "")
        #expect(try mirror.local() == before)
        #expect(before == mirror.remote)
    }

    /// RestKit used its cache of responses even after rows that they contained were deleted.
    @Test(arguments: [Mirror.Dialect.rest, .rails, .offsets])
    func `rows that were deleted locally are restored, even if the list is not modified`(
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
