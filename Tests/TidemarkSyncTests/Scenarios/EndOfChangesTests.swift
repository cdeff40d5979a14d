import HTTPTypes
import Synchronization
import Testing
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// Interruptions between the end of the changes and the lists that a count mismatch leads to.
struct EndOfChangesTests {
    /// What a count mismatch leads to.
    enum Way: CaseIterable {
        case list, keys, keysThenList
    }

    /// SDSyncEngine requested all changes since the latest that it had stored: after a crash it
    /// requested all of them again.
    @Test(arguments: Way.allCases)
    func `after a pull is killed at any commit, at most one page is read again`(
        _ way: Way
    ) async throws {
        let usual = try #require(try await Self.pages(way))
        var deaths = 0
        while let pages = try await Self.pages(way, dyingAfter: deaths) {
            var again = pages
            for page in usual {
                let index = try #require(again.firstIndex(of: page))
                again.remove(at: index)
            }
            #expect(again.count <= 1, "\(deaths) commits: \(pages)")
            deaths += 1
        }
        #expect(deaths > 15)
    }

    /// Returns the pages that are read from a count mismatch until the store is in sync; nil if the
    /// pull ends before the commit at which it would be killed.
    private static func pages(_ way: Way, dyingAfter commits: Int? = nil) async throws -> [String]?
    {
        let mirror = try mirror(way)
        let life = PullProcesses(mirror)
        _ = try await life.pull()
        change(mirror, way)
        var isDead = false
        do {
            _ = try await life.pull(until: commits)
        } catch is CrashingCommits.Death {
            isDead = true
        }
        guard isDead || commits == nil else { return nil }
        if isDead { #expect(try await life.pull().isComplete) }
        #expect(try mirror.local() == mirror.remote)
        return mirror.fake.requests.filter { $0.request.method == .get && $0.status == 200 }
            .map(\.description)
    }

    private static func mirror(_ way: Way) throws -> Mirror {
        var mirror = try Mirror(.changes, notes: 5, page: 2)
        mirror.resource.style.stability = .stable
        if way != .list { mirror.resource.style.parameters.keys = [QueryItem("fields", "id")] }
        return mirror
    }

    /// Changes objects so that the list of changes does not contain all of them.
    private static func change(_ mirror: Mirror, _ way: Way) {
        if way == .keysThenList {
            mirror.fake.clockSkew = .seconds(-3_600)
            mirror.write("n8", "of former times")
            mirror.fake.clockSkew = .zero
        }
        for key in ["n1", "n2", "n3", "n6"] {
            mirror.clock.advance(by: .seconds(60))
            mirror.write(key, "second")
        }
        for key in ["n0", "n4"] { mirror.write(key, nil) }
        mirror.fake.forgetRequests()
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
        let way = InterceptingTransport(mirror.fake, laterPage: mirror.dialect.laterPage)
        // After the changes and their count, the changes are requested again, and then the list.
        way.before(3) { mirror.fake.misbehave(.status(404), times: 3) }
        let engine = try mirror.engine(over: way)
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
    private static func moving(_ mirror: Mirror) throws -> RequestLog {
        let total = try #require(HTTPField.Name("Total-Objects"))
        let hasMoved = Mutex(false)
        let way = RequestLog(mirror.fake) { fields in
            if hasMoved.withLock({ $0 }) { fields[total] = "99" }
        }
        // After the changes and their count, the changes are requested and counted again.
        way.before(5) { hasMoved.withLock { $0 = true } }
        return way
    }

    @Test func `a count mismatch is still stored after an inconsistent list`() async throws {
        let mirror = try await Self.kinto()
        let report = try await mirror.engine(over: Self.moving(mirror)).pull()
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
        var deaths = 0
        var hasSurvived = false
        while !hasSurvived {
            let mirror = try await Self.kinto()
            let life = PullProcesses(mirror)
            do {
                try await life.pull(over: Self.moving(mirror), until: deaths)
                hasSurvived = true
            } catch is CrashingCommits.Death {
                deaths += 1
            }
            try await life.pull()
            #expect(try mirror.local() == mirror.remote, "\(deaths) commits")
        }
        #expect(deaths > 15)
    }
}
