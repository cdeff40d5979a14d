import Testing
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// The account that a store belongs to.
struct AccountTests {
    /// SDSyncEngine kept one cache for all users: the next user saw the rows of the previous one,
    /// and the next sync deleted them.
    @Test func `a store belongs to one account, and pulls of other accounts are rejected`()
        async throws
    {
        let mirror = try Mirror(.rest, notes: 3)
        func engine(_ account: String?, _ service: Service) throws -> SyncEngine {
            try SyncEngine(
                store: mirror.store,
                service: service,
                resources: [service.resource("Note", path: "notes/")],
                transport: mirror.fake,
                account: account,
                environment: mirror.clock.environment
            )
        }
        #expect(try await engine("ada", mirror.service).pull().isComplete)
        let before = try mirror.local()
        for key in ["n0", "n1"] { mirror.write(key, nil) }
        mirror.fake.clearRequests()
        for account in ["alan", nil] {
            let failure = await #expect(throws: SyncError.self) {
                try await engine(account, mirror.service).pull()
            }
            #expect(failure?.code == .serviceMismatch)
        }
        var other = mirror.service
        other.name = "another"
        await #expect(throws: SyncError.self) { try await engine("ada", other).pull() }
        #expect(mirror.fake.requests.isEmpty)
        #expect(try mirror.local() == before)
        #expect(try await engine("ada", mirror.service).pull().isComplete)
        #expect(try mirror.local() == "n2 first")
    }
}
