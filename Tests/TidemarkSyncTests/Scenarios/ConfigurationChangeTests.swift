import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// Pulls after the configuration of a list, or the version of the import hooks, has changed.
struct ConfigurationChangeTests {
    private static func statuses(
        after change: (inout Mirror) -> Void
    ) async throws -> [Int?] {
        var mirror = try Mirror(.rest, notes: 6, page: 2)
        try await mirror.pull()
        change(&mirror)
        mirror.fake.clearRequests()
        let report = try await mirror.pull()
        #expect(report.failure == nil)
        #expect(try mirror.local() == mirror.remote)
        return mirror.fake.requests.map(\.status)
    }

    @Test func `an unchanged configuration uses conditional requests`() async throws {
        #expect(try await Self.statuses { _ in } == [304, 304, 304])
    }

    @Test func `a changed configuration reads the whole list again`() async throws {
        let changes: [(inout Mirror) -> Void] = [
            { $0.resource.style.deletes = .none },
            { $0.resource.style.stability = .stable },
            { $0.resource.style.total = .none },
            { $0.resource.style.count = .query([QueryItem("count", "1")]) },
        ]
        for change in changes {
            #expect(try await Self.statuses(after: change).contains(304) == false)
        }
    }

    @Test func `another page size keeps the stored state of the list`() async throws {
        let mirror = try Mirror(.rest, notes: 6, page: 2)
        try await mirror.pull()
        var longer = mirror
        longer.resource.style.parameters.pageSize = [QueryItem("page_size", "6")]
        let before = try SyncStatus.of(mirror.store).resources.map(\.firstFullSync)
        mirror.clock.advance(by: .seconds(1))
        try await longer.pull()
        #expect(try SyncStatus.of(mirror.store).resources.map(\.firstFullSync) == before)
    }

    @Test func `another version of the import hooks is applied to all objects`() async throws {
        let mirror = try Mirror(.rest, notes: 3, page: 2)
        func pull(_ importer: Importer) async throws -> SyncReport {
            try await mirror.engine(by: importer).pull()
        }
        let hooks = ImportHooks(willImport: { _, item, _ in
            guard item.node(at: "id")?.string == "n1" else { return .keep }
            return .replace(try JSONDocument(Array(#"{"id": "n1", "text": "hidden"}"#.utf8)))
        })
        _ = try await pull(Importer(mirror.store, hooks: hooks))
        #expect(try mirror.local() == "n0 first\nn1 hidden\nn2 first")
        #expect(try await pull(Importer(mirror.store)).total.isUnchanged)
        #expect(try mirror.local() == "n0 first\nn1 hidden\nn2 first")
        #expect(try await pull(Importer(mirror.store, version: 2)).total.changedRows == 1)
        #expect(try mirror.local() == mirror.remote)
    }
}
