import HTTPTypes
import Testing
import TidemarkImport
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// What is asked for when little has changed.
struct ChangeCostTests {
    /// SDSyncEngine downloaded every object of every class, each time, to see what was gone.
    @Test func `deletions are found by a count, and a list of nothing but keys`() async throws {
        let mirror = try Mirror(.parse, notes: 5, page: 10)
        try await mirror.pull()
        mirror.clock.advance(by: .seconds(60))
        try await mirror.pull()
        mirror.write("n3", nil)
        mirror.fake.forgetRequests()
        try await mirror.pull()
        let asked = mirror.fake.requests.map { request in
            let path = request.request.path ?? ""
            if path.contains("count=1") { return "count" }
            if path.contains("keys=objectId") { return "keys" }
            return path.contains("updatedAt%22%3A") ? "changes" : "list"
        }
        #expect(Set(asked) == ["changes", "count", "keys"])
        #expect(try mirror.local() == mirror.remote)
    }

    /// RestKit and Overcoat left it to each app to follow the pages of its service.
    @Test(arguments: Mirror.Dialect.plain, [1, 2, 3, 11, 12])
    func `every way of paging brings every object once`(
        _ dialect: Mirror.Dialect,
        _ page: Int
    ) async throws {
        let mirror = try Mirror(dialect, notes: 11, page: page)
        let report = try await mirror.pull()
        #expect(report.failure == nil)
        #expect(report.imported.entities["Note"]?.inserted == 11)
        #expect(try mirror.local() == mirror.remote)
    }
}
