import HTTPTypes
import Testing
import TidemarkImport
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// Pulls from a Rails service that is running for tests.
@Suite(
    .serialized,
    .enabled(
        if: RealMirror.address("RAILS") != nil,
        "TIDEMARK_TEST_RAILS is not set: Rails is not tested. `make test-services` starts it."
    )
)
struct RailsServicesTests {
    @Test(arguments: SocketTransport.allCases)
    func `weak entity tags are sent back unchanged in conditional requests`(
        _ socketTransport: SocketTransport
    ) async throws {
        let mirror = try await RealMirror.rails()
        try await mirror.create(2)
        try await socketTransport.run { transport in
            try await mirror.pull(over: transport)
            let log = RequestLog(transport)
            try await mirror.pull(over: log)
            let tags = log.entries.map { $0.request.headerFields[.ifNoneMatch]?.prefix(3) }
            #expect(tags == ["W/\""])
        }
    }

    @Test(arguments: SocketTransport.allCases)
    func `unsorted changes are requested since the latest stamp that was seen`(
        _ socketTransport: SocketTransport
    ) async throws {
        let mirror = try await RealService.rails.changingMirror()
        let ids = try await mirror.create(7)
        try await socketTransport.run { transport in
            for _ in 0..<3 { try await mirror.pull(over: transport) }
            let log = RequestLog(transport)
            try await mirror.pull(over: log)
            #expect(log.exchanges == ["GET 304", "HEAD 200"], "\(log.entries)")
            try await mirror.change(ids[2], ["title": "changed"])
            for _ in 0..<2 { try await mirror.pull(over: transport) }
            log.clear()
            try await mirror.pull(over: log)
            #expect(log.exchanges == ["GET 304", "HEAD 200"], "\(log.entries)")
            try await mirror.expectInSync()
        }
    }

    @Test(arguments: SocketTransport.allCases)
    func `changes in the same millisecond as the last seen one are found`(
        _ socketTransport: SocketTransport
    ) async throws {
        let mirror = try await RealService.rails.changingMirror()
        let ids = try await mirror.create(5)
        func move(_ id: String, _ time: String, _ position: Int) async throws {
            try await mirror.change(
                id,
                [
                    "position": .number("\(position)"),
                    "updated_at": .string("2021-02-03T04:05:\(time)Z"),
                ]
            )
        }
        try await socketTransport.run { transport in
            for id in ids { try await move(id, "05", 0) }
            try await move(ids[0], "06.789500", 1)
            try await mirror.pull(over: transport)
            // The service prints milliseconds, so that all of these times equal the last seen one.
            for (id, microseconds) in [(1, "499"), (2, "500"), (3, "999"), (4, "000")] {
                try await move(ids[id], "06.789\(microseconds)", id + 10)
                try await mirror.pull(over: transport)
                try await mirror.expectInSync()
            }
        }
    }
}
