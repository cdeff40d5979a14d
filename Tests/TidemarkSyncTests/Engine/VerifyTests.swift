import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync
import TidemarkTesting

/// What differs between a store and its service.
struct VerifyTests {
    /// The differences, a line each: rows that only the store has are `here`.
    private static func lines(_ verification: SyncVerification) -> [String] {
        verification.differences.rows.map { row in
            let side = row.here == nil ? "there" : row.there == nil ? "here" : "both"
            let properties = row.properties.map {
                "\($0) \(row.here?[$0] ?? .null) \(row.there?[$0] ?? .null)"
            }
            return ([row.row.description, side] + properties).joined(separator: " ")
        }
    }

    @Test(arguments: Mirror.Dialect.usual)
    func `a store that was pulled is like its service`(_ dialect: Mirror.Dialect) async throws {
        let mirror = try Mirror(dialect)
        try await mirror.pull()
        let verification = try await mirror.engine().verify()
        #expect(verification.isAlike)
        #expect(verification.differences.count == 0)
    }

    @Test(arguments: Mirror.Dialect.usual)
    func
        `rows that differ are told, and neither the store nor what is known of the service changes`(
            _ dialect: Mirror.Dialect
        ) async throws
    {
        let mirror = try Mirror(dialect)
        try await mirror.pull()
        try await mirror.store.writer.write { db in
            try db.execute(sql: "UPDATE Note SET text = 'mine' WHERE id = 'n2'")
            try db.execute(sql: "DELETE FROM Note WHERE id = 'n5'")
            try db.execute(sql: "INSERT INTO Note (id, text) VALUES ('n77', 'mine')")
        }
        let before = try mirror.everything()
        let verification = try await mirror.engine().verify()
        #expect(!verification.isAlike)
        #expect(
            Set(Self.lines(verification)) == [
                "Note#3 both text string(\"mine\") string(\"first\")",
                "Note#8 here", "Note#9 there",
            ]
        )
        #expect(try mirror.everything() == before)
    }

    @Test func `a service that cannot be read to its end proves nothing`() async throws {
        let mirror = try Mirror(.rest)
        try await mirror.pull()
        mirror.fake.misbehave(.status(404), times: 9)
        let verification = try await mirror.engine().verify()
        #expect(verification.differences.isEmpty)
        #expect(!verification.isAlike)
        #expect(verification.report.resources.values.first?.failure is RemoteError)
    }

    @Test func `a rehearsal tells what would happen, and does not do it`() async throws {
        let mirror = try Mirror(.kinto)
        let report = try await mirror.engine().rehearsal().pull()
        #expect(report.total.entities["Note"]?.inserted == 7)
        #expect(try mirror.local() == "")
        #expect(try SyncStatus.of(mirror.store).service == nil)
    }
}
