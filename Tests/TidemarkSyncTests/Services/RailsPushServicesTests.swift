import HTTPTypes
import Testing
import TidemarkModel
import TidemarkSync
import TidemarkTesting

/// Pushes to a Rails service that is running for tests.
@Suite(
    .serialized,
    .enabled(
        if: RealTasks.Kind.running.contains(.rails),
        "TIDEMARK_TEST_RAILS is not set: Rails is not tested. `make test-services` starts it."
    )
)
struct RailsPushServicesTests {
    @Test(arguments: SocketTransport.allCases)
    func `a creation whose response was lost is sent again under its key, and answered once more`(
        _ socketTransport: SocketTransport
    ) async throws {
        let tasks = try await RealTasks(.rails)
        try await socketTransport.run { transport in
            let device = try RealDevice(tasks, over: transport)
            try await device.pull()
            try await device.insert("new", position: 5)
            device.faults.add([.closed, .truncated, .failed])
            device.log.clear()
            for _ in 0..<4 {
                device.clock.advance(by: .seconds(3_600))
                try await device.push()
            }
            #expect(device.log.entries.map(\.request.method) == [.post, .post, .post, .post])
            #expect(device.log.entries.last?.status == 201)
            let keys = device.log.entries.map { entry in
                HTTPField.Name("Idempotency-Key").flatMap { entry.request.headerFields[$0] }
            }
            #expect(Set(keys).count == 1)
            #expect(try await tasks.table().lines == ["new, 5"])
            try await device.sync()
            try await device.expectInSync(tasks)
        }
    }

    @Test func `an outdated lock version is answered with 409, and the change is merged`()
        async throws
    {
        let tasks = try await RealTasks(.rails)
        let keys = try await tasks.create("Home", tasks: ["a", "b"])
        try await SocketTransport.asyncHTTPClient.run { transport in
            let device = try RealDevice(tasks, over: transport)
            try await device.pull()
            try await device.edit("a", ["title": .string("A")])
            try await tasks.edit(keys[0], ["done": true])
            device.log.clear()
            let report = try await device.push()
            #expect(report.total.updated == 1)
            #expect(device.log.exchanges == ["PATCH 409", "GET 200", "PATCH 200"])
            #expect(
                try await tasks.table().lines == ["Home", "A, done, 0, in Home", "b, 1, in Home"]
            )
            try await device.sync()
            try await device.expectInSync(tasks)
        }
    }

    @Test func `an edit after an edit has the version of the response`() async throws {
        let tasks = try await RealTasks(.rails)
        try await tasks.create("Home", tasks: ["a"])
        try await SocketTransport.asyncHTTPClient.run { transport in
            let device = try RealDevice(tasks, over: transport)
            try await device.pull()
            device.log.clear()
            for title in ["a", "aa", "aaa"] {
                try await device.edit(title, ["title": .string(title + "a")])
                try await device.push()
            }
            #expect(device.log.exchanges == ["PATCH 200", "PATCH 200", "PATCH 200"])
            #expect(try await tasks.table().lines == ["Home", "aaaa, 0, in Home"])
            try await device.expectInSync(tasks)
        }
    }
}
