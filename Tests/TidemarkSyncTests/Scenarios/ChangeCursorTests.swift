import Foundation
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// The cursor since which changes are requested.
struct ChangeCursorTests {
    /// SDSyncEngine truncated the latest time to the second and added .999, to receive no change
    /// twice: later changes in that second were missed.
    @Test func `a change in the same second as the last seen one is found`() async throws {
        let mirror = try Mirror(.parse, notes: 3, page: 10)
        var predecessor = Predecessor()
        predecessor.merge(try await mirror.fake.page("classes/Note"))
        try await mirror.pull()

        mirror.clock.advance(by: .milliseconds(400))
        mirror.write("n1", "second")
        mirror.clock.advance(by: .seconds(60))
        let latest = predecessor.rows.map(\.changed).max() ?? ""
        predecessor.merge(try await mirror.fake.changes(since: "\(latest.prefix(19)).999Z"))
        try await mirror.pull()

        #expect(mirror.remote == "n0 first\nn1 second\nn2 first")
        #expect(predecessor.local == "n0 first\nn1 first\nn2 first")
        #expect(try mirror.local() == mirror.remote)
    }

    /// SDSyncEngine requested changes since the latest time of its rows, some of which had the time
    /// of the device.
    @Test func `a device whose clock is ahead misses no change`() async throws {
        let mirror = try Mirror(.parse, notes: 3, page: 10)
        var ahead = mirror.clock.environment
        ahead.now = { [clock = mirror.clock] in clock.now.addingTimeInterval(3_600) }
        var predecessor = Predecessor()
        predecessor.merge(try await mirror.fake.page("classes/Note"))
        predecessor.merge([Predecessor.Row("", "made here", changed: "2017-07-14T03:40:00.000Z")])
        _ = try await mirror.engine(over: nil, ahead).pull()

        mirror.clock.advance(by: .seconds(60))
        mirror.write("n1", "second")
        let latest = predecessor.rows.map(\.changed).max() ?? ""
        predecessor.merge(try await mirror.fake.changes(since: "\(latest.prefix(19)).999Z"))
        _ = try await mirror.engine(over: nil, ahead).pull()

        #expect(mirror.remote == "n0 first\nn1 second\nn2 first")
        #expect(predecessor.local == " made here\nn0 first\nn1 first\nn2 first")
        #expect(try mirror.local() == mirror.remote)
    }

    /// A request for objects after a time and a key (keyset pagination) does not return it.
    @Test func `a change at the time at which a page ends is found`() async throws {
        let mirror = try Mirror(.parse, notes: 3, page: 2)
        try await mirror.pull()
        mirror.clock.advance(by: .seconds(60))
        for key in ["n0", "n1"] { mirror.write(key, "second") }
        let transport = InterceptingTransport(mirror.fake, laterPage: mirror.dialect.laterPage)
        transport.before(2) {
            mirror.write("n0", "third")
            mirror.fake.inject(.status(403), times: 1)
        }
        #expect(try await mirror.engine(over: transport).report().isComplete == false)
        mirror.clock.advance(by: .seconds(60))
        mirror.write("n2", "second")
        for _ in 0..<2 { try await mirror.pull() }
        #expect(mirror.remote == "n0 third\nn1 second\nn2 second")
        #expect(try mirror.local() == mirror.remote)
    }

    /// SDSyncEngine requested changes unsorted, and its cursor was the time of the row that was
    /// saved last: older changes on pages that failed were never requested again.
    @Test func `changes on pages after a failed one are not skipped`() async throws {
        let mirror = try Mirror(.changes, notes: 3, page: 1)
        var predecessor = Predecessor()
        for page in 1...3 { predecessor.merge(try await mirror.fake.page("notes?page=\(page)")) }
        while try await mirror.pull().ending != .complete {}
        let before = predecessor.rows.map(\.changed).max() ?? ""

        mirror.clock.advance(by: .seconds(60))
        mirror.write("n2", "older")
        mirror.clock.advance(by: .seconds(60))
        mirror.write("n0", "newer")
        predecessor.merge(try await mirror.fake.page("notes?updated_since=\(before)"))
        let transport = InterceptingTransport(mirror.fake, laterPage: "page=")
        transport.rejectPositions(10, status: 500)
        let report = try await mirror.engine(over: transport).pull()
        #expect(!report.isComplete)
        let latest = predecessor.rows.map(\.changed).max() ?? ""
        predecessor.merge(try await mirror.fake.page("notes?updated_since=\(latest)"))
        try await mirror.pull()

        #expect(mirror.remote == "n0 newer\nn1 first\nn2 older")
        #expect(predecessor.local == "n0 newer\nn1 first\nn2 first")
        #expect(try mirror.local() == mirror.remote)
    }
}
