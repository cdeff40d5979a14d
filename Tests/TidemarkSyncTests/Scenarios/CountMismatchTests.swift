import HTTPTypes
import Synchronization
import Testing
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// Interruptions between the end of the changes and the lists that a count mismatch leads to.
struct CountMismatchTests {
    /// What a count mismatch leads to.
    enum Recovery: CaseIterable {
        case list, keys, keysThenList
    }

    /// SDSyncEngine requested all changes since the latest that it had stored: after a crash it
    /// requested all of them again.
    @Test(arguments: Recovery.allCases)
    func `after a pull is killed at any commit, at most one page is read again`(
        _ recovery: Recovery
    ) async throws {
        let uninterrupted = try #require(try await Self.pages(recovery))
        var crashCount = 0
        while let pages = try await Self.pages(recovery, crashingAfter: crashCount) {
            var again = pages
            for page in uninterrupted {
                let index = try #require(again.firstIndex(of: page))
                again.remove(at: index)
            }
            #expect(again.count <= 1, "\(crashCount) commits: \(pages)")
            crashCount += 1
        }
        #expect(crashCount > 15)
    }

    /// Returns the pages that are read from a count mismatch until the store is in sync; nil if the
    /// pull ends before the commit at which it would be killed.
    private static func pages(
        _ recovery: Recovery,
        crashingAfter commits: Int? = nil
    ) async throws -> [String]? {
        let mirror = try mirror(recovery)
        let processes = PullProcesses(mirror)
        _ = try await processes.pull()
        change(mirror, recovery)
        var hasCrashed = false
        do {
            _ = try await processes.pull(until: commits)
        } catch is CrashingCommits.Crash {
            hasCrashed = true
        }
        guard hasCrashed || commits == nil else { return nil }
        if hasCrashed { #expect(try await processes.pull().isComplete) }
        #expect(try mirror.local() == mirror.remote)
        return mirror.fake.requests.filter { $0.request.method == .get && $0.status == 200 }
            .map(\.description)
    }

    private static func mirror(_ recovery: Recovery) throws -> Mirror {
        var mirror = try Mirror(.changes, notes: 5, page: 2)
        mirror.resource.style.stability = .stable
        if recovery != .list { mirror.resource.style.parameters.keys = [QueryItem("fields", "id")] }
        return mirror
    }

    /// Changes objects so that the list of changes does not contain all of them.
    private static func change(_ mirror: Mirror, _ recovery: Recovery) {
        if recovery == .keysThenList {
            mirror.fake.clockSkew = .seconds(-3_600)
            mirror.write("n8", "of an earlier time")
            mirror.fake.clockSkew = .zero
        }
        for key in ["n1", "n2", "n3", "n6"] {
            mirror.clock.advance(by: .seconds(60))
            mirror.write(key, "second")
        }
        for key in ["n0", "n4"] { mirror.write(key, nil) }
        mirror.fake.clearRequests()
    }

    // MARK: Unverified counts

    /// Returns a mirror of Kinto with a deleted note whose tombstone was purged, and a new note.
    private static func kinto() async throws -> Mirror {
        var mirror = try Mirror(.kinto, notes: 5, page: 2)
        mirror.resource.style.stability = .unstable
        mirror.resource.style.total = .header("Total-Objects")
        try await mirror.pull()
        mirror.write("n0", nil)
        mirror.fake.purgeTombstones()
        mirror.write("n9", "new")
        return mirror
    }

    /// A collection whose `ETag` is unchanged is not counted, so that the mismatch must be stored.
    @Test func `a count mismatch is still stored after pulls that fail at once`() async throws {
        let mirror = try await Self.kinto()
        let transport = InterceptingTransport(mirror.fake, laterPage: mirror.dialect.laterPage)
        // After the changes and their count, the changes are requested again, and then the list.
        transport.before(3) { mirror.fake.inject(.status(404), times: 3) }
        let engine = try mirror.engine(over: transport)
        #expect(try await engine.report().isComplete == false)
        var options = PullOptions()
        options.isFull = true
        #expect(try await engine.report(options).isComplete == false)
        #expect(try mirror.local() != mirror.remote)

        try await mirror.pull()
        #expect(try mirror.local() == mirror.remote)
    }

    /// Returns a transport on which the list that a count mismatch leads to appears to be
    /// inconsistent.
    private static func inconsistent(_ mirror: Mirror) throws -> RequestLog {
        let total = try #require(HTTPField.Name("Total-Objects"))
        let hasMoved = Mutex(false)
        let transport = RequestLog(mirror.fake) { fields in
            if hasMoved.withLock({ $0 }) { fields[total] = "99" }
        }
        // After the changes and their count, the changes are requested and counted again.
        transport.before(5) { hasMoved.withLock { $0 = true } }
        return transport
    }

    @Test func `a count mismatch is still stored after an inconsistent list`() async throws {
        let mirror = try await Self.kinto()
        let report = try await mirror.engine(over: Self.inconsistent(mirror)).pull()
        #expect(report.resources.values.map(\.ending) == [.inconsistent])
        #expect(try mirror.local() != mirror.remote)
        let status = try SyncStatus.of(mirror.store)
        #expect(status.resources.map(\.nextPage) == [nil])

        try await mirror.pull()
        #expect(try mirror.local() == mirror.remote)
    }

    @Test
    func `a count mismatch is still stored after a pull is killed during an inconsistent list`()
        async throws
    {
        var crashCount = 0
        var hasCompleted = false
        while !hasCompleted {
            let mirror = try await Self.kinto()
            let processes = PullProcesses(mirror)
            do {
                try await processes.pull(over: Self.inconsistent(mirror), until: crashCount)
                hasCompleted = true
            } catch is CrashingCommits.Crash {
                crashCount += 1
            }
            try await processes.pull()
            #expect(try mirror.local() == mirror.remote, "\(crashCount) commits")
        }
        #expect(crashCount > 15)
    }
}
