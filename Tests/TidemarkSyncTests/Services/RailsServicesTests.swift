import HTTPTypes
import Testing
import TidemarkImport
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// Pulls from a service made with Rails that runs for tests.
@Suite(
    .serialized,
    .enabled(
        if: RealMirror.address("RAILS") != nil,
        "TIDEMARK_TEST_RAILS is not set: Rails is not tested. `make test-services` starts it."
    )
)
struct RailsServicesTests {
    /// A list that is asked for what has changed, and how many there are.
    private static func changing() async throws -> RealMirror {
        var mirror = try await RealMirror.rails()
        mirror.resource.style.delta = .railsChanges
        mirror.resource.style.count = .head("X-Total-Count")
        return mirror
    }

    /// Pulls until nothing comes again: in which order changes come nobody says, and the first page
    /// alone proves how far they were read.
    private static func settle(_ mirror: RealMirror, over transport: any Transport) async throws {
        for _ in 0..<4 { try await mirror.pull(over: transport) }
    }

    @Test(arguments: Carrier.allCases)
    func `what is there, and what becomes of it, is mirrored`(_ carrier: Carrier) async throws {
        let mirror = try await RealMirror.rails()
        let ids = try await mirror.create(7)
        try await carrier.run { transport in
            let first = try await mirror.pull(over: transport)
            #expect(first.ending == .complete)
            #expect(first.pages == 3)
            #expect(try mirror.local() == (try await mirror.remote()))
            try await mirror.change(ids[1], ["title": "changed"])
            try await mirror.remove(ids[6])
            try await mirror.remove(ids[3])
            try await mirror.create("new", position: 100)
            let second = try await mirror.pull(over: transport)
            #expect(second.ending == .complete)
            #expect(second.imported.entities["Task"]?.deleted == 2)
            #expect(second.imported.entities["Task"]?.inserted == 1)
            #expect(try mirror.local() == (try await mirror.remote()))
        }
    }

    @Test(arguments: Carrier.allCases)
    func `when nothing has changed, one conditional request for each page tells it`(
        _ carrier: Carrier
    ) async throws {
        let mirror = try await RealMirror.rails()
        let ids = try await mirror.create(7)
        try await carrier.run { transport in
            try await mirror.pull(over: transport)
            let log = RequestLog(transport)
            let unchanged = try await mirror.pull(over: log)
            #expect(unchanged.ending == .unchanged)
            #expect(log.answers == ["GET 304", "GET 304", "GET 304"], "\(log.entries)")
            // The tags are weak ones, and are given back as they came.
            let tags = log.entries.map { $0.request.headerFields[.ifNoneMatch]?.prefix(3) }
            #expect(tags == ["W/\"", "W/\"", "W/\""])
            log.forget()
            try await mirror.change(ids[4], ["title": "changed"])
            try await mirror.pull(over: log)
            #expect(log.answers == ["GET 304", "GET 200", "GET 304"], "\(log.entries)")
            #expect(try mirror.local() == (try await mirror.remote()))
        }
    }

    @Test(arguments: Carrier.allCases)
    func `rows that move between pages while they are read are neither missed nor kept`(
        _ carrier: Carrier
    ) async throws {
        let mirror = try await RealMirror.rails()
        let ids = try await mirror.create(10)
        try await carrier.run { transport in
            try await mirror.pull(over: transport)
            let log = RequestLog(transport)
            log.before(2) { try await mirror.remove(ids[1]) }
            log.before(3) { try await mirror.create("behind") }
            try await mirror.pull(over: log) { $0.isFull = true }
            try await mirror.pull(over: transport)
            #expect(try mirror.local() == (try await mirror.remote()))
        }
    }

    @Test(arguments: Carrier.allCases)
    func `a first pull that was interrupted goes on at its page`(
        _ carrier: Carrier
    ) async throws {
        let mirror = try await RealMirror.rails()
        try await mirror.create(7)
        try await carrier.run { transport in
            let log = RequestLog(transport)
            log.before(2) { throw RequestLog.cut }
            let failed = try await mirror.pull(over: log)
            #expect(failed.ending == .failed)
            #expect(failed.items == 3)
            let missed = log.entries.last?.request.path
            log.forget()
            let second = try await mirror.pull(over: log)
            #expect(second.ending == .complete)
            #expect(log.entries.count == 2)
            #expect(log.entries.first?.request.path == missed)
            #expect(try mirror.local() == (try await mirror.remote()))
        }
    }

    @Test(arguments: Carrier.allCases)
    func `a list of which everything is gone deletes nothing without being asked`(
        _ carrier: Carrier
    ) async throws {
        let mirror = try await RealMirror.rails()
        let ids = try await mirror.create(10)
        try await carrier.run { transport in
            try await mirror.pull(over: transport)
            let before = try mirror.local()
            for id in ids { try await mirror.remove(id) }
            let guarded = try await mirror.pull(over: transport)
            #expect(guarded.parked?.rows == 10)
            #expect(try mirror.local() == before)
            try await mirror.pull(over: transport) { $0.sweepGuard = nil }
            #expect(try mirror.local() == (try await mirror.remote()))
        }
    }

    @Test(arguments: Carrier.allCases)
    func `changes are asked for alone, and deletions found by counting`(
        _ carrier: Carrier
    ) async throws {
        let mirror = try await Self.changing()
        let ids = try await mirror.create(7)
        try await carrier.run { transport in
            try await Self.settle(mirror, over: transport)
            let log = RequestLog(transport)
            try await mirror.change(ids[2], ["title": "changed"])
            let changed = try await mirror.pull(over: log)
            #expect(changed.imported.entities["Task"]?.updated == 1)
            #expect(log.answers == ["GET 200", "HEAD 200"], "\(log.entries)")
            #expect(try mirror.local() == (try await mirror.remote()))
            log.forget()
            for _ in 0..<2 { try await mirror.pull(over: log) }
            #expect(log.answers.suffix(2) == ["GET 304", "HEAD 200"], "\(log.entries)")
            try await mirror.remove(ids[5])
            try await mirror.pull(over: transport)
            #expect(try mirror.local() == (try await mirror.remote()))
        }
    }

    @Test(arguments: Carrier.allCases)
    func `changes in the millisecond of the last one seen are seen`(
        _ carrier: Carrier
    ) async throws {
        let mirror = try await Self.changing()
        let ids = try await mirror.create(5)
        let moment = "2031-02-03T04:05:06.789"
        func move(_ id: String, _ microseconds: String, _ position: Int) async throws {
            try await mirror.change(
                id,
                [
                    "position": .number("\(position)"),
                    "updated_at": .string("\(moment)\(microseconds)Z"),
                ]
            )
        }
        try await carrier.run { transport in
            try await move(ids[0], "500", 1)
            try await mirror.pull(over: transport)
            // Printed alike all of them, though one is earlier and one later.
            for (id, microseconds) in [(1, "499"), (2, "500"), (3, "999"), (4, "000")] {
                try await move(ids[id], microseconds, id + 10)
                try await mirror.pull(over: transport)
                #expect(try mirror.local() == (try await mirror.remote()))
            }
        }
    }
}
