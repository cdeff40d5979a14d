import GRDB
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTesting

/// Pages that are longer than memory should hold: they are put aside, looked over, and applied in
/// short transactions.
struct LongPageTests {
    private static func engine(_ mirror: Mirror) throws -> SyncEngine {
        try mirror.engine { limits in
            limits.bodyInMemory = 48
            limits.rowsInTransaction = 2
        }
    }

    private static func stagedPieces(_ mirror: Mirror) throws -> Int? {
        try mirror.store.writer.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM _tidemark_stage")
        }
    }

    @Test(arguments: Mirror.Dialect.plain)
    func `long pages bring what short ones bring, and nothing is left aside`(
        _ dialect: Mirror.Dialect
    ) async throws {
        let mirror = try Mirror(dialect, notes: 17, page: 7)
        let engine = try Self.engine(mirror)
        let first = try await engine.pull()
        #expect(first.resources.values.compactMap(\.failure).isEmpty)
        #expect(try mirror.local() == mirror.remote)
        #expect(try Self.stagedPieces(mirror) == 0)
        mirror.clock.advance(by: .seconds(5))
        mirror.write("n3", "second")
        mirror.write("n16", nil)
        mirror.write("n90", "new")
        let second = try await engine.pull()
        #expect(second.resources.values.compactMap(\.failure).isEmpty)
        #expect(try mirror.local() == mirror.remote)
        #expect(try Self.stagedPieces(mirror) == 0)
    }

    @Test(arguments: [
        (FakeFault.cut(after: 200), RemoteError.Code.truncated),
        (.short(after: 200), .notJSON), (.twice, .notJSON), (.html, .notJSON),
    ])
    func `a long page that is broken brings nothing, and a later pull everything`(
        _ fault: FakeFault,
        _ code: RemoteError.Code
    ) async throws {
        let mirror = try Mirror(.rest, notes: 17, page: 20)
        let engine = try Self.engine(mirror)
        mirror.fake.misbehave(fault)
        let failed = try await engine.report()
        let failure = failed.resources.values.first?.failure as? RemoteError
        #expect(failure?.code == code)
        #expect(try mirror.local() == "")
        mirror.fake.behave()
        _ = try await engine.pull()
        #expect(try mirror.local() == mirror.remote)
        #expect(try Self.stagedPieces(mirror) == 0)
    }
}
