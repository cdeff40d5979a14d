import Testing
import TidemarkImport
import TidemarkSync
import TidemarkTesting

/// Objects that cannot be stored, in lists of a service that counts its objects.
struct UnstorableObjectTests {
    private static let dialects: [Mirror.Dialect] = [.changes, .kinto, .parse]

    /// Returns a mirror of notes, two of which have a text that cannot be stored.
    private static func mirror(_ dialect: Mirror.Dialect, notes: Int = 9) throws -> Mirror {
        let mirror = try Mirror(dialect, notes: notes, page: 3)
        for key in ["n2", "n5"] {
            mirror.fake.change { $0[mirror.path(key)]?["text"] = ["not": "a text"] }
        }
        return mirror
    }

    /// Returns the notes that can be stored, one per line.
    private static func storable(_ mirror: Mirror) -> String {
        mirror.remote.split(separator: "\n").filter { $0.split(separator: " ").count > 1 }
            .joined(separator: "\n")
    }

    /// Returns the number of requests of a pull if nothing has changed and everything can be
    /// stored.
    private static func baselineRequests(_ dialect: Mirror.Dialect, notes: Int) async throws -> Int
    {
        let mirror = try Mirror(dialect, notes: notes, page: 3)
        try await mirror.pull()
        mirror.clock.advance(by: .seconds(60))
        mirror.fake.clearRequests()
        try await mirror.pull()
        return mirror.fake.requests.count
    }

    /// Pulls a minute later, and returns the number of requests.
    private static func cost(
        _ mirror: Mirror,
        _ change: (inout PullOptions) -> Void = { _ in }
    ) async throws -> Int {
        mirror.clock.advance(by: .seconds(60))
        mirror.fake.clearRequests()
        #expect(try await mirror.pull(change).failure == nil)
        return mirror.fake.requests.count
    }

    /// The service counts rejected objects too, so that each count differs from the number of rows.
    @Test(arguments: dialects)
    func `rejected objects are not requested in every pull, and changes of them are found`(
        _ dialect: Mirror.Dialect
    ) async throws {
        let mirror = try Self.mirror(dialect)
        try await mirror.pull()
        let baseline = try await Self.baselineRequests(dialect, notes: 7)
        #expect(try await Self.cost(mirror) <= baseline)
        #expect(try mirror.local() == Self.storable(mirror))

        let edits: [() -> Void] = [
            { mirror.write("n2", "second") },
            { mirror.write("n0", nil) },
            {
                mirror.write("n5", nil)
                mirror.write("n1", nil)
            },
        ]
        for edit in edits {
            edit()
            _ = try await Self.cost(mirror)
            #expect(try mirror.local() == Self.storable(mirror))
        }
        _ = try await Self.cost(mirror)
        #expect(try await Self.cost(mirror) <= baseline)
    }

    @Test(arguments: dialects)
    func `a pull that is killed at any commit hides no deletion among rejected objects`(
        _ dialect: Mirror.Dialect
    ) async throws {
        let baseline = try await Self.baselineRequests(dialect, notes: 6)
        var crashCount = 0
        var wasKilled = true
        while wasKilled {
            let mirror = try Self.mirror(dialect)
            let processes = PullProcesses(mirror)
            for _ in 0..<2 {
                try await processes.pull()
                mirror.clock.advance(by: .seconds(60))
            }
            mirror.write("n0", nil)
            mirror.write("n1", "second")
            do {
                try await processes.pull(until: crashCount)
                wasKilled = false
            } catch is CrashingCommits.Crash {
                crashCount += 1
            }
            try await processes.pull()
            #expect(try mirror.local() == Self.storable(mirror), "\(crashCount) commits")
            _ = try await Self.cost(mirror)
            #expect(try await Self.cost(mirror) <= baseline, "\(crashCount) commits")
        }
        #expect(crashCount > 5)
    }

    @Test func `a deletion whose tombstone was purged is found among rejected objects`()
        async throws
    {
        let mirror = try Self.mirror(.kinto)
        try await mirror.pull()
        _ = try await Self.cost(mirror)
        for key in ["n0", "n2"] { mirror.write(key, nil) }
        mirror.fake.purgeTombstones()
        mirror.write("n1", "second")
        _ = try await Self.cost(mirror)
        #expect(try mirror.local() == Self.storable(mirror))
    }

    /// With two objects that cannot be stored, the service's count equals the number of rows when
    /// all but two of the missing objects are listed again.
    @Test(arguments: dialects)
    func `a pending deletion stays if rejected objects make up for missing ones in the count`(
        _ dialect: Mirror.Dialect
    ) async throws {
        let mirror = try Self.mirror(dialect, notes: 14)
        let all = try await {
            try await mirror.pull()
            _ = try await Self.cost(mirror)
            return try mirror.local()
        }()
        let keys = (0..<14).map { "n\($0)" }.filter { $0 != "n2" && $0 != "n5" }
        for key in keys { mirror.write(key, nil) }
        // A list of which no object can be stored would fail.
        mirror.write("m0", "new")
        _ = try await Self.cost(mirror)
        #expect(try SyncStatus.of(mirror.store).pendingDeletions.map(\.rowCount) == [12])
        #expect(try mirror.local() == "m0 new\n\(all)")
        for key in keys.dropFirst(2) { mirror.write(key, "back") }
        _ = try await Self.cost(mirror)
        let pending = try SyncStatus.of(mirror.store).pendingDeletions
        #expect(pending.map(\.rowCount) == [2])
        #expect(try mirror.local() != Self.storable(mirror))
        for key in keys.prefix(2) { mirror.write(key, "back") }
        _ = try await Self.cost(mirror)
        #expect(try SyncStatus.of(mirror.store).pendingDeletions == [])
        #expect(try mirror.local() == Self.storable(mirror))
    }
}
