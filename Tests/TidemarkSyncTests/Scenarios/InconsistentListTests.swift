import HTTPTypes
import Testing
import TidemarkImport
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// Objects that are inserted, deleted or changed while a list is read.
struct InconsistentListTests {
    /// The total is unchanged, and no object is repeated: only another read reveals the change.
    @Test(arguments: [Mirror.Dialect.rest, .rails, .offsets, .jsonAPI, .changes])
    func `an insertion and a deletion during a full pull hide no object that moves up`(
        _ dialect: Mirror.Dialect
    ) async throws {
        let mirror = try Mirror(dialect, notes: 6, page: 2)
        try await mirror.pull()
        mirror.fake.scheduleChange { data in
            mirror.put("n0", nil, in: &data)
            mirror.put("n9", "new", in: &data)
        }
        try await mirror.pull { $0.isFull = true }
        #expect(mirror.remote.split(separator: "\n").count == 6)
        #expect(try mirror.local() == mirror.remote)
    }

    @Test(arguments: [Mirror.Dialect.rest, .rails, .offsets, .jsonAPI, .changes])
    func `an insertion and a deletion during a first pull hide no object`(
        _ dialect: Mirror.Dialect
    ) async throws {
        let mirror = try Mirror(dialect, notes: 6, page: 2)
        mirror.clock.advance(by: .seconds(60))
        mirror.write("n1", "newer")
        mirror.fake.scheduleChange { data in
            mirror.put("n0", nil, in: &data)
            mirror.put("n9", "new", in: &data)
        }
        try await mirror.pull()
        try await mirror.pull()
        #expect(try mirror.local() == mirror.remote)
    }

    /// Returns a mirror of seven notes, five of which changed in the same second, and its
    /// transport.
    private static func sameSecond() async throws -> (Mirror, InterceptingTransport) {
        let mirror = try Mirror(.ordered, notes: 7, page: 2)
        while try await mirror.pull().ending == .inconsistent {}
        mirror.clock.advance(by: .seconds(60))
        for key in ["n0", "n1", "n2", "n3", "n4"] { mirror.write(key, "second") }
        return (mirror, InterceptingTransport(mirror.fake, laterPage: "page="))
    }

    @Test(arguments: 1...6)
    func `an object that changes again hides no other change of the same second`(
        _ request: Int
    ) async throws {
        let (mirror, transport) = try await Self.sameSecond()
        transport.before(request) {
            mirror.clock.advance(by: .seconds(60))
            mirror.write("n0", "third")
        }
        _ = try await mirror.engine(over: transport).pull()
        _ = try await mirror.engine(over: transport).pull()
        #expect(try mirror.local() == mirror.remote)
    }

    @Test func `sorted changes advance past pages that are not modified`() async throws {
        let mirror = try Mirror(.ordered, notes: 7, page: 2)
        while try await mirror.pull().ending == .inconsistent {}
        for keys in [["n0", "n1"], ["n2", "n3", "n4", "n5", "n6"]] {
            mirror.clock.advance(by: .seconds(60))
            for key in keys { mirror.write(key, "second") }
        }
        // Pages within one second are requested by number and read twice: the first ones are
        // unmodified.
        let report = try await mirror.pull()
        #expect(report.ending == .complete)
        #expect(report.unchangedPages > 0)
        #expect(try mirror.local() == mirror.remote)
        #expect(try await mirror.pull().imported.isUnchanged)
    }

    @Test(arguments: 1...6)
    func `sorted changes resume wherever they were interrupted`(
        _ request: Int
    ) async throws {
        let (mirror, transport) = try await Self.sameSecond()
        transport.before(request) { mirror.fake.inject(.status(403), times: 1) }
        #expect(try await mirror.engine(over: transport).report().isComplete == false)
        let report = try await mirror.engine(over: transport).pull()
        #expect(report.resources.values.compactMap(\.failure).isEmpty)
        #expect(try mirror.local() == mirror.remote)
    }

    /// The page of keys is unmodified since it first contained the key of the object.
    @Test func `a key that was read before its object does not delete the object later`()
        async throws
    {
        let mirror = try Mirror(.ordered, notes: 2, page: 4)
        try await mirror.pull()
        let transport = InterceptingTransport(mirror.fake, laterPage: "page=")
        transport.before(2) { mirror.write("n9", "new") }
        _ = try await mirror.engine(over: transport).pull()
        #expect(try mirror.local() == mirror.remote)
        mirror.fake.clearRequests()
        let report = try await mirror.pull()
        #expect(mirror.fake.requests.contains { $0.request.path?.contains("fields=id") == true })
        #expect(report.imported.entities["Note"]?.deleted == 0)
        #expect(try mirror.local() == mirror.remote)
    }
}
