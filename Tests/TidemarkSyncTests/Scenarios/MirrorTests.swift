import GRDB
import Testing
import TidemarkImport
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTesting

/// Pulls in every dialect, after which the store is in sync with the service.
struct MirrorTests {
    @Test func `members that report deletions are not reported as unknown`() async throws {
        let kinto = try Mirror(.kinto)
        try await kinto.pull()
        kinto.write("n0", nil)
        let deletion = try await kinto.pull()
        #expect(deletion.imported.entities["Note"]?.deleted == 1)
        #expect(!deletion.imported.diagnostics.contains { "\($0)".contains("deleted") })

        var marked = try Mirror(.rest)
        marked.service.style.deletes = .marked(["is_deleted"])
        marked.resource = marked.service.resource("Note", path: marked.dialect.path)
        marked.fake.change { $0["notes/n1"]?["is_deleted"] = true }
        let report = try await marked.pull()
        #expect(report.imported.entities["Note"]?.inserted == 6)
        #expect(report.imported.diagnostics == [])
    }

    @Test(arguments: Mirror.Dialect.plain)
    func `a first pull imports everything, and a second one changes nothing`(
        _ dialect: Mirror.Dialect
    ) async throws {
        let mirror = try Mirror(dialect)
        let first = try await mirror.pull()
        #expect(first.failure == nil)
        #expect(first.ending == .complete)
        #expect(try mirror.local() == mirror.remote)
        let second = try await mirror.pull()
        #expect(second.imported.changedRows == 0)
        #expect(try mirror.local() == mirror.remote)
    }

    @Test(arguments: Mirror.Dialect.plain)
    func `a pull finds objects that were changed, created or deleted`(
        _ dialect: Mirror.Dialect
    ) async throws {
        let mirror = try Mirror(dialect)
        try await mirror.pull()
        mirror.clock.advance(by: .seconds(5))
        mirror.write("n2", "second")
        mirror.write("n9", "new")
        mirror.write("n4", nil)
        let report = try await mirror.pull()
        #expect(report.failure == nil)
        #expect(try mirror.local() == mirror.remote)
        let counts = report.imported.entities["Note"]
        #expect(counts?.inserted == 1)
        #expect(counts?.updated == 1)
        #expect(counts?.deleted == 1)
    }

    @Test(arguments: Mirror.Dialect.plain)
    func `a change at the same time as the last seen one is not missed`(
        _ dialect: Mirror.Dialect
    ) async throws {
        let mirror = try Mirror(dialect)
        try await mirror.pull()
        for text in ["a", "b", "c"] {
            mirror.write("n1", text)
            mirror.write("n5", text)
            try await mirror.pull()
            #expect(try mirror.local() == mirror.remote)
        }
    }

    @Test(arguments: Mirror.Dialect.plain)
    func `a pull that fails at its first request stores nothing, and the next one completes`(
        _ dialect: Mirror.Dialect
    ) async throws {
        let mirror = try Mirror(dialect)
        mirror.fake.inject(.status(404), times: 1, at: nil)
        let failed = try await mirror.pull()
        #expect(failed.ending == .failed)
        #expect(try mirror.local() == "")
        try await mirror.pull()
        #expect(try mirror.local() == mirror.remote)
    }

    @Test(arguments: Mirror.Dialect.plain)
    func `a reset service deletes no rows without approval`(
        _ dialect: Mirror.Dialect
    ) async throws {
        let mirror = try Mirror(dialect, notes: 12)
        try await mirror.pull()
        let before = try mirror.local()
        mirror.fake.reset()
        mirror.clock.advance(by: .seconds(5))
        let report = try await mirror.pull()
        #expect(report.pendingDeletion?.rowCount == 12)
        #expect(try mirror.local() == before)
        let importer = Importer(mirror.store)
        _ = try await mirror.store.writer.write { db in
            try importer.approveDeletion(db, report.pendingDeletion?.resource ?? "")
        }
        #expect(try mirror.local() == "")
        try await mirror.pull()
        #expect(try mirror.local() == mirror.remote)
    }

    @Test(arguments: Mirror.Dialect.plain)
    func `an erased store is filled again`(_ dialect: Mirror.Dialect) async throws {
        let mirror = try Mirror(dialect)
        try await mirror.pull()
        try await mirror.store.write { db in try db.erase() }
        #expect(try mirror.local() == "")
        let report = try await mirror.pull()
        #expect(report.imported.entities["Note"]?.inserted == 7)
        #expect(try mirror.local() == mirror.remote)
    }
}
