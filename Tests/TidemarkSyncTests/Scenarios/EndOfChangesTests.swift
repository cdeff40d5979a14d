import HTTPTypes
import Synchronization
import Testing
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// What stands between the end of the changes and the lists that a count leads to.
struct EndOfChangesTests {
    /// What a count that does not add up leads to.
    enum Way: CaseIterable {
        case list, keys, keysThenList
    }

    /// SDSyncEngine asked for all changes since the latest that it had: who was killed behind them
    /// asked for them once more.
    @Test(arguments: Way.allCases)
    func `a pull that dies anywhere has at most one page to read again`(_ way: Way) async throws {
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

    /// The pages that are read where changes do not add up, until all does; nil where a pull does
    /// not come to the commit at which it is to die.
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
        mirror.resource.style.drift = .none
        if way != .list { mirror.resource.style.keys = [QueryItem("fields", "id")] }
        return mirror
    }

    /// Changes more than the changes tell.
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

    // MARK: Doubts

    /// Kinto with a note that it tells no more of, not even that it is gone, and one that is new.
    private static func kinto() async throws -> Mirror {
        var mirror = try Mirror(.kinto, notes: 5, page: 2)
        mirror.resource.style.drift = .possible
        mirror.resource.style.total = .header("Total-Objects")
        try await mirror.pull()
        mirror.write("n0", nil)
        mirror.fake.purgeTombstones()
        mirror.write("n9", "new")
        return mirror
    }

    /// A collection that is as it was by its `ETag` is not counted.
    @Test func `what does not add up is remembered by pulls that fail at once`() async throws {
        let mirror = try await Self.kinto()
        let way = InterceptingTransport(mirror.fake, laterPage: mirror.dialect.laterPage)
        // Behind the changes and their count come the changes once more, and the list.
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

    /// A way on which the list that should tell seems to move, from its request on.
    private static func moving(_ mirror: Mirror) throws -> RequestLog {
        let total = try #require(HTTPField.Name("Total-Objects"))
        let hasMoved = Mutex(false)
        let way = RequestLog(mirror.fake) { fields in
            if hasMoved.withLock({ $0 }) { fields[total] = "99" }
        }
        // Behind the changes and their count come the changes once more, and are counted.
        way.before(5) { hasMoved.withLock { $0 = true } }
        return way
    }

    @Test func `what does not add up is remembered where the list that should tell moves`()
        async throws
    {
        let mirror = try await Self.kinto()
        let report = try await mirror.engine(over: Self.moving(mirror)).pull()
        #expect(report.resources.values.map(\.ending) == [.inconsistent])
        #expect(try mirror.local() != mirror.remote)
        let status = try SyncStatus.of(mirror.store)
        #expect(status.resources.map(\.nextPage) == [nil])

        try await mirror.pull()
        #expect(try mirror.local() == mirror.remote)
    }

    @Test func `what does not add up is remembered by a pull that dies while the list moves`()
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
