import HTTPTypes
import Testing
import TidemarkImport
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// The requests of a pull when little has changed.
struct ChangeCostTests {
    /// SDSyncEngine downloaded every object of every class, each time, to find deletions.
    @Test func `deletions are found by a count and a list of keys`() async throws {
        let mirror = try Mirror(.parse, notes: 5, page: 10)
        try await mirror.pull()
        mirror.clock.advance(by: .seconds(60))
        try await mirror.pull()
        mirror.write("n3", nil)
        mirror.fake.clearRequests()
        try await mirror.pull()
        let requested = mirror.fake.requests.map { request in
            let path = request.request.path ?? ""
            if path.contains("count=1&limit=0") { return "count" }
            if path.contains("keys=objectId") { return "keys" }
            return path.contains("updatedAt%22%3A") ? "changes" : "list"
        }
        #expect(Set(requested) == ["changes", "count", "keys"])
        #expect(try mirror.local() == mirror.remote)
    }

    @Test func `the second read of a list that lacks a row is conditional`() async throws {
        let mirror = try Mirror(.rails, notes: 9, page: 3)
        try await mirror.pull()
        mirror.write("n0", nil)
        mirror.fake.clearRequests()
        try await mirror.pull()
        let statuses = mirror.fake.requests.map(\.status)
        #expect(statuses == [200, 200, 200, 304, 304, 304])
        #expect(try mirror.local() == mirror.remote)
    }

    @Test func `unsorted changes are requested since the latest stamp that was ever seen`()
        async throws
    {
        let mirror = try Mirror(.changes, notes: 0, page: 3)
        for note in 0..<30 {
            mirror.write("n\(note)", "first")
            mirror.clock.advance(by: .seconds(60))
        }
        var requests: [Int] = []
        for _ in 0..<3 {
            mirror.fake.clearRequests()
            try await mirror.pull()
            requests.append(mirror.fake.requests.count { $0.request.method == .get })
        }
        // Ten pages are read twice, because nothing proves that no object moved; later pulls
        // request only the latest change.
        #expect(requests == [20, 1, 1])
        #expect(try mirror.local() == mirror.remote)
    }

    /// RestKit and Overcoat left pagination to the app.
    @Test(arguments: Mirror.Dialect.plain, [1, 2, 3, 11, 12])
    func `every pagination imports every object once`(
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
