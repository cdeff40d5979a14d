import GRDB
import Testing
import TidemarkJSON
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTesting

/// Pages that are too long for memory: they are spooled, validated, and applied in short
/// transactions.
struct StreamedPageTests {
    private static func engine(_ mirror: Mirror) throws -> SyncEngine {
        try mirror.engine { limits in
            limits.http.bodyInMemory = 48
            limits.rowsInTransaction = 2
        }
    }

    private static func pages(_ mirror: Mirror) throws -> Int {
        try mirror.store.reader.read { db in
            try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        }
    }

    @Test(arguments: Mirror.Dialect.plain)
    func `spooled pages import the same rows as pages in memory`(
        _ dialect: Mirror.Dialect
    ) async throws {
        let mirror = try Mirror(dialect, notes: 17, page: 7)
        let engine = try Self.engine(mirror)
        let first = try await engine.pull()
        #expect(first.resources.values.compactMap(\.failure).isEmpty)
        #expect(try mirror.local() == mirror.remote)
        mirror.clock.advance(by: .seconds(5))
        mirror.write("n3", "second")
        mirror.write("n16", nil)
        mirror.write("n90", "new")
        let second = try await engine.pull()
        #expect(second.resources.values.compactMap(\.failure).isEmpty)
        #expect(try mirror.local() == mirror.remote)
    }

    @Test func `a spooled page that is rejected leaves nothing in the store's file`() async throws {
        let mirror = try Mirror(.rest, notes: 4, page: 20)
        for number in 0..<4 {
            mirror.write("n\(number)", String(repeating: "x", count: 1 << 20))
        }
        let engine = try Self.engine(mirror)
        mirror.fake.inject(.truncatedBody(after: 100))
        _ = try await engine.report()
        let before = try Self.pages(mirror)
        mirror.fake.removeFaults()
        mirror.fake.inject(.shortBody(after: 4_000_000))
        let failed = try await engine.report()
        let failure = failed.resources.values.first?.failure as? RemoteError
        #expect(failure?.code == .notJSON)
        #expect(try Self.pages(mirror) == before)
        mirror.fake.removeFaults()
        #expect(try await engine.pull().isComplete)
        #expect(try mirror.local() == mirror.remote)
    }

    /// The limits on memory apply to pages in memory and to spooled pages.
    @Test(arguments: [48, 1 << 20])
    func `a page whose object has too many values is rejected and deletes nothing`(
        _ bodyInMemory: Int
    ) async throws {
        let mirror = try Mirror(.rest, notes: 4, page: 20)
        let engine = try mirror.engine { limits in
            limits.http.bodyInMemory = bodyInMemory
            limits.json.itemTokens = 1_000
        }
        #expect(try await engine.pull().isComplete)
        let before = try mirror.local()
        let path = mirror.path("n1")
        mirror.fake.change { $0[path]?["extra"] = .array(Array(repeating: 0, count: 100_000)) }
        let failed = try await engine.report()
        let failure = failed.resources.values.first?.failure
        #expect("\(failure, default: "none")".contains("more than 1000 values and member names"))
        #expect(try mirror.local() == before)
        mirror.fake.change { $0[path]?["extra"] = nil }
        #expect(try await engine.pull().isComplete)
        #expect(try mirror.local() == mirror.remote)
    }

    @Test(arguments: [
        (FakeFault.truncatedBody(after: 200), RemoteError.Code.truncated),
        (.shortBody(after: 200), .notJSON), (.duplicatedBody, .notJSON), (.html, .notJSON),
    ])
    func `an invalid spooled page imports nothing, and a later pull imports everything`(
        _ fault: FakeFault,
        _ code: RemoteError.Code
    ) async throws {
        let mirror = try Mirror(.rest, notes: 17, page: 20)
        let engine = try Self.engine(mirror)
        mirror.fake.inject(fault)
        let failed = try await engine.report()
        let failure = failed.resources.values.first?.failure as? RemoteError
        #expect(failure?.code == code)
        #expect(try mirror.local() == "")
        mirror.fake.removeFaults()
        _ = try await engine.pull()
        #expect(try mirror.local() == mirror.remote)
    }
}
